// Package jws is the little of JSON Web Signatures (RFC 7515) that passports and
// agent cards take: EdDSA with Ed25519 keys, one signature, a header of known
// members.
//
// A header never says which key to trust: kid is a name that the caller looks
// up, and keys that a header carries or points to are refused or ignored. Base64
// is url-safe, unpadded and in its one spelling.
package jws

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// Header is the protected header. Alg is always "EdDSA" and written by Sign.
type Header struct {
	Alg string `json:"alg"`
	Cty string `json:"cty,omitempty"`
	Iss string `json:"iss,omitempty"`
	Jku string `json:"jku,omitempty"` // read, never followed
	Kid string `json:"kid,omitempty"`
	Typ string `json:"typ,omitempty"`
}

// Alg is the one algorithm.
const Alg = "EdDSA"

// maxHeader bounds a header, in bytes of base64url.
const maxHeader = 4 << 10

// Errors of this package.
var (
	ErrSyntax    = errors.New("not a JWS of this kind")
	ErrSignature = errors.New("signature does not fit")
)

// Sign signs a payload and returns the protected header and the signature as
// they are written.
func Sign(h Header, payload []byte, signer keys.Signer) (protected, signature string, err error) {
	h.Alg = Alg
	head, err := jcs.Marshal(h)
	if err != nil {
		return "", "", fmt.Errorf("%w: header: %w", ErrSyntax, err)
	}
	protected = base64.RawURLEncoding.EncodeToString(head)
	sig := signer.Sign(input(protected, payload))
	return protected, base64.RawURLEncoding.EncodeToString(sig[:]), nil
}

// ParseHeader reads a protected header strictly: another algorithm, a member
// that is not one of Header's (crit, jwk, x5u, b64 …) is ErrSyntax.
func ParseHeader(protected string) (Header, error) {
	if len(protected) > maxHeader {
		return Header{}, fmt.Errorf("%w: header of %d characters", ErrSyntax, len(protected))
	}
	head, err := decode(protected)
	if err != nil {
		return Header{}, err
	}
	var h Header
	if err := jcs.Unmarshal(head, maxHeader, &h); err != nil {
		return Header{}, fmt.Errorf("%w: header: %w", ErrSyntax, err)
	}
	if h.Alg != Alg {
		return Header{}, fmt.Errorf("%w: algorithm %.20q", ErrSyntax, h.Alg)
	}
	return h, nil
}

// Verify returns nil when signature is the key's over the header and payload.
func Verify(protected string, payload []byte, signature string, key did.Key) error {
	sig, err := decode(signature)
	if err != nil {
		return err
	}
	if !keys.Verify(key, input(protected, payload), sig) {
		return ErrSignature
	}
	return nil
}

// input is the JWS signing input.
func input(protected string, payload []byte) []byte {
	b := make([]byte, 0, len(protected)+1+base64.RawURLEncoding.EncodedLen(len(payload)))
	b = append(b, protected...)
	b = append(b, '.')
	return base64.RawURLEncoding.AppendEncode(b, payload)
}

// Compact signs a payload into one text, header.payload.signature.
func Compact(h Header, payload []byte, signer keys.Signer) (string, error) {
	protected, signature, err := Sign(h, payload, signer)
	if err != nil {
		return "", err
	}
	return protected + "." + base64.RawURLEncoding.EncodeToString(payload) + "." + signature, nil
}

// Token is a compact JWS that was read and not verified.
type Token struct {
	Header    Header
	Payload   []byte
	protected string
	signature string
}

// Parse reads a compact JWS of at most limit bytes.
func Parse(compact string, limit int) (Token, error) {
	if len(compact) > limit {
		return Token{}, fmt.Errorf("%w: %d characters, at most %d", ErrSyntax, len(compact), limit)
	}
	parts := strings.Split(compact, ".")
	if len(parts) != 3 {
		return Token{}, fmt.Errorf("%w: %d parts, want 3", ErrSyntax, len(parts))
	}
	h, err := ParseHeader(parts[0])
	if err != nil {
		return Token{}, err
	}
	payload, err := decode(parts[1])
	if err != nil {
		return Token{}, err
	}
	return Token{h, payload, parts[0], parts[2]}, nil
}

// Verify returns nil when the token is signed by the key.
func (t Token) Verify(key did.Key) error { return Verify(t.protected, t.Payload, t.signature, key) }

func decode(s string) ([]byte, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || base64.RawURLEncoding.EncodeToString(b) != s { // the decoder skips line ends and stray bits
		return nil, fmt.Errorf("%w: want unpadded base64url", ErrSyntax)
	}
	return b, nil
}
