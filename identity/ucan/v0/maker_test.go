package v0_test

import (
	"encoding/base64"
	"testing"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// The parties of these tests.
var (
	root   = who(1)
	bob    = who(2)
	carol  = who(3)
	dan    = who(4)
	friend = who(5)
)

func who(n byte) *keys.Private { return keys.FromSeed([keys.SeedSize]byte{n}) }

const page = "mesh://6e6574/guild/x"

func at(seconds int64) *int64 { return &seconds }

func right(with, can string, caveats ...map[string]any) v0.Cap {
	if len(caveats) == 0 {
		caveats = []map[string]any{{}}
	}
	return v0.Cap{With: with, Can: can, Caveats: caveats}
}

// give builds a token from one to another.
func give(t testing.TB, from, to *keys.Private, d v0.Draft) string {
	t.Helper()
	d.Audience = to.Key().String()
	raw, err := v0.Build(d, from, nil)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// rights is a draft with capabilities and proofs.
func rights(caps []v0.Cap, proofs ...string) v0.Draft { return v0.Draft{Caps: caps, Proofs: proofs} }

// handSigned is a token of any header and payload, signed.
func handSigned(by *keys.Private, header, payload string) string {
	signed := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload))
	sig := by.Sign([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(sig[:])
}

const jwtHeader = `{"alg":"EdDSA","typ":"JWT"}`

// bag stores tokens as proofs.
func bag(raws ...string) v0.Proofs {
	p := v0.Proofs{}
	for _, r := range raws {
		p.Add(r)
	}
	return p
}

// ownedBy is an owner predicate for one party.
func ownedBy(owner *keys.Private) func(did.DID, string) bool {
	return func(d did.DID, _ string) bool { return d == did.OfKey(owner.Key()) }
}

// verify checks a token with proofs at now.
func verify(raw string, proofs ...string) v0.Result {
	return v0.Verify(raw, v0.Check{Now: now, Proofs: bag(proofs...).Find})
}

func codes(r v0.Result) string {
	s := ""
	for _, f := range r.Findings {
		if s != "" {
			s += " "
		}
		s += string(f.Code)
		if f.Why != "" {
			s += "/" + string(f.Why)
		}
	}
	return s
}
