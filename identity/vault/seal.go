package vault

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/chacha20poly1305"
)

var errUnsealed = errors.New("does not open")

// seal encrypts secret under key with XChaCha20-Poly1305 and a random nonce,
// which comes first in the result. The clear parts are authenticated with it.
func seal(rand io.Reader, key, secret []byte, clear ...[]byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := io.ReadFull(rand, nonce); err != nil {
		return nil, fmt.Errorf("read randomness: %w", err)
	}
	return aead.Seal(nonce, nonce, secret, authenticated(clear)), nil
}

// unseal is the inverse of seal, with the same clear parts. Its error says
// nothing but that: the key, a clear part or the box is another one.
func unseal(key, box []byte, clear ...[]byte) ([secretSize]byte, error) {
	var secret [secretSize]byte
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return secret, err
	}
	if len(box) != aead.NonceSize()+secretSize+aead.Overhead() {
		return secret, errUnsealed
	}
	n := aead.NonceSize()
	if _, err := aead.Open(secret[:0], box[:n], box[n:], authenticated(clear)); err != nil {
		return [secretSize]byte{}, errUnsealed
	}
	return secret, nil
}

// authenticated joins parts unambiguously: each with its length before it.
func authenticated(parts [][]byte) []byte {
	out := []byte("mesh-vault-v1\x00")
	for _, p := range parts {
		out = binary.BigEndian.AppendUint32(out, uint32(len(p)))
		out = append(out, p...)
	}
	return out
}
