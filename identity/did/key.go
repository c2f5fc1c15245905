// Package did reads and writes the decentralised identifiers meshd meets:
// did:key for agents, devices and recovery keys, did:pkh for wallets.
//
// A Key is the exact 34 bytes that stand in a change. An Account is a wallet on
// one chain. A DID is either of them, which is what a controller may be. Start
// with ParseKey, ParseAccount or ParseController; parsing is strict, with one
// text form per identifier, so two equal identifiers have equal texts. Keys that
// no honest program makes (non-canonical or of small order) are refused here,
// before any signature is looked at. Do not compare DIDs as foreign text: parse
// first.
//
// All types are comparable values and safe for concurrent use.
package did

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"

	"filippo.io/edwards25519"
	"github.com/mr-tron/base58"
)

// Key is an Ed25519 public key in its multicodec form. Its text is
// "did:key:z6Mk…". The zero Key is not a valid key.
type Key [KeySize]byte

// Errors of this package. They are wrapped with what was found.
var (
	ErrSyntax  = errors.New("not a valid DID")
	ErrMethod  = errors.New("DID method or key type not supported")
	ErrWeakKey = errors.New("public key is non-canonical or of small order")
)

// The multicodec prefix of an Ed25519 public key, and of its base58 text.
const (
	codec0, codec1 = 0xed, 0x01

	keyPrefix = "did:key:z"
)

// KeyFromPublic makes a Key of a 32-byte Ed25519 public key. It returns
// ErrSyntax for another length and ErrWeakKey for a key that is no point,
// non-canonical or of small order.
func KeyFromPublic(pub ed25519.PublicKey) (Key, error) {
	if len(pub) != ed25519.PublicKeySize {
		return Key{}, fmt.Errorf("%w: public key of %d bytes", ErrSyntax, len(pub))
	}
	k := Key{codec0, codec1}
	copy(k[2:], pub)
	if err := k.Check(); err != nil {
		return Key{}, err
	}
	return k, nil
}

// KeyFromBytes makes a Key of its 34 bytes, with the checks of KeyFromPublic and
// ErrMethod for another multicodec. It does not retain b.
func KeyFromBytes(b []byte) (Key, error) {
	if len(b) >= 2 && (b[0] != codec0 || b[1] != codec1) {
		return Key{}, fmt.Errorf("%w: multicodec %02x%02x", ErrMethod, b[0], b[1])
	}
	if len(b) != KeySize {
		return Key{}, fmt.Errorf("%w: key of %d bytes", ErrSyntax, len(b))
	}
	k := Key(b)
	if err := k.Check(); err != nil {
		return Key{}, err
	}
	return k, nil
}

// ParseKey reads the text form "did:key:z6Mk…". Only the canonical base58
// spelling of an Ed25519 key is accepted; a fragment is not.
func ParseKey(s string) (Key, error) {
	if len(s) > maxText {
		return Key{}, fmt.Errorf("%w: too long", ErrSyntax)
	}
	if len(s) <= len(keyPrefix) || s[:len(keyPrefix)] != keyPrefix {
		return Key{}, fmt.Errorf("%w: want did:key:z…", ErrSyntax)
	}
	b, err := base58.Decode(s[len(keyPrefix):])
	if err != nil {
		return Key{}, fmt.Errorf("%w: %v", ErrSyntax, err)
	}
	k, err := KeyFromBytes(b)
	if err != nil {
		return Key{}, err
	}
	if k.String() != s { // what is one key must not rest on the decoder's strictness
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

// Check returns nil for a key that may sign. It returns ErrMethod when the
// multicodec is not that of Ed25519, and ErrWeakKey when the rest is not the
// canonical encoding of a point or a point of small order: ZIP-215 would verify
// signatures under such keys, among them one that fits every message.
//
// A Key made by this package passes; a Key made by conversion from foreign bytes
// must be checked before it is used.
func (k Key) Check() error {
	if k[0] != codec0 || k[1] != codec1 {
		return fmt.Errorf("%w: multicodec %02x%02x", ErrMethod, k[0], k[1])
	}
	y := [32]byte(k[2:])
	y[31] &= 0x7f // the sign of x does not matter for either rule below
	if !belowPrime(y) {
		return fmt.Errorf("%w: not the canonical encoding", ErrWeakKey)
	}
	if smallOrder[y] {
		return fmt.Errorf("%w: small order", ErrWeakKey)
	}
	if _, err := new(edwards25519.Point).SetBytes(k[2:]); err != nil {
		return fmt.Errorf("%w: not a point", ErrWeakKey)
	}
	return nil
}

// belowPrime reports whether the little-endian y is below 2^255-19. A y above is
// the one way to write a point of large order twice; the other, x = 0 with a
// sign, exists for two points of small order only.
func belowPrime(y [32]byte) bool {
	if y[31] != 0x7f || y[0] < 0xed {
		return true
	}
	for _, b := range y[1:31] {
		if b != 0xff {
			return true
		}
	}
	return false
}

// smallOrder is the set of the y coordinates of the eight points of small order. Two
// points share each y except for ±1, whose x is zero.
var smallOrder = map[[32]byte]bool{
	y("0000000000000000000000000000000000000000000000000000000000000000"): true, // order 4
	y("0100000000000000000000000000000000000000000000000000000000000000"): true, // order 1
	y("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"): true, // order 2
	y("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"): true, // order 8
	y("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"): true, // order 8
}

func y(s string) [32]byte {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 {
		panic("did: bad constant " + s)
	}
	return [32]byte(b)
}
