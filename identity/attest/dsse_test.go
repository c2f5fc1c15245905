package attest

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	intoto "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

func signer(b byte) *keys.Private { return keys.FromSeed([32]byte(bytes.Repeat([]byte{b}, 32))) }

// The example of the DSSE protocol, and its corners.
func TestPAE(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, payload, want string }{
		{"http://example.com/HelloWorld", "hello world", "DSSEv1 29 http://example.com/HelloWorld 11 hello world"},
		{"", "", "DSSEv1 0  0 "},
		{"é", "x", "DSSEv1 2 é 1 x"}, // bytes, not characters
		{"a", "\x00\xff", "DSSEv1 1 a 2 \x00\xff"},
	} {
		if got := string(PAE(c.kind, []byte(c.payload))); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// theirs is our key as the library of the DSSE authors wants it.
type theirs struct{ key *keys.Private }

func (k theirs) KeyID() (string, error)   { return k.key.Key().String(), nil }
func (k theirs) Public() crypto.PublicKey { return k.key.Key().Public() }
func (k theirs) Sign(_ context.Context, data []byte) ([]byte, error) {
	sig := k.key.Sign(data)
	return sig[:], nil
}

func (k theirs) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(k.key.Key().Public(), data, sig) {
		return errors.New("no")
	}
	return nil
}

// What we seal the other implementation opens, and the other way round.
func TestAgreesWithAnotherDSSE(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := signer(1)
		payload := rapid.SliceOf(rapid.Byte()).Draw(t, "payload")
		kind := rapid.StringMatching(`[a-z]{1,20}/[a-zé+.-]{1,20}`).Draw(t, "type")
		text, err := Seal(kind, payload, key).Encode()
		if err != nil {
			t.Fatal(err)
		}
		var envelope dsse.Envelope
		if err := json.Unmarshal(text, &envelope); err != nil {
			t.Fatal(err)
		}
		verifier, err := dsse.NewEnvelopeVerifier(theirs{key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := verifier.Verify(context.Background(), &envelope); err != nil {
			t.Fatalf("they refuse ours: %v", err)
		}
		sealer, err := dsse.NewEnvelopeSigner(theirs{key})
		if err != nil {
			t.Fatal(err)
		}
		made, err := sealer.SignPayload(context.Background(), kind, payload)
		if err != nil {
			t.Fatal(err)
		}
		text, err = json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseEnvelope(text)
		if err != nil || !back.SignedBy(key.Key()) || !bytes.Equal(back.Payload, payload) || back.PayloadType != kind {
			t.Fatalf("we refuse theirs: %v", err)
		}
	})
}

func TestSigners(t *testing.T) {
	t.Parallel()
	a, b, c := signer(1), signer(2), signer(3)
	e := Seal("x/y", []byte("p"), a, b, a)
	if got := e.Signers(a.Key(), b.Key(), c.Key(), a.Key()); len(got) != 2 || got[0] != a.Key() || got[1] != b.Key() {
		t.Errorf("signers %v", got)
	}
	for i := range e.Signatures {
		e.Signatures[i].KeyID = c.Key().String() // a hint, and a wrong one
	}
	if !e.SignedBy(a.Key()) || e.SignedBy(c.Key()) {
		t.Error("the key id decides who signed")
	}
	other := e
	other.PayloadType = "x/z"
	if other.SignedBy(a.Key()) {
		t.Error("the type of the payload is not signed")
	}
	other = e
	other.Payload = []byte("q")
	if other.SignedBy(a.Key()) {
		t.Error("the payload is not signed")
	}
	if Seal("", []byte("p"), a).SignedBy(a.Key()) {
		t.Error("a payload of no type is signed")
	}
	if e.SignedBy(did.Key{}) {
		t.Error("the zero key signed")
	}
	many := Seal("x/y", nil, slicesRepeat(a, MaxSignatures)...)
	if !many.SignedBy(a.Key()) {
		t.Errorf("%d signatures are too many", MaxSignatures)
	}
	many.Signatures = append(many.Signatures, many.Signatures[0])
	if many.SignedBy(a.Key()) {
		t.Errorf("%d signatures are looked at", MaxSignatures+1)
	}
}

func slicesRepeat(s keys.Signer, n int) []keys.Signer {
	out := make([]keys.Signer, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestParseEnvelope(t *testing.T) {
	t.Parallel()
	key := signer(1)
	sig := key.Sign(PAE("x/y", []byte{0xfb, 0xff}))
	std, url := base64.StdEncoding.EncodeToString(sig[:]), base64.URLEncoding.EncodeToString(sig[:])
	good := map[string]string{
		"ours":             `{"payload":"+/8=","payloadType":"x/y","signatures":[{"keyid":"k","sig":"` + std + `"}]}`,
		"url-safe":         `{"payload":"-_8=","payloadType":"x/y","signatures":[{"sig":"` + url + `"}]}`,
		"members unknown":  `{"payload":"+/8=","payloadType":"x/y","note":null,"signatures":[{"sig":"` + std + `","cert":{}}]}`,
		"decoys by case":   `{"Payload":"AAAA","PAYLOADTYPE":"z","payload":"+/8=","payloadType":"x/y","signatures":[{"SIG":"AAAA","sig":"` + std + `"}]}`,
		"escapes and room": " {\"\\u0070ayload\" : \"+\\/8=\", \"payloadType\":\"x/y\",\"signatures\":[{\"sig\":\"" + std + "\"}]}\n",
	}
	for name, in := range good {
		e, err := ParseEnvelope([]byte(in))
		if err != nil || !e.SignedBy(key.Key()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	entry := `{"sig":"` + std + `"}`
	bad := map[string]string{
		"nothing":           ``,
		"no object":         `[]`,
		"null":              `null`,
		"no payload":        `{"payloadType":"x/y","signatures":[` + entry + `]}`,
		"null payload":      `{"payload":null,"payloadType":"x/y","signatures":[` + entry + `]}`,
		"no type":           `{"payload":"+/8=","signatures":[` + entry + `]}`,
		"no signatures":     `{"payload":"+/8=","payloadType":"x/y","signatures":[]}`,
		"signatures null":   `{"payload":"+/8=","payloadType":"x/y","signatures":null}`,
		"signature null":    `{"payload":"+/8=","payloadType":"x/y","signatures":[null]}`,
		"no sig":            `{"payload":"+/8=","payloadType":"x/y","signatures":[{"keyid":"k"}]}`,
		"null key id":       `{"payload":"+/8=","payloadType":"x/y","signatures":[{"keyid":null,"sig":"` + std + `"}]}`,
		"payload twice":     `{"payload":"+/8=","payload":"AAAA","payloadType":"x/y","signatures":[` + entry + `]}`,
		"sig twice":         `{"payload":"+/8=","payloadType":"x/y","signatures":[{"sig":"AAAA","sig":"` + std + `"}]}`,
		"unpadded":          `{"payload":"+/8","payloadType":"x/y","signatures":[` + entry + `]}`,
		"mixed alphabets":   `{"payload":"+_8=","payloadType":"x/y","signatures":[` + entry + `]}`,
		"stray bits":        `{"payload":"+/9=","payloadType":"x/y","signatures":[` + entry + `]}`,
		"line end inside":   `{"payload":"+/\n8=","payloadType":"x/y","signatures":[` + entry + `]}`,
		"trailing":          `{"payload":"+/8=","payloadType":"x/y","signatures":[` + entry + `]}{}`,
		"too many":          `{"payload":"+/8=","payloadType":"x/y","signatures":[` + entry + strings.Repeat(","+entry, MaxSignatures) + `]}`,
		"too long":          `{"payload":"+/8=","payloadType":"x/y","signatures":[` + entry + `]}` + strings.Repeat(" ", MaxEnvelope),
		"lone surrogate":    `{"payload":"+/8=","payloadType":"\ud800","signatures":[` + entry + `]}`,
		"type is a number":  `{"payload":"+/8=","payloadType":1,"signatures":[` + entry + `]}`,
		"payload is a list": `{"payload":["+/8="],"payloadType":"x/y","signatures":[` + entry + `]}`,
	}
	for name, in := range bad {
		if e, err := ParseEnvelope([]byte(in)); !errors.Is(err, ErrEnvelope) || e.Payload != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Our statements are statements to the library of in-toto.
func TestAgreesWithInToto(t *testing.T) {
	t.Parallel()
	code, err := SignCode(Code{Files: files("a", "b")}, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	play, err := SignPlay(played(t, 3), signer(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Envelope{code, play} {
		var s intoto.Statement
		if err := protojson.Unmarshal(e.Payload, &s); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", e.Payload, err)
		}
	}
}

func TestParseStatement(t *testing.T) {
	t.Parallel()
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	make := func(kind, subject, predicateType, predicate string) string {
		return fmt.Sprintf(`{"_type":%q,"subject":%s,"predicateType":%q,"predicate":%s}`, kind, subject, predicateType, predicate)
	}
	one := `[{"name":"x","digest":{"sha256":"` + sum + `"}}]`
	s, err := ParseStatement([]byte(make(statementType, one, "p", `{"a":null}`)))
	if err != nil || s.Subjects[0].Digest["sha256"] != sum || string(s.Predicate) != `{"a":null}` {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := ParseStatement([]byte(make(statementType, `[{"digest":{"gitCommit":"x"},"uri":"u"}]`, "p", `{}`))); err != nil {
		t.Errorf("other digests and members: %v", err)
	}
	for name, in := range map[string]string{
		"other version":   make("https://in-toto.io/Statement/v0.1", one, "p", `{}`),
		"no predicate":    `{"_type":"` + statementType + `","subject":` + one + `,"predicateType":"p"}`,
		"predicate list":  make(statementType, one, "p", `[]`),
		"no type":         make(statementType, one, "", `{}`),
		"no subject":      make(statementType, `[]`, "p", `{}`),
		"no digest":       make(statementType, `[{"name":"x"}]`, "p", `{}`),
		"empty digest":    make(statementType, `[{"digest":{}}]`, "p", `{}`),
		"upper case hash": make(statementType, `[{"digest":{"sha256":"`+strings.ToUpper(sum)+`"}}]`, "p", `{}`),
		"short hash":      make(statementType, `[{"digest":{"sha256":"00"}}]`, "p", `{}`),
		"hash no text":    make(statementType, `[{"digest":{"sha256":1}}]`, "p", `{}`),
		"many subjects":   make(statementType, `[`+strings.Repeat(`{"digest":{"a":"b"}},`, MaxSubjects)+`{"digest":{"a":"b"}}]`, "p", `{}`),
		"name twice":      make(statementType, `[{"name":"x","name":"x","digest":{"a":"b"}}]`, "p", `{}`),
		"empty":           ``,
	} {
		if _, err := ParseStatement([]byte(in)); !errors.Is(err, ErrStatement) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParseEnvelope(f *testing.F) {
	text, err := Seal(PayloadStatement, []byte(`{"_type":"`+statementType+`"}`), signer(1)).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, in []byte) {
		e, err := ParseEnvelope(in)
		if err != nil {
			if !errors.Is(err, ErrEnvelope) {
				t.Fatal(err)
			}
			return
		}
		text, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseEnvelope(text)
		if err != nil || !bytes.Equal(back.Payload, e.Payload) || len(back.Signatures) != len(e.Signatures) {
			t.Fatalf("does not read itself: %v", err)
		}
		e.SignedBy(signer(1).Key())
	})
}

func FuzzParseStatement(f *testing.F) {
	code, err := SignCode(Code{Files: files("a")}, signer(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(code.Payload)
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := ParseStatement(in)
		if err != nil {
			if !errors.Is(err, ErrStatement) {
				t.Fatal(err)
			}
			return
		}
		text, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseStatement(text); err != nil {
			t.Fatalf("does not read itself: %v", err)
		}
		// Whatever it is, opening it as one of ours must not fail in another way.
		e := Envelope{PayloadType: PayloadStatement, Payload: in, Signatures: code.Signatures}
		_, _ = OpenCode(e)
		_, _ = OpenPlay(e)
	})
}
