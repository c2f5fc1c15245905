package state

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/meshd/meshd/gateway/state/uuid"
)

// sealer encrypts replies that carry an API key, with AES-256-GCM under a key
// derived from the pepper. A copy of the database alone then shows no key.
// Random nonces of 96 bits are safe here: a node stores a few million such
// replies in its life, far below 2^32.
type sealer struct{ aead cipher.AEAD }

func newSealer(pepper []byte) (*sealer, error) {
	key, err := hkdf.Key(sha256.New, pepper, nil, "meshd sealed reply v1", 32)
	if err != nil {
		return nil, fmt.Errorf("derive sealing key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return &sealer{aead}, nil
}

// seal returns nonce and ciphertext. Bound must be given again to open.
func (s *sealer) seal(plain, bound []byte, g *uuid.Source) ([]byte, error) {
	nonce := make([]byte, s.aead.NonceSize(), s.aead.NonceSize()+len(plain)+s.aead.Overhead())
	if err := g.Read(nonce); err != nil {
		return nil, err
	}
	return s.aead.Seal(nonce, nonce, plain, bound), nil
}

func (s *sealer) open(sealed, bound []byte) ([]byte, error) {
	n := s.aead.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("sealed reply is cut short")
	}
	plain, err := s.aead.Open(nil, sealed[:n], sealed[n:], bound)
	if err != nil {
		return nil, fmt.Errorf("open sealed reply: %w", err)
	}
	return plain, nil
}

// Decoy returns 32 bytes that belong to a subject and reveal nothing about it: the
// same for the same subject as long as the pepper is, and random to whoever does
// not have that. The gateway puts a key made of them where a subject without an agent
// has none, so that its answers do not reveal which subjects have one.
func (db *base) Decoy(subject string) [32]byte {
	mac := hmac.New(sha256.New, db.pepper[:])
	mac.Write([]byte("meshd decoy\x00"))
	mac.Write([]byte(subject))
	return [32]byte(mac.Sum(nil))
}
