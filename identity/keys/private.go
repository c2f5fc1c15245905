// Package keys signs and verifies: Ed25519 by the ZIP-215 rules, alone and in
// batches, and the hybrid of Ed25519 and ML-DSA-65 of which both halves are
// required.
//
// Start with Generate or FromSeed to sign, with Verify or a Batch to check. One
// library answers every Ed25519 question here, so that a signature is good for
// every node or for none, alone or in a batch; never verify a mesh signature
// with another one (crypto/ed25519 judges edge cases differently).
//
// Nothing here keeps a file, reads a clock or logs. Secrets print as
// "[redacted]" under every format verb.
package keys

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"log/slog"

	"github.com/meshd/meshd/identity/did"
)

// Signer signs with one Ed25519 key that it may not reveal. Implementations are
// safe for concurrent use and do not retain msg.
type Signer interface {
	Key() did.Key
	Sign(msg []byte) [SignatureSize]byte
}

// Private is an Ed25519 key pair in memory. It is immutable.
type Private struct {
	secret ed25519.PrivateKey
	key    did.Key
}

var _ Signer = (*Private)(nil)

// Generate makes a key of 32 bytes read from rand.
func Generate(rand io.Reader) (*Private, error) {
	var seed [SeedSize]byte
	if _, err := io.ReadFull(rand, seed[:]); err != nil {
		return nil, fmt.Errorf("read randomness: %w", err)
	}
	return FromSeed(seed), nil
}

// FromSeed makes the key of an RFC 8032 seed. The same seed gives the same key.
func FromSeed(seed [SeedSize]byte) *Private {
	secret := ed25519.NewKeyFromSeed(seed[:])
	key, err := did.KeyFromPublic(secret.Public().(ed25519.PublicKey))
	if err != nil {
		// The public key is a clamped scalar times the base point: canonical
		// and of the large order for every seed.
		panic("keys: seed gave a weak key")
	}
	return &Private{secret: secret, key: key}
}

// Key is the public key.
func (p *Private) Key() did.Key { return p.key }

// Sign signs msg by RFC 8032; the same msg gives the same signature.
func (p *Private) Sign(msg []byte) [SignatureSize]byte {
	return [SignatureSize]byte(ed25519.Sign(p.secret, msg))
}

// Seed is the secret, for storing it sealed.
func (p *Private) Seed() [SeedSize]byte { return [SeedSize]byte(p.secret.Seed()) }

// Format prints the public key only, whatever the verb.
func (p Private) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "private key of %s [redacted]", p.key) }

// LogValue keeps the secret out of structured logs.
func (p Private) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(p)) }
