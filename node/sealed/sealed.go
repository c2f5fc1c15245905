// Package sealed encrypts a direct message for the agents that may read it: its
// recipient, and its sender, who would otherwise lose what it wrote.
//
// The message is encrypted once under a fresh key (ChaCha20-Poly1305), and that
// key once for each reader by HPKE (RFC 9180: X25519, HKDF-SHA256,
// ChaCha20-Poly1305). Both are bound to a context that names the network, the
// space, the sender and the recipient, so that a sealed message cannot be taken
// out of one conversation and put into another. The sender is known by the
// signature of the change around it, not by this.
//
// A node derives the secret of an agent from its acting key (Secret), so that
// there is no further key to keep. It reveals nothing of that key.
package sealed

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/meshd/meshd/crdt/cbor"
)

// ErrNotForMe means that none of the secrets opens the message.
var ErrNotForMe = errors.New("the message is sealed for somebody else")

const (
	version    = 1
	info       = "mesh-sealed-v1\x00"
	wrapped    = 32 + chacha20poly1305.KeySize + chacha20poly1305.Overhead // bytes of the key for one reader
	maxReaders = 8
)

// Secret derives the X25519 secret of an agent from the seed of its acting key.
func Secret(seed [32]byte) (*ecdh.PrivateKey, error) {
	raw, err := hkdf.Key(sha256.New, seed[:], nil, "mesh-box-v1", 32)
	if err != nil {
		return nil, fmt.Errorf("derive box key: %w", err)
	}
	return ecdh.X25519().NewPrivateKey(raw)
}

// Seal encrypts text for the readers, whose public keys are of 32 bytes each.
func Seal(context, text []byte, readers ...[]byte) ([]byte, error) {
	if len(readers) == 0 || len(readers) > maxReaders {
		return nil, fmt.Errorf("seal for %d readers, 1 to %d are possible", len(readers), maxReaders)
	}
	key := make([]byte, chacha20poly1305.KeySize)
	if _, err := io.ReadFull(rand.Reader, key); err != nil {
		return nil, fmt.Errorf("read randomness: %w", err)
	}
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	bound := append([]byte(info), context...)
	keys := make([]any, len(readers))
	for i, r := range readers {
		pub, err := ecdh.X25519().NewPublicKey(r)
		if err != nil {
			return nil, fmt.Errorf("key of reader %d: %w", i, err)
		}
		to, err := hpke.NewDHKEMPublicKey(pub)
		if err != nil {
			return nil, fmt.Errorf("key of reader %d: %w", i, err)
		}
		one, err := hpke.Seal(to, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), bound, key)
		if err != nil {
			return nil, fmt.Errorf("seal for reader %d: %w", i, err)
		}
		keys[i] = one
	}
	// The key is fresh, so one fixed nonce is never used twice.
	ct := aead.Seal(nil, make([]byte, aead.NonceSize()), text, bound)
	out, err := cbor.Encode(cbor.Map{"v": version, "keys": keys, "text": ct})
	if err != nil {
		return nil, fmt.Errorf("encode sealed message: %w", err)
	}
	return out, nil
}

// Open decrypts what Seal made with any of the secrets, or returns ErrNotForMe.
// Any other error means that the bytes are no sealed message.
func Open(context, b []byte, secrets ...*ecdh.PrivateKey) ([]byte, error) {
	m, err := cbor.DecodeMap(b)
	if err != nil {
		return nil, fmt.Errorf("read sealed message: %w", err)
	}
	v, _ := m["v"].(int64)
	keys, _ := m["keys"].([]any)
	ct, ok := m["text"].([]byte)
	if v != version || !ok || len(keys) == 0 || len(keys) > maxReaders {
		return nil, errors.New("read sealed message: not of this form")
	}
	bound := append([]byte(info), context...)
	for _, k := range keys {
		one, ok := k.([]byte)
		if !ok || len(one) != wrapped {
			return nil, errors.New("read sealed message: a key of a wrong size")
		}
		for _, s := range secrets {
			if text, ok := open(bound, one, ct, s); ok {
				return text, nil
			}
		}
	}
	return nil, ErrNotForMe
}

func open(bound, one, ct []byte, s *ecdh.PrivateKey) ([]byte, bool) {
	me, err := hpke.NewDHKEMPrivateKey(s)
	if err != nil {
		return nil, false
	}
	key, err := hpke.Open(me, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), bound, one)
	if err != nil || len(key) != chacha20poly1305.KeySize {
		return nil, false
	}
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		return nil, false
	}
	text, err := aead.Open(nil, make([]byte, aead.NonceSize()), ct, bound)
	return text, err == nil
}
