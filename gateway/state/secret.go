package state

import (
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
// The zero Secret holds no key.
type Secret struct{ text *string }

// ParseSecret reads an API key: mesh_sk_ and 43 characters of base64url for 32
// bytes, in their one canonical form. Anything else is invalid_token. The
// refusal does not repeat the text.
func ParseSecret(text string) (Secret, error) {
	if len(text) != SecretLen || text[:len(SecretPrefix)] != SecretPrefix {
		return Secret{}, reason.Refuse(reason.InvalidToken, "the credential is not an API key of this network")
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text[len(SecretPrefix):])
	if err != nil || len(raw) != secretSize {
		return Secret{}, reason.Refuse(reason.InvalidToken, "the API key is mistyped")
	}
	return Secret{&text}, nil
}

// newSecret encodes random bytes.
func newSecret(raw [secretSize]byte) Secret {
	text := SecretPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
	return Secret{&text}
}

// Reveal returns the key itself, "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// prefix is the part of the key that its record shows: the first 8 characters
// after mesh_sk_. They leave 208 unknown bits.
func (s Secret) prefix() string {
	return s.Reveal()[len(SecretPrefix) : len(SecretPrefix)+8]
}

// String redacts.
func (Secret) String() string { return redacted }

// MarshalText redacts.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
