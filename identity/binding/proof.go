package binding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/identity/wallet/siwe"
)

// The algorithms of a proof and of a consent.
const (
	AlgEd25519 = "ed25519" // a key signs the text as it is
	AlgEIP191  = "eip191"  // a wallet signs the text as a personal message
	AlgSIWE    = "siwe"    // a wallet signs a sign-in text that carries the same facts
)

// Proof is the bind of a genesis: the signature by which By authorises the key
// that signs the genesis.
type Proof struct {
	Alg  string
	By   string // the DID of the subject, one of the controllers
	Sig  []byte
	Text string
}

// Verify reports whether p authorises author on this network for one of the
// controllers, which are the DIDs the genesis names. It judges signature,
// network, subject and key; times are not judged, so the answer never changes.
// The error wraps ErrMalformed, ErrMismatch or ErrSignature.
//
// A sign-in text must name the author's did:key, and no other, and
// "mesh:network:<hex>", and no other, among its resources; its account is the
// subject. A Registration and a Recovery sign-in differ in the statement.
func (p Proof) Verify(network [16]byte, author did.Key, controllers []string) error {
	if !slices.Contains(controllers, p.By) {
		return fmt.Errorf("%w: signed by someone who is no controller", ErrMismatch)
	}
	by, err := did.ParseController(p.By)
	if err != nil {
		return fmt.Errorf("%w: by: %w", ErrMalformed, err)
	}
	if p.Alg == AlgSIWE {
		err = checkSIWE(p.Text, network, by, author)
	} else {
		err = checkText(p.Text, network, by, author)
	}
	if err != nil {
		return err
	}
	return VerifyText(p.Alg, by, p.Text, p.Sig)
}

// VerifyText reports whether sig is by's signature of text under alg. It judges
// the signature and nothing that the text says; for AlgSIWE it does check that
// the text is a sign-in text of that account.
func VerifyText(alg string, by did.DID, text string, sig []byte) error {
	if len(text) > maxText {
		return fmt.Errorf("%w: text over %d bytes", ErrMalformed, maxText)
	}
	key, isKey := by.Key()
	account, isAccount := by.Account()
	switch {
	case alg == AlgEd25519 && isKey:
		if !keys.Verify(key, []byte(text), sig) {
			return ErrSignature
		}
		return nil
	case alg == AlgSIWE && isAccount:
		m, err := siwe.Parse(text)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		if m.Address != account.Address || m.Chain != account.Chain {
			return fmt.Errorf("%w: sign-in text of another account", ErrMismatch)
		}
	case alg == AlgEIP191 && isAccount:
	default:
		return fmt.Errorf("%w: algorithm %.16q does not fit the signer", ErrMalformed, alg)
	}
	address, err := wallet.RecoverText(text, sig)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if address != account.Address {
		return ErrSignature
	}
	return nil
}

func checkText(text string, network [16]byte, by did.DID, author did.Key) error {
	c, err := ParseChallenge(text)
	if err != nil {
		return err
	}
	switch {
	case c.Purpose != wallet.Registration:
		return fmt.Errorf("%w: not a registration", ErrMismatch)
	case c.Network != network:
		return fmt.Errorf("%w: another network", ErrMismatch)
	case c.Subject != by:
		return fmt.Errorf("%w: another subject", ErrMismatch)
	case c.Key != author:
		return fmt.Errorf("%w: another key", ErrMismatch)
	}
	return nil
}

// checkSIWE leaves the account to VerifyText, which compares it for every
// sign-in text.
func checkSIWE(text string, network [16]byte, by did.DID, author did.Key) error {
	if _, ok := by.Account(); !ok {
		return fmt.Errorf("%w: a sign-in text needs a wallet", ErrMalformed)
	}
	m, err := siwe.Parse(text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	switch {
	case m.Statement != openings[wallet.Registration]:
		return fmt.Errorf("%w: not a registration", ErrMismatch)
	case !namesOnly(m.Resources, "did:key:", author.String()):
		return fmt.Errorf("%w: the resources do not name this key alone", ErrMismatch)
	case !namesOnly(m.Resources, "mesh:network:", networkResource(network)):
		return fmt.Errorf("%w: the resources do not name this network alone", ErrMismatch)
	}
	return nil
}

// namesOnly reports whether want stands in resources and is the only one there
// with that prefix: a text that names two keys would authorise either.
func namesOnly(resources []string, prefix, want string) bool {
	found := 0
	for _, r := range resources {
		if !strings.HasPrefix(r, prefix) {
			continue
		}
		if r != want {
			return false
		}
		found++
	}
	return found == 1
}
