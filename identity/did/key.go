// Package did reads and writes the decentralised identifiers meshd meets:
// did:key for agents and nodes' owners, did:pkh for wallets.
//
// A Key is the exact 34 bytes that stand in a change (wire §2). Parsing is
// strict: one text form per key, and keys that no honest program makes
// (non-canonical or of small order) are refused here, before any signature is
// looked at. The package is pure and safe for concurrent use.
package did

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"filippo.io/edwards25519"
	"github.com/mr-tron/base58"
)

// KeySize is the length of a Key in bytes: the multicodec prefix ed01 and a
// 32-byte Ed25519 public key.
const KeySize = 34

// Key is an Ed25519 public key in its multicodec form. Its text is
// "did:key:z6Mk…". The zero Key is not a valid key.
type Key [KeySize]byte

// Errors of this package. They are wrapped with what was found.
var (
	ErrSyntax  = errors.New("not a valid DID")
	ErrMethod  = errors.New("DID method or key type not supported")
	ErrWeakKey = errors.New("public key is non-canonical or of small order")
)

const keyPrefix = "did:key:z"

// KeyFromPublic makes a Key of a 32-byte Ed25519 public key. It returns
// ErrSyntax for another length and ErrWeakKey for a key that is non-canonical
// or of small order.
func KeyFromPublic(pub ed25519.PublicKey) (Key, error) {
	var k Key
	if len(pub) != ed25519.PublicKeySize {
		return k, fmt.Errorf("%w: public key of %d bytes", ErrSyntax, len(pub))
	}
	k[0], k[1] = 0xed, 0x01
	copy(k[2:], pub)
	return k, k.Check()
}

// KeyFromBytes makes a Key of its 34 bytes, with the checks of KeyFromPublic.
func KeyFromBytes(b []byte) (Key, error) {
	if len(b) != KeySize {
		return Key{}, fmt.Errorf("%w: key of %d bytes", ErrSyntax, len(b))
	}
	if b[0] != 0xed || b[1] != 0x01 {
		return Key{}, fmt.Errorf("%w: multicodec %02x%02x", ErrMethod, b[0], b[1])
	}
	return KeyFromPublic(b[2:])
}

// ParseKey reads the text form "did:key:z6Mk…". Only the canonical base58
// spelling of an Ed25519 key is accepted; a fragment is not.
func ParseKey(s string) (Key, error) {
	if len(s) <= len(keyPrefix) || s[:len(keyPrefix)] != keyPrefix {
		return Key{}, fmt.Errorf("%w: want did:key:z…", ErrSyntax)
	}
	if len(s) > 128 {
		return Key{}, fmt.Errorf("%w: too long", ErrSyntax)
	}
	b, err := base58.Decode(s[len(keyPrefix):])
	if err != nil {
		return Key{}, fmt.Errorf("%w: %v", ErrSyntax, err)
	}
	k, err := KeyFromBytes(b)
	if err != nil {
		return Key{}, err
	}
	if k.String() != s {
		return Key{}, fmt.Errorf("%w: not the canonical spelling", ErrSyntax)
	}
	return k, nil
}

// String is the did:key text of k.
func (k Key) String() string { return keyPrefix + base58.Encode(k[:]) }

// Public is the raw Ed25519 public key; the slice is a copy.
func (k Key) Public() ed25519.PublicKey { return append(ed25519.PublicKey(nil), k[2:]...) }

// IsZero reports whether k was never set.
func (k Key) IsZero() bool { return k == Key{} }

// Check returns ErrWeakKey when k is not the canonical encoding of a point or
// is a point of small order (ZIP-215 would accept such keys; wire §2 refuses
// them before any signature is verified).
func (k Key) Check() error {
	p, err := new(edwards25519.Point).SetBytes(k[2:])
	if err != nil {
		return fmt.Errorf("%w: not a point", ErrWeakKey)
	}
	if [32]byte(p.Bytes()) != [32]byte(k[2:]) {
		return fmt.Errorf("%w: not the canonical encoding", ErrWeakKey)
	}
	if new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 1 {
		return fmt.Errorf("%w: small order", ErrWeakKey)
	}
	return nil
}
