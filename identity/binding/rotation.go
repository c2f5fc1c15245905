package binding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/wallet/siwe"
)

// rotateScheme begins the line that consents to a rotation.
const rotateScheme = "mesh:rotate:"

// RotationLine is the line that the old key or a controller signs to consent to
// a rotation: "mesh:rotate:" and the hex of
//
//	SHA-256("mesh-rotate-v1\0" ‖ network ‖ agent ‖ old ‖ next ‖ SHA-256(body))
//
// where agent is the 32-byte agent id, keys have 34 bytes, and body is the
// canonical body of the rotation without its by.
func RotationLine(network [16]byte, agent [32]byte, old, next did.Key, body []byte) string {
	inner := sha256.Sum256(body)
	h := sha256.New()
	h.Write([]byte("mesh-rotate-v1\x00"))
	h.Write(network[:])
	h.Write(agent[:])
	h.Write(old[:])
	h.Write(next[:])
	h.Write(inner[:])
	return rotateScheme + hex.EncodeToString(h.Sum(nil))
}

// Consent is the by of a rotation: who agrees, and the signature that says so.
type Consent struct {
	Alg  string
	Key  string // the DID of the one who agrees
	Sig  []byte
	Text string
}

// Verify checks that c is a consent to line and returns who gave it; which rank
// that has is the caller's to say. The text is the line itself, or for a sign-in
// text its only resource of that scheme. The error wraps ErrMalformed,
// ErrMismatch or ErrSignature.
func (c Consent) Verify(line string) (did.DID, error) {
	by, err := did.ParseController(c.Key)
	if err != nil {
		return did.DID{}, fmt.Errorf("%w: key: %w", ErrMalformed, err)
	}
	if c.Alg == AlgSIWE {
		m, err := siwe.Parse(c.Text)
		if err != nil {
			return did.DID{}, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		if !namesOnly(m.Resources, rotateScheme, line) {
			return did.DID{}, fmt.Errorf("%w: the resources do not name this rotation alone", ErrMismatch)
		}
	} else if c.Text != line {
		return did.DID{}, fmt.Errorf("%w: another rotation", ErrMismatch)
	}
	if err := VerifyText(c.Alg, by, c.Text, c.Sig); err != nil {
		return did.DID{}, err
	}
	return by, nil
}
