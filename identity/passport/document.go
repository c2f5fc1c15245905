package passport

import (
	"fmt"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
)

// documentJSON is the DID document of a did:key, with a second verification
// method when the agent has a post-quantum key: that key is not part of the
// did:key.
type documentJSON struct {
	Context        []string     `json:"@context"`
	ID             string       `json:"id"`
	Methods        []methodJSON `json:"verificationMethod"`
	Authentication []string     `json:"authentication"`
	Assertion      []string     `json:"assertionMethod"`
}

type methodJSON struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Controller string `json:"controller"`
	Multibase  string `json:"publicKeyMultibase"`
}

// Document is the DID document of an agent as JSON: its Ed25519 key, and its
// ML-DSA-65 key (nil for none), both as Multikey.
func Document(agent did.Key, pq []byte) ([]byte, error) { return jcs.Marshal(document(agent, pq)) }

func document(agent did.Key, pq []byte) documentJSON {
	id := agent.String()
	first := keyMethod(agent)
	d := documentJSON{
		Context: []string{"https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"},
		ID:      id,
		Methods: []methodJSON{{first, "Multikey", id, first[len(id)+1:]}},
	}
	if pq != nil {
		d.Methods = append(d.Methods, methodJSON{id + "#ml-dsa-65", "Multikey", id, pqMultibase(pq)})
	}
	for _, m := range d.Methods {
		d.Authentication = append(d.Authentication, m.ID)
		d.Assertion = append(d.Assertion, m.ID)
	}
	return d
}

// pqPrefix is the multicodec of an ML-DSA-65 public key, 0x1211, as a varint.
var pqPrefix = []byte{0x91, 0x24}

func pqMultibase(pq []byte) string { return "z" + base58.Encode(append(slices.Clone(pqPrefix), pq...)) }

// maxPQText is over the 2,669 base58 digits of an ML-DSA-65 key: decoding is
// quadratic, so more is refused first.
const maxPQText = 2700

func parsePQ(s string) ([]byte, error) {
	if len(s) > maxPQText || len(s) < 2 || s[0] != 'z' {
		return nil, fmt.Errorf("%w: post-quantum key: want z and base58", ErrPassport)
	}
	b, err := base58.Decode(s[1:])
	if err != nil || len(b) != len(pqPrefix)+keys.PQKeySize || !slices.Equal(b[:2], pqPrefix) || "z"+base58.Encode(b) != s {
		return nil, fmt.Errorf("%w: post-quantum key is no ML-DSA-65 key", ErrPassport)
	}
	return b[2:], nil
}

// pq is the post-quantum key of a document that is otherwise the one of agent.
func (d documentJSON) pq(agent did.Key) ([]byte, error) {
	var pq []byte
	if len(d.Methods) == 2 {
		var err error
		if pq, err = parsePQ(d.Methods[1].Multibase); err != nil {
			return nil, err
		}
	}
	want := document(agent, pq)
	same := slices.Equal(d.Context, want.Context) && d.ID == want.ID && slices.Equal(d.Methods, want.Methods) &&
		slices.Equal(d.Authentication, want.Authentication) && slices.Equal(d.Assertion, want.Assertion)
	if !same {
		return nil, fmt.Errorf("%w: did_document is not that of the did", ErrPassport)
	}
	return pq, nil
}
