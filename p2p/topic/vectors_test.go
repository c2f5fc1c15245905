package topic

import (
	"bytes"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

// messageIn is a message on the topic of a set, as far as its bytes decide, or a
// code that the rules gave it.
type messageIn struct {
	Set     string         `json:"set,omitempty"`
	Shards  int            `json:"shards,omitempty"`
	Message vectorfile.Hex `json:"message,omitempty"`
	Code    reason.Code    `json:"code,omitempty"`
}

type messageOut struct {
	Verdict string         `json:"verdict"` // "reject", "ignore", or "judge": the rules go on
	Code    reason.Code    `json:"code,omitempty"`
	ID      vectorfile.Hex `json:"id,omitempty"` // of the change that the rules judge
	Stub    bool           `json:"stub,omitempty"`
}

func readMessage(in messageIn) (out messageOut) {
	code := in.Code
	if in.Code == "" {
		c, err := Decode(in.Message)
		code = reason.Of(err)
		if err == nil && change.SetOf(c.Head.Space, c.Head.Kind, in.Shards) != in.Set {
			code = reason.UnknownSpace
		}
		if code == "" {
			return messageOut{Verdict: "judge", ID: c.ID[:], Stub: c.IsStub()}
		}
	}
	if code.Gossip() == reason.Reject {
		return messageOut{Verdict: "reject", Code: code}
	}
	return messageOut{Verdict: "ignore", Code: code}
}

func TestMessageVectors(t *testing.T) {
	t.Parallel()
	type vector = vectorfile.Vector[messageIn, messageOut]
	var made []vector
	add := func(rule, name string, in messageIn, out messageOut) {
		made = append(made, vector{Name: name, In: in, Out: &out, Rule: rule})
	}
	message := func(name, set string, b []byte, out messageOut) {
		add("17.2", name, messageIn{Set: set, Shards: 1, Message: b}, out)
	}
	whole := entry(t, 100)
	id := whole.ID
	raw := Encode(whole)
	fits := entry(t, 0)
	var over *change.Change
	for n := MaxMessage - 1000; ; n++ { // the largest body that goes along
		c := entry(t, n)
		if got, err := Decode(Encode(c)); err != nil || got.IsStub() {
			over = c
			break
		}
		fits = c
	}
	full := Encode(fits)
	if len(full) != MaxMessage {
		t.Fatalf("the largest message has %d bytes", len(full))
	}
	message("a change", "open/0", raw, messageOut{Verdict: "judge", ID: id[:]})
	message("of exactly 16 KiB", "open/0", full, messageOut{Verdict: "judge", ID: fits.ID[:]})
	message("a stub of a larger one", "open/0", Encode(over), messageOut{Verdict: "judge", ID: over.ID[:], Stub: true})
	large := cbor.AppendBytes(cbor.AppendBytes(cbor.AppendArray(nil, 2), over.RawHead), over.Body)
	message("of 16 KiB and 1", "open/0", large, messageOut{Verdict: "reject", Code: reason.ChangeTooLarge})
	message("on the topic of another set", "auth", raw, messageOut{Verdict: "ignore", Code: reason.UnknownSpace})
	bad := messageOut{Verdict: "reject", Code: reason.BadEncoding}
	message("empty", "open/0", []byte{}, bad)
	message("a byte behind it", "open/0", append(bytes.Clone(raw), 0), bad)
	message("cut short", "open/0", raw[:len(raw)-1], bad)
	message("of one part", "open/0", cbor.AppendBytes(cbor.AppendArray(nil, 1), whole.RawHead), bad)
	message("of three parts", "open/0", cbor.AppendNull(cbor.AppendNull(cbor.AppendBytes(cbor.AppendArray(nil, 3), whole.RawHead))), bad)
	message("a head of text", "open/0", cbor.AppendNull(cbor.AppendText(cbor.AppendArray(nil, 2), "x")), bad)
	message("a body of text", "open/0", cbor.AppendText(cbor.AppendBytes(cbor.AppendArray(nil, 2), whole.RawHead), "x"), bad)
	message("a head that is none", "open/0", cbor.AppendNull(cbor.AppendBytes(cbor.AppendArray(nil, 2), []byte{0xa0})), bad)
	message("another body", "open/0", cbor.AppendBytes(cbor.AppendBytes(cbor.AppendArray(nil, 2), whole.RawHead), bytes.Repeat([]byte{8}, 100)), messageOut{Verdict: "reject", Code: reason.BlobMismatch})
	message("a body of another length", "open/0", cbor.AppendBytes(cbor.AppendBytes(cbor.AppendArray(nil, 2), whole.RawHead), nil), messageOut{Verdict: "reject", Code: reason.BlobMismatch})
	// What the rules of sections 9 to 14 and this node can say, with its verdict.
	for _, code := range []reason.Code{
		reason.BadEncoding, reason.ChangeTooLarge, reason.BadChangeSignature, reason.BadSequence, reason.BindingInvalid, reason.BlobMismatch, reason.CapabilityMissing, reason.CapabilityExpired,
		reason.ChainInvalid, reason.AttenuationViolation, reason.WrongAudience, reason.RotationInvalid, reason.InvalidType, reason.TooShort, reason.TooLong, reason.ReceiptMismatch,
	} {
		add("17.3", "refused with "+string(code), messageIn{Code: code}, messageOut{Verdict: "reject", Code: code})
	}
	for _, code := range []reason.Code{
		reason.MissingDeps, reason.UnknownKind, reason.UnknownSpace, reason.Duplicate, reason.ForkedAuthor, reason.ClockAhead, reason.ProofMissing, reason.AdmissionRate, reason.Overloaded, reason.Timeout, reason.NotFound,
	} {
		add("17.3", "refused with "+string(code), messageIn{Code: code}, messageOut{Verdict: "ignore", Code: code})
	}
	for _, v := range vectorfile.Golden(t, "gossip/verdicts.json", made) {
		got := readMessage(v.In)
		if got.Verdict != v.Out.Verdict || got.Code != v.Out.Code || !bytes.Equal(got.ID, v.Out.ID) || got.Stub != v.Out.Stub {
			t.Errorf("%s: %+v, want %+v", v.Name, got, *v.Out)
		}
	}
}
