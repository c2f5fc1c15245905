package did

import (
	"fmt"
	"strings"
)

// DID is what can control an agent: an Ed25519 key or a wallet account. It is
// made by ParseController, OfKey or OfAccount and comparable; equal DIDs have
// equal texts. The zero DID is neither a key nor an account.
type DID struct {
	key     Key
	account Account
}

// ParseController reads a did:key of an Ed25519 key or a did:pkh of an EVM
// account. It returns ErrMethod for other methods and ErrSyntax or ErrWeakKey
// for a text that is not the one canonical spelling of a sound identifier.
func ParseController(s string) (DID, error) {
	switch {
	case strings.HasPrefix(s, "did:key:"):
		k, err := ParseKey(s)
		return OfKey(k), err
	case strings.HasPrefix(s, "did:pkh:"):
		a, err := ParseAccount(s)
		return OfAccount(a), err
	case strings.HasPrefix(s, "did:"):
		return DID{}, fmt.Errorf("%w: want did:key or did:pkh", ErrMethod)
	default:
		return DID{}, fmt.Errorf("%w: want did:…", ErrSyntax)
	}
}

// OfKey is the DID of k.
func OfKey(k Key) DID { return DID{key: k} }

// OfAccount is the DID of a.
func OfAccount(a Account) DID { return DID{account: a} }

// Key returns the key and true when d is a did:key.
func (d DID) Key() (Key, bool) { return d.key, !d.key.IsZero() }

// Account returns the account and true when d is a did:pkh.
func (d DID) Account() (Account, bool) { return d.account, d.account.Chain != 0 }

// IsZero reports whether d was never set.
func (d DID) IsZero() bool { return d == DID{} }

// String is the text of d, "" for the zero DID.
func (d DID) String() string {
	if k, ok := d.Key(); ok {
		return k.String()
	}
	if a, ok := d.Account(); ok {
		return a.String()
	}
	return ""
}
