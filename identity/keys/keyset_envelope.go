package keys

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/meshd/meshd/identity/jcs"
)

// Names of the two algorithms as they stand in an envelope (JOSE).
const (
	AlgEd25519 = "Ed25519"
	AlgMLDSA65 = "ML-DSA-65"
)

// Errors of hybrid envelopes and key sets, wrapped with what was found.
var (
	ErrEnvelope   = errors.New("not the two signatures of a hybrid key")
	ErrKeyUnknown = errors.New("no key of that id in the set")
	ErrKeyTime    = errors.New("key is not valid at that position")
	ErrSignature  = errors.New("signature does not fit")
	ErrKeySet     = errors.New("not a sound key set")
	ErrRollback   = errors.New("key set does not continue the known one")
)

// KeyID names a hybrid key: base64url of SHA-256(ed ‖ pq), 43 characters.
type KeyID string

// ID is the name of the key in envelopes.
func (k HybridKey) ID() KeyID {
	both := sha256.New()
	both.Write(k.Key[2:])
	both.Write(k.PQ)
	return KeyID(base64.RawURLEncoding.EncodeToString(both.Sum(nil)))
}

// Equal reports whether both halves are the same.
func (k HybridKey) Equal(other HybridKey) bool {
	return k.Key == other.Key && string(k.PQ) == string(other.PQ)
}

// Signatures are the two signatures of one hybrid key over one message. As JSON
// they are a list of exactly two, Ed25519 first:
//
//	[{"alg":"Ed25519","kid":…,"sig":…},{"alg":"ML-DSA-65","kid":…,"sig":…}]
//
// with one kid and the signatures in unpadded base64url. One alone, one twice, a
// third, another order or two kids are ErrEnvelope.
type Signatures struct {
	Key     KeyID
	Ed25519 [SignatureSize]byte
	MLDSA65 []byte // PQSignatureSize bytes
}

// SignEnvelope signs payload for a purpose with both halves of the key.
func (h *HybridSigner) SignEnvelope(purpose string, payload []byte) (Signatures, error) {
	ed, pq, err := h.Sign(purpose, payload)
	if err != nil {
		return Signatures{}, err
	}
	return Signatures{Key: h.Key().ID(), Ed25519: ed, MLDSA65: pq}, nil
}

// check verifies both signatures under a key. It returns ErrKeyUnknown when they
// name another one.
func (s Signatures) check(key HybridKey, purpose string, payload []byte) error {
	if s.Key != key.ID() {
		return fmt.Errorf("%w: %.43q", ErrKeyUnknown, string(s.Key))
	}
	if !VerifyHybrid(key, purpose, payload, s.Ed25519[:], s.MLDSA65) {
		return ErrSignature
	}
	return nil
}

// signatureJSON is one element of the list.
type signatureJSON struct {
	Alg string `json:"alg"`
	Kid string `json:"kid"`
	Sig string `json:"sig"`
}

// MarshalJSON writes the list of two.
func (s Signatures) MarshalJSON() ([]byte, error) {
	if len(s.MLDSA65) != PQSignatureSize {
		return nil, fmt.Errorf("%w: ML-DSA-65 signature of %d bytes", ErrEnvelope, len(s.MLDSA65))
	}
	return json.Marshal([]signatureJSON{
		{AlgEd25519, string(s.Key), base64.RawURLEncoding.EncodeToString(s.Ed25519[:])},
		{AlgMLDSA65, string(s.Key), base64.RawURLEncoding.EncodeToString(s.MLDSA65)},
	})
}

// UnmarshalJSON reads the list of two and nothing else.
func (s *Signatures) UnmarshalJSON(data []byte) error {
	var list []signatureJSON
	if err := jcs.Unmarshal(data, maxEnvelope, &list); err != nil {
		return fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	if len(list) != 2 || list[0].Alg != AlgEd25519 || list[1].Alg != AlgMLDSA65 {
		return fmt.Errorf("%w: want %s and %s, once each", ErrEnvelope, AlgEd25519, AlgMLDSA65)
	}
	if list[0].Kid != list[1].Kid {
		return fmt.Errorf("%w: two key ids", ErrEnvelope)
	}
	kid, err := rawURL(list[0].Kid, sha256.Size)
	if err != nil {
		return err
	}
	ed, err := rawURL(list[0].Sig, SignatureSize)
	if err != nil {
		return err
	}
	pq, err := rawURL(list[1].Sig, PQSignatureSize)
	if err != nil {
		return err
	}
	*s = Signatures{KeyID(base64.RawURLEncoding.EncodeToString(kid)), [SignatureSize]byte(ed), pq}
	return nil
}

// rawURL decodes the one spelling of size bytes in unpadded base64url.
func rawURL(text string, size int) ([]byte, error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != size || base64.RawURLEncoding.EncodeToString(b) != text {
		return nil, fmt.Errorf("%w: want %d bytes in unpadded base64url", ErrEnvelope, size)
	}
	return b, nil
}
