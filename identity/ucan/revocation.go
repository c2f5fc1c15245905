package ucan

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// Errors of revocations, wrapped with the particulars.
var (
	ErrRevocation = errors.New("not a revocation")
	ErrChallenge  = errors.New("revocation is not signed by its issuer")
)

// Revoked answers whether a token, by its canonical content id, is revoked.
// Verifiers take one; what it knows never shrinks.
type Revoked func(cid string) bool

// Revocation takes a token back for good (UCAN 0.10 §6.6). It is made by Revoke
// or ParseRevocation and has then been verified; the zero Revocation is none.
type Revocation struct {
	issuer, revoke, challenge string
}

// Issuer is the DID that revokes.
func (r Revocation) Issuer() string { return r.issuer }

// Token is the canonical content id of the token that ends.
func (r Revocation) Token() string { return r.revoke }

// Revoke signs the revocation of the token with a canonical content id, ErrCID
// for another text. Whether the signer may is asked of AllowedBy.
func Revoke(s keys.Signer, cid string) (Revocation, error) {
	if err := CheckCanonical(cid); err != nil {
		return Revocation{}, err
	}
	sig := s.Sign(challengeText(cid))
	return Revocation{s.Key().String(), cid, base64.RawURLEncoding.EncodeToString(sig[:])}, nil
}

func challengeText(cid string) []byte { return []byte("REVOKE:" + cid) }

// ParseRevocation reads and verifies {"iss", "revoke", "challenge"}. The
// signature may be in the standard or the url alphabet, with or without padding.
// It returns ErrRevocation for another form or more than MaxRevocation bytes,
// and ErrChallenge when the signature is not that of the issuer.
func ParseRevocation(data []byte) (Revocation, error) {
	if len(data) > MaxRevocation {
		return Revocation{}, fmt.Errorf("%w: %d bytes", ErrRevocation, len(data))
	}
	o, err := strictjson.Object(data)
	if err != nil {
		return Revocation{}, fmt.Errorf("%w: %w", ErrRevocation, err)
	}
	iss, a := o["iss"].(string)
	cid, b := o["revoke"].(string)
	challenge, c := o["challenge"].(string)
	if !a || !b || !c || len(o) != 3 {
		return Revocation{}, fmt.Errorf("%w: want the texts iss, revoke and challenge", ErrRevocation)
	}
	if err := CheckCanonical(cid); err != nil {
		return Revocation{}, fmt.Errorf("%w: %w", ErrRevocation, err)
	}
	sig, err := decodeEither(challenge)
	if err != nil {
		return Revocation{}, fmt.Errorf("%w: %w", ErrRevocation, err)
	}
	iss, _, _ = strings.Cut(iss, "#")
	if !signedBy(iss, challengeText(cid), sig) {
		return Revocation{}, ErrChallenge
	}
	return Revocation{iss, cid, base64.RawURLEncoding.EncodeToString(sig)}, nil
}

// decodeEither reads base64 in either alphabet, padded or not, and nothing
// between: no line ends, no mix of alphabets, no stray bits.
func decodeEither(s string) ([]byte, error) {
	bare := strings.TrimRight(s, "=")
	padding := len(s) - len(bare)
	if padding != 0 && (padding > 2 || len(s)%4 != 0) || strings.ContainsAny(bare, "\r\n") {
		return nil, errors.New("bad base64")
	}
	if strings.ContainsAny(bare, "+/") {
		return base64.RawStdEncoding.Strict().DecodeString(bare)
	}
	return base64.RawURLEncoding.Strict().DecodeString(bare)
}

// MarshalJSON writes the wire form, the signature in the url alphabet without
// padding. The zero Revocation is an error.
func (r Revocation) MarshalJSON() ([]byte, error) {
	if r == (Revocation{}) {
		return nil, ErrRevocation
	}
	return json.Marshal(map[string]string{"iss": r.issuer, "revoke": r.revoke, "challenge": r.challenge})
}

// AllowedBy reports whether the issuer of r is among the issuers of the token
// it names and of the proofs that token rests on: each of them may revoke it.
func (r Revocation) AllowedBy(issuers []string) bool {
	return r.issuer != "" && slices.Contains(issuers, r.issuer)
}
