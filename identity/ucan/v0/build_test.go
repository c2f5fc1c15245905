package v0_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan/v0"
)

// The bytes are those of the specification: sorted, nothing escaped that need
// not be, exp always there.
func TestBuildIsByteExact(t *testing.T) {
	t.Parallel()
	d := v0.Draft{
		Audience: "did:web:b.example", NotBefore: at(0), Nonce: "n<&>", Proofs: []string{anyCID},
		Facts: m{"z": "<é\u2028>", "a": m{"c": list(true, nil, 1.5), "b": "\t\""}},
		Caps:  []v0.Cap{right("z:z", "b", m{"y": 1, "x": "<"}), right("a:a", "d"), right("a:a", "c")},
	}
	raw, err := v0.Build(d, root, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := base64.RawURLEncoding.DecodeString(strings.Split(raw, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"aud":"did:web:b.example","cap":{"a:a":{"c":[{}],"d":[{}]},"z:z":{"b":[{"x":"<","y":1}]}},"exp":null,` +
		`"fct":{"a":{"b":"\t\"","c":[true,null,1.5]},"z":"<é\u2028>"},"iss":"` + root.Key().String() + `","nbf":0,"nnc":"n<&>",` +
		`"prf":["` + anyCID + `"],"ucv":"0.10.0"}`
	if string(body) != want {
		t.Errorf("payload\n%s, want\n%s", body, want)
	}
	if header, _, _ := strings.Cut(raw, "."); header != "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9" {
		t.Errorf("header %s", header)
	}
	if again, err := v0.Build(d, root, nil); err != nil || again != raw {
		t.Error("not repeatable")
	}
}

func TestBuildDrawsANonce(t *testing.T) {
	t.Parallel()
	d := v0.Draft{Audience: bob.Key().String()}
	raw, err := v0.Build(d, root, bytes.NewReader(bytes.Repeat([]byte{7}, 16)))
	if err != nil {
		t.Fatal(err)
	}
	if tok, found := v0.Parse(raw); len(found) != 0 || tok.Nonce != "BwcHBwcHBwcHBwcHBwcHBw" {
		t.Errorf("%+v, %v", tok, found)
	}
	if _, err := v0.Build(d, root, bytes.NewReader(make([]byte, 15))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("too little randomness: %v", err)
	}
	d.Nonce = "given"
	if raw, err = v0.Build(d, root, iotestFail{}); err != nil {
		t.Fatal(err)
	}
	if tok, _ := v0.Parse(raw); tok.Nonce != "given" {
		t.Errorf("nonce %q", tok.Nonce)
	}
}

type iotestFail struct{}

func (iotestFail) Read([]byte) (int, error) { return 0, errors.New("not to be read") }

func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	good := func() v0.Draft { return v0.Draft{Audience: bob.Key().String(), Caps: []v0.Cap{right("a:a", "b")}} }
	for name, change := range map[string]func(*v0.Draft){
		"no audience":             func(d *v0.Draft) { d.Audience = "" },
		"audience is no DID":      func(d *v0.Draft) { d.Audience = "bob" },
		"another version":         func(d *v0.Draft) { d.Version = "0.9.0" },
		"a bad fragment":          func(d *v0.Draft) { d.Fragment = "a b" },
		"a time out of range":     func(d *v0.Draft) { d.Expires = at(1 << 60) },
		"no caveat":               func(d *v0.Draft) { d.Caps[0].Caveats = nil },
		"a caveat that is nil":    func(d *v0.Draft) { d.Caps[0].Caveats = []map[string]any{nil} },
		"the same right twice":    func(d *v0.Draft) { d.Caps = append(d.Caps, d.Caps[0]) },
		"a resource of no scheme": func(d *v0.Draft) { d.Caps[0].With = "a" },
		"no ability":              func(d *v0.Draft) { d.Caps[0].Can = "" },
		"a proof that is none":    func(d *v0.Draft) { d.Proofs = []string{"x"} },
		"nine proofs":             func(d *v0.Draft) { d.Proofs = strings.Fields(strings.Repeat(anyCID+" ", 9)) },
		"facts that are no JSON":  func(d *v0.Draft) { d.Facts = m{"f": func() {}} },
		"facts that are no text":  func(d *v0.Draft) { d.Facts = m{"f": "\xff"} },
		"a fact's name":           func(d *v0.Draft) { d.Facts = m{"\xff": 1} },
		"facts too deep": func(d *v0.Draft) {
			var v any
			for range 40 {
				v = list(v)
			}
			d.Facts = m{"f": v}
		},
		"too long": func(d *v0.Draft) { d.Nonce = strings.Repeat("n", v0.MaxToken) },
	} {
		d := good()
		change(&d)
		if raw, err := v0.Build(d, root, nil); !errors.Is(err, v0.ErrDraft) || raw != "" {
			t.Errorf("%s: %q, %v", name, raw, err)
		}
	}
	if _, err := v0.Build(good(), root, nil); err != nil {
		t.Error(err)
	}
}
