package binding

import (
	"testing"

	"github.com/meshd/meshd/identity/did"
)

// FuzzConsentVerify: what passes names its signer and consents to one line only.
func FuzzConsentVerify(f *testing.F) {
	k := signer(0x22)
	agent := [32]byte{1}
	line := RotationLine(builtIn, agent, signer(1).Key(), signer(2).Key(), nil)
	other := RotationLine(builtIn, agent, signer(1).Key(), signer(3).Key(), nil)
	p := byKey(k, line)
	f.Add(p.Alg, p.By, p.Sig, p.Text)
	f.Add(AlgEIP191, "did:pkh:eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", make([]byte, 65), line)
	f.Add(AlgSIWE, "did:pkh:eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", make([]byte, 65), "a wants")
	f.Fuzz(func(t *testing.T, alg, key string, sig []byte, text string) {
		c := Consent{alg, key, sig, text}
		by, err := c.Verify(line)
		if (err == nil) == (by == did.DID{}) {
			t.Fatalf("%+v gives %v, %v", c, by, err)
		}
		if err != nil {
			return
		}
		if by.String() != key {
			t.Fatalf("%+v is said to be by %v", c, by)
		}
		if _, err := c.Verify(other); err == nil {
			t.Fatalf("%+v consents to two rotations", c)
		}
	})
}
