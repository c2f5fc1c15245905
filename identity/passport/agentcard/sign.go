package agentcard

import (
	"fmt"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/passport/jws"
)

const typ = "JOSE"

// Sign returns the card with one more signature: a JWS (EdDSA) over the
// canonical bytes of the card without its signatures. kid names the key where
// verifiers will look for it, for an agent the DID URL of its key.
func (c Card) Sign(kid string, signer keys.Signer) (Card, error) {
	if kid == "" || len(kid) > MaxText {
		return Card{}, fmt.Errorf("%w: a signature needs a key id", ErrCard)
	}
	payload, err := c.payload()
	if err != nil {
		return Card{}, err
	}
	protected, signature, err := jws.Sign(jws.Header{Typ: typ, Kid: kid}, payload, signer)
	if err != nil {
		return Card{}, fmt.Errorf("%w: %w", ErrCard, err)
	}
	c.Signatures = append(c.Signatures[:len(c.Signatures):len(c.Signatures)], Signature{Protected: protected, Signature: signature})
	return c, c.Validate()
}

// SignedBy returns nil when one of the card's signatures that name kid is the
// key's, and ErrUnsigned otherwise. Signatures of algorithms that are not ours
// are passed over, as are unprotected headers and jku.
func (c Card) SignedBy(kid string, key did.Key) error {
	payload, err := c.payload()
	if err != nil {
		return err
	}
	if len(c.Signatures) > MaxSignatures {
		return fmt.Errorf("%w: %d signatures, at most %d", ErrCard, len(c.Signatures), MaxSignatures)
	}
	for _, s := range c.Signatures {
		h, err := jws.ParseHeader(s.Protected)
		if err != nil || h.Kid != kid || h.Typ != typ && h.Typ != "" {
			continue
		}
		if jws.Verify(s.Protected, payload, s.Signature, key) == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: %.160q", ErrUnsigned, kid)
}

// payload is what is signed: the canonical card without signatures and without
// members that have their default.
func (c Card) payload() ([]byte, error) {
	c.Signatures = nil
	data, err := jcs.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCard, err)
	}
	return data, nil
}
