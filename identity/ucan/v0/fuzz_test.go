package v0_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan/v0"
)

// The seeds of the fuzz targets stand in testdata/fuzz: what was built here, and
// what once went wrong.

// What parses has one text and a meaning that can be built again; what does not
// parse grants nothing.
func FuzzParse(f *testing.F) {
	f.Add(handSigned(root, jwtHeader, payload()))
	f.Fuzz(func(t *testing.T, raw string) {
		tok, found := v0.Parse(raw)
		if (tok == nil) == (len(found) == 0) {
			t.Fatalf("token %v, findings %v", tok, found)
		}
		r := v0.Verify(raw, v0.Check{Now: now})
		if tok == nil {
			if r.Valid() || len(r.Authorities) > 0 {
				t.Fatal("granted what cannot be read")
			}
			return
		}
		if len(tok.Proofs) > v0.MaxProofs || len(raw) > v0.MaxToken || tok.Raw != raw || strings.Contains(tok.Issuer, "#") {
			t.Fatalf("%+v", tok)
		}
		if r.Valid() != (len(r.Findings) == 0) || !r.Valid() && len(r.Authorities) > 0 {
			t.Fatalf("%+v", r)
		}
	})
}

// A payload of any kind, soundly signed: the checks behind the signature.
func FuzzVerifySigned(f *testing.F) {
	f.Add(payload())
	f.Add(payload("cap", capOf("ucan:*", `{"ucan/*":[{}]}`), "prf", `["`+anyCID+`"]`))
	proof := handSigned(bob, jwtHeader, payload("iss", `"`+bob.Key().String()+`"`, "aud", `"`+root.Key().String()+`"`,
		"cap", capOf(page, `{"doc/*":[{"t":["a","b"]},{"x":"1"}]}`)))
	proofs := bag(proof)
	for cid := range proofs {
		f.Add(payload("cap", capOf(page, `{"doc/edit":[{"t":["a"]}]}`), "prf", `["`+cid+`"]`))
		f.Add(payload("cap", capOf("ucan:"+cid, `{"ucan/*":[{}]}`), "prf", `["`+cid+`"]`))
	}
	f.Fuzz(func(t *testing.T, body string) {
		raw := handSigned(root, jwtHeader, body)
		check := v0.Check{Now: now, Proofs: proofs.Find, Owner: ownedBy(bob)}
		r := v0.Verify(raw, check)
		for _, a := range r.Authorities {
			if len(a.Constraints) == 0 || len(a.Chain) == 0 || !r.Valid() {
				t.Fatalf("%+v", a)
			}
			// Nothing but bob's page can come out of bob's rights.
			if !strings.HasPrefix(a.Resource, page) && !strings.HasPrefix(a.Resource, "ucan:") {
				t.Fatalf("granted %+v", a)
			}
		}
		if tok, _ := v0.Parse(raw); tok != nil {
			if again := tok.Verify(check); codes(again) != codes(r) {
				t.Fatalf("%s, then %s", codes(r), codes(again))
			}
		}
	})
}

// What is read is written so that it is read the same.
func FuzzCollection(f *testing.F) {
	f.Add([]byte(`{"/":"a.b.c"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := v0.ParseCollection(data)
		if err != nil {
			return
		}
		out, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := v0.ParseCollection(out)
		if err != nil || again.Root != c.Root || len(again.Proofs) != len(c.Proofs) {
			t.Fatalf("%v, %+v", err, again)
		}
	})
}

// What is read can be written as a header that is read the same.
func FuzzUcansHeader(f *testing.F) {
	f.Add("a.b.c, d.e.f")
	f.Add(" ,\t,a.b.c")
	f.Fuzz(func(t *testing.T, value string) {
		p, err := v0.ParseUcansHeader(value)
		if err != nil {
			return
		}
		again, err := v0.ParseUcansHeader(v0.UcansHeader(p))
		if err != nil || len(again) != len(p) {
			t.Fatalf("%v: %d of %d", err, len(again), len(p))
		}
	})
}
