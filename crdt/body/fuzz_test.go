package body_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/reason"
)

// FuzzRows runs every row over the same bytes. What a row accepts can be written
// and read again; what it refuses has a code of the rows.
func FuzzRows(f *testing.F) {
	target := change.ID(filled(32))
	actor := [16]byte{1, 2, 3}
	k := someKey(1)
	for _, m := range []cbor.Map{
		{"type": "wisdom", "text": fit, "tags": []any{"a"}, "receipt": []byte("{}"), "rsha": filled(32), "meta": []byte(`{"a":1}`), "reuses": idList(2)},
		{"name": "Ada", "ctl": []any{k.String()}, "bind": cbor.Map{"alg": "eip191", "by": k.String(), "sig": filled(64), "text": "x"}, "sponsor": cbor.Map{"by": k[:], "sig": filled(64)}},
		{"bootstrap": []any{"a"}, "gateways": []any{cbor.Map{"host": "a", "key": k[:]}}, "labelers": []any{k[:]}},
		{"target": target[:], "why": "because"},
		{"doc": "page", "chunk": worldtest.Chunk(actor, 1, 1, nil, "bio", "x")},
	} {
		f.Add(encode(f, m))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		again := func(v interface{ Encode() ([]byte, error) }, read func([]byte) error) {
			out, err := v.Encode()
			if err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
			if err := read(out); err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
		}
		judge := func(err error) bool {
			switch code := reason.Of(err); code {
			case "":
				return true
			case reason.BadEncoding, reason.InvalidType, reason.TooShort, reason.TooLong, reason.ReceiptMismatch:
			default:
				t.Fatalf("refused with %s: %v", code, err)
			}
			return false
		}
		if v, err := body.ParseEntry(b, guild()); judge(err) && v.Text != "" {
			again(v, func(b []byte) error { _, err := body.ParseEntry(b, guild()); return err })
		}
		for _, genesis := range []bool{true, false} {
			if v, err := body.ParseBind(b, genesis); judge(err) {
				again(v, func(b []byte) error { _, err := body.ParseBind(b, genesis); return err })
			}
		}
		if v, err := body.ParseManifest(b); judge(err) {
			again(v, func(b []byte) error { _, err := body.ParseManifest(b); return err })
		}
		if v, err := body.ParseRetract(b, []change.ID{target}); judge(err) {
			again(v, func(b []byte) error { _, err := body.ParseRetract(b, []change.ID{target}); return err })
		}
		if v, err := body.ParseEdit(b, func(string) [16]byte { return actor }); judge(err) {
			if _, err := body.EncodeEdit(string(v.Doc), v.Raw); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzBounty runs both rows of bounties.
func FuzzBounty(f *testing.F) {
	bounty := change.ID(filled(32))
	f.Add(encode(f, offer()))
	f.Add(encode(f, cbor.Map{"bounty": bounty[:], "act": "submit", "text": "done", "proof": filled(3), "ids": idList(2)}))
	f.Add(encode(f, cbor.Map{"bounty": bounty[:], "act": "split", "pct": 40}))
	f.Add(encode(f, cbor.Map{"bounty": bounty[:], "act": "propose", "title": "Pay", "pct": 60}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := body.ParseBountyOpen(b); err == nil {
			out, err := v.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if w, err := body.ParseBountyOpen(out); err != nil || w != v {
				t.Fatalf("%+v read again as %+v: %v", v, w, err)
			}
		} else if reason.Of(err) != reason.BadEncoding {
			t.Fatal(err)
		}
		if v, err := body.ParseBountyAct(b, []change.ID{bounty}); err == nil {
			out, err := v.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := body.ParseBountyAct(out, []change.ID{bounty}); err != nil {
				t.Fatal(err)
			}
		} else if reason.Of(err) != reason.BadEncoding {
			t.Fatal(err)
		}
	})
}
