package keys

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cloudflare/circl/sign/mldsa/mldsa65"

	"github.com/meshd/meshd/identity/did"
)

// HybridKey is the public half of a hybrid key: an Ed25519 key and an ML-DSA-65
// public key of PQKeySize bytes. The DID is that of the Ed25519 key alone.
type HybridKey struct {
	Key did.Key
	PQ  []byte
}

// Names of what a key signs with, as people read them.
const (
	SchemeEd25519 = "ed25519"
	SchemeHybrid  = "ed25519+ml-dsa-65" // both signatures, and both must verify
)

// SchemeOf names what signs with an Ed25519 key with this ML-DSA-65 half, nil for
// none.
func SchemeOf(pq []byte) string {
	if pq == nil {
		return SchemeEd25519
	}
	return SchemeHybrid
}

// ErrHybrid says that a hybrid message cannot be made: the purpose is empty or
// over 255 bytes, or the ML-DSA-65 key has another length.
var ErrHybrid = errors.New("purpose or key is not fit for a hybrid signature")

// hybridDomain separates hybrid messages from everything else that is signed.
const hybridDomain = "mesh-hybrid-v1\x00"

// HybridMessage is the one message that both signatures of a hybrid cover:
//
//	"mesh-hybrid-v1\0" ‖ len8(purpose) ‖ purpose ‖ SHA-256(payload) ‖ SHA-256(ed ‖ pq)
//
// where ed is the raw 32-byte public key. The hash of both keys stops anyone
// from stripping one signature or pairing it with another key; the purpose stops
// its use in another place.
func HybridMessage(purpose string, payload []byte, key HybridKey) ([]byte, error) {
	if len(purpose) == 0 || len(purpose) > 255 || len(key.PQ) != PQKeySize {
		return nil, ErrHybrid
	}
	body := sha256.Sum256(payload)
	both := sha256.New()
	both.Write(key.Key[2:])
	both.Write(key.PQ)

	msg := make([]byte, 0, len(hybridDomain)+1+len(purpose)+2*sha256.Size)
	msg = append(msg, hybridDomain...)
	msg = append(msg, byte(len(purpose)))
	msg = append(msg, purpose...)
	msg = append(msg, body[:]...)
	return both.Sum(msg), nil
}

// VerifyHybrid reports whether sig and sig2 are the Ed25519 and the ML-DSA-65
// signature of payload for this purpose. Both are required; one alone, or the
// two of different keys, is refused. Safe for concurrent use.
func VerifyHybrid(key HybridKey, purpose string, payload, sig, sig2 []byte) bool {
	msg, err := HybridMessage(purpose, payload, key)
	if err != nil || len(sig2) != PQSignatureSize {
		return false
	}
	if !Verify(key.Key, msg, sig) {
		return false
	}
	var pub mldsa65.PublicKey
	pub.Unpack((*[PQKeySize]byte)(key.PQ))
	return mldsa65.Verify(&pub, msg, nil, sig2)
}

// HybridSigner has both halves of a hybrid key. It is immutable and safe for
// concurrent use.
type HybridSigner struct {
	ed Signer
	pq *mldsa65.PrivateKey
	pk []byte
}

// NewHybridSigner joins an Ed25519 signer and the ML-DSA-65 key of a 32-byte
// seed (FIPS 204 key generation). The same seed gives the same key.
func NewHybridSigner(ed Signer, seed [SeedSize]byte) *HybridSigner {
	pub, secret := mldsa65.NewKeyFromSeed(&seed)
	return &HybridSigner{ed: ed, pq: secret, pk: pub.Bytes()}
}

// PQPublic is the ML-DSA-65 public key of a seed, PQKeySize bytes.
func PQPublic(seed [SeedSize]byte) []byte {
	pub, _ := mldsa65.NewKeyFromSeed(&seed)
	return pub.Bytes()
}

// Key is the public half; PQ is a copy.
func (h *HybridSigner) Key() HybridKey {
	return HybridKey{Key: h.ed.Key(), PQ: append([]byte(nil), h.pk...)}
}

// Sign signs payload for a purpose with both keys. Both signatures are
// deterministic. It returns ErrHybrid for a purpose that is empty or too long.
func (h *HybridSigner) Sign(purpose string, payload []byte) (sig [SignatureSize]byte, sig2 []byte, err error) {
	msg, err := HybridMessage(purpose, payload, HybridKey{Key: h.ed.Key(), PQ: h.pk})
	if err != nil {
		return sig, nil, err
	}
	sig2 = make([]byte, PQSignatureSize)
	if err := mldsa65.SignTo(h.pq, msg, nil, false, sig2); err != nil {
		return sig, nil, fmt.Errorf("sign with ML-DSA-65: %w", err)
	}
	return h.ed.Sign(msg), sig2, nil
}

// Format prints the public key only, whatever the verb.
func (h HybridSigner) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "hybrid key of %s [redacted]", h.ed.Key())
}

// LogValue keeps the secret out of structured logs.
func (h HybridSigner) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(h)) }
