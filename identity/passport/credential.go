package passport

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/passport/jws"
)

// credentialJSON is a passport as a W3C Verifiable Credential 2.0, without its
// proof.
type credentialJSON struct {
	Context    json.RawMessage `json:"@context"`
	Type       []string        `json:"type"`
	Issuer     string          `json:"issuer"`
	ValidFrom  timestamp       `json:"validFrom"`
	ValidUntil *timestamp      `json:"validUntil,omitempty"`
	Subject    subjectJSON     `json:"credentialSubject"`
}

type subjectJSON struct {
	ID         string         `json:"id"`
	PQ         string         `json:"postQuantumKey,omitempty"` // multibase
	Wallet     string         `json:"wallet,omitempty"`
	Delegation []string       `json:"delegationChain"`
	State      stateJSON      `json:"stateSnapshot"`
	Memory     memorySubjects `json:"memory"`
}

type memorySubjects struct {
	Root    digest `json:"root"`
	Wisdom  uint64 `json:"wisdom"`
	Pattern uint64 `json:"pattern"`
	Gotcha  uint64 `json:"gotcha"`
	Ratio   Ratio  `json:"compressionRatio"`
}

// The second context gives the terms of the subject a vocabulary that the W3C keeps
// for terms of an issuer, so that nobody has to fetch a context of ours. Texts only:
// libraries compare contexts as texts.
var (
	credentialContext = []byte(`["https://www.w3.org/ns/credentials/v2","https://www.w3.org/ns/credentials/undefined-terms/v2"]`)
	credentialType    = []string{"VerifiableCredential", "MeshPassport"}
)

const (
	purposeAssertion = "assertionMethod"
	typToken         = "vc+jwt"
	ctyToken         = "vc"
)

// Credential writes the passport as a Verifiable Credential 2.0 with a Data
// Integrity proof (eddsa-jcs-2022). It returns ErrPassport for a content that
// cannot be.
func (p Passport) Credential(by Signer) ([]byte, error) {
	document, err := p.unsecured(by)
	if err != nil {
		return nil, err
	}
	return Secure(document, Proof{Created: stamp(p.IssuedAt), Method: by.method, Purpose: purposeAssertion}, by.key)
}

// ReadCredential reads what Credential writes, with the errors of Read. A proof
// that is not there or not sound is ErrSignature.
func ReadCredential(data []byte, resolve Resolver) (Passport, error) {
	doc, err := object(data)
	if err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrPassport, err)
	}
	issuer, ok := doc["issuer"].(string)
	if !ok {
		return Passport{}, fmt.Errorf("%w: issuer is no text", ErrPassport)
	}
	document, _, err := Open(data, purposeAssertion, asKey(issuer, resolve))
	if err != nil {
		return Passport{}, credentialError(err)
	}
	return readUnsecured(document, issuer)
}

// Token writes the passport as a Verifiable Credential 2.0 in a JWT, of type
// vc+jwt.
func (p Passport) Token(by Signer) (string, error) {
	document, err := p.unsecured(by)
	if err != nil {
		return "", err
	}
	return jws.Compact(jws.Header{Typ: typToken, Cty: ctyToken, Iss: by.issuer, Kid: by.method}, document, by.key)
}

// ReadToken reads what Token writes, with the errors of Read.
func ReadToken(text string, resolve Resolver) (Passport, error) {
	t, err := jws.Parse(text, MaxPassport)
	if err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrPassport, err)
	}
	h := t.Header
	if h.Typ != typToken || h.Cty != ctyToken && h.Cty != "" {
		return Passport{}, fmt.Errorf("%w: a token of type %.20q", ErrPassport, h.Typ)
	}
	key, err := keyOf(h.Iss, h.Kid, resolve)
	if err != nil {
		return Passport{}, err
	}
	if err := t.Verify(key); err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return readUnsecured(t.Payload, h.Iss)
}

// credentialError says in this package's words why a proof failed.
func credentialError(err error) error {
	for _, ours := range []error{ErrPassport, ErrUnresolved} {
		if errors.Is(err, ours) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrSignature, err)
}

// unsecured is the credential without a proof.
func (p Passport) unsecured(by Signer) ([]byte, error) {
	p.Issuer = by.issuer
	if err := p.check(); err != nil {
		return nil, err
	}
	c := credentialJSON{
		Context: credentialContext, Type: credentialType, Issuer: by.issuer, ValidFrom: timestamp(p.IssuedAt),
		Subject: subjectJSON{
			ID: p.Subject.String(), Delegation: append([]string{}, p.Delegation...),
			State: stateJSON{p.State.Head, p.State.SHA256}, Memory: memorySubjects(p.Memory.json()),
		},
	}
	if p.PQ != nil {
		c.Subject.PQ = pqMultibase(p.PQ)
	}
	if p.Wallet != (did.Account{}) {
		c.Subject.Wallet = p.Wallet.String()
	}
	if p.ExpiresAt != 0 {
		c.ValidUntil = (*timestamp)(&p.ExpiresAt)
	}
	return jcs.Marshal(c)
}

// readUnsecured reads a credential whose signature by issuer has been checked.
func readUnsecured(document []byte, issuer string) (Passport, error) {
	var c credentialJSON
	if err := jcs.Unmarshal(document, MaxPassport, &c); err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrPassport, err)
	}
	if c.Issuer != issuer {
		return Passport{}, fmt.Errorf("%w: signed by another than its issuer", ErrPassport)
	}
	if string(c.Context) != string(credentialContext) || !slices.Equal(c.Type, credentialType) {
		return Passport{}, fmt.Errorf("%w: a credential of another kind", ErrPassport)
	}
	s := c.Subject
	p := Passport{Issuer: c.Issuer, Delegation: s.Delegation, State: Snapshot{s.State.Head, s.State.SHA256}, IssuedAt: int64(c.ValidFrom)}
	var err error
	if p.Subject, err = did.ParseKey(s.ID); err != nil {
		return Passport{}, fmt.Errorf("%w: subject: %w", ErrPassport, err)
	}
	if s.PQ != "" {
		if p.PQ, err = parsePQ(s.PQ); err != nil {
			return Passport{}, err
		}
	}
	if p.Wallet, err = parseWallet(s.Wallet); err != nil {
		return Passport{}, err
	}
	if p.Memory, err = memoryJSON(s.Memory).memory(); err != nil {
		return Passport{}, err
	}
	if p.ExpiresAt, err = c.ValidUntil.optional(); err != nil {
		return Passport{}, err
	}
	return p, p.check()
}
