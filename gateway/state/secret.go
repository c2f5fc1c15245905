package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"

	"github.com/meshd/meshd/crdt/reason"
)

// SecretPrefix begins every API key.
const SecretPrefix = "mesh_sk_"

// SecretLen is the length of an API key in characters.
const SecretLen = len(SecretPrefix) + 43

const redacted = SecretPrefix + "[redacted]"

// Secret is an API key in the clear. Printed, logged or encoded it shows only
// that it is a key; Reveal gives the text. It keeps the text behind a pointer
// because package fmt prints unexported fields without asking their methods.
// The zero Secret has no key.
type Secret struct{ text *string }

// RandomSize is how many bytes of an API key are random: 224 bits.
const RandomSize = 28

// ParseSecret reads an API key: mesh_sk_ and 43 characters of base64url for 32
// bytes, in their one canonical form. The last 4 bytes are the first of the
// SHA-256 of mesh_sk_ and the 28 random bytes before them, so a mistyped key is
// refused without a look at the database, and a scanner for leaked secrets does
// not take other texts for keys. Anything else is invalid_token; the refusal does
// not repeat the text.
func ParseSecret(text string) (Secret, error) {
	if len(text) != SecretLen || text[:len(SecretPrefix)] != SecretPrefix {
		return Secret{}, reason.Refuse(reason.InvalidToken, "the credential is not an API key of this network")
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text[len(SecretPrefix):])
	if err != nil || len(raw) != RandomSize+checkSize || !bytes.Equal(checkOf(raw[:RandomSize]), raw[RandomSize:]) {
		return Secret{}, reason.Refuse(reason.InvalidToken, "the API key is mistyped")
	}
	return Secret{&text}, nil
}

// NewSecret is the API key of random bytes.
func NewSecret(random [RandomSize]byte) Secret {
	text := SecretPrefix + base64.RawURLEncoding.EncodeToString(append(random[:], checkOf(random[:])...))
	return Secret{&text}
}

func checkOf(random []byte) []byte {
	sum := sha256.Sum256(append([]byte(SecretPrefix), random...))
	return sum[:checkSize]
}

// Reveal returns the key itself, "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// prefix is the part of the key that its record shows: the first 8 characters
// after mesh_sk_. They leave 176 unknown bits.
func (s Secret) prefix() string {
	return s.Reveal()[len(SecretPrefix) : len(SecretPrefix)+8]
}

// String redacts.
func (Secret) String() string { return redacted }

// MarshalText redacts.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
