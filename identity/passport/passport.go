// Package passport makes and checks passports: one signed page that says who an
// agent is, where its state stands, how much it has learned and by whose
// authority it acts, so that a stranger can decide whether to deal with it.
//
// A passport has four forms with one content. Sign makes the JSON of our API,
// Credential a W3C Verifiable Credential 2.0 with a Data Integrity proof
// (eddsa-jcs-2022), Token the same credential as a JWT (vc+jwt), Binary a compact
// file. Read, ReadCredential, ReadToken and ReadBinary check form and signature
// and give the Passport back; ValidAt then asks for the time.
//
// A good signature says that the issuer said so, no more: the caller decides
// which issuers count, and looks at the state and the tokens that the passport
// names. Nothing here reads a clock or the network; keys of did:web issuers come
// from a Resolver, such as a HostDocument that somebody fetched.
package passport

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
)

// Errors of this package, wrapped with what was found.
var (
	ErrPassport   = errors.New("not a passport")
	ErrSignature  = errors.New("passport is not signed by its issuer")
	ErrUnresolved = errors.New("the issuer's key is not known")
	ErrNotYet     = errors.New("passport is not valid yet")
	ErrExpired    = errors.New("passport has expired")
)

// Passport is what an issuer says about an agent.
type Passport struct {
	Issuer     string      // did:key or did:web; set by the forms that sign
	Subject    did.Key     // the agent
	PQ         []byte      // its ML-DSA-65 public key, nil for none
	Wallet     did.Account // its wallet, the zero Account for none
	Delegation []string    // content ids of its tokens, from the leaf to the root
	State      Snapshot
	Memory     Memory
	IssuedAt   int64 // ms since 1970
	ExpiresAt  int64 // ms since 1970, 0 for never; the passport is good at this moment still
}

// Snapshot is where the agent's state stands: a name of the newest change (its
// id in the log, visible ASCII) and the hash of the state after it.
type Snapshot struct {
	Head   string
	SHA256 [sha256.Size]byte
}

// ValidAt returns nil when the passport is good at a moment in ms since 1970,
// both ends inclusive, and ErrNotYet or ErrExpired otherwise.
func (p Passport) ValidAt(ms int64) error {
	if ms < p.IssuedAt {
		return fmt.Errorf("%w: before %s", ErrNotYet, stamp(p.IssuedAt))
	}
	if p.ExpiresAt != 0 && ms > p.ExpiresAt {
		return fmt.Errorf("%w: at %s", ErrExpired, stamp(p.ExpiresAt))
	}
	return nil
}

// check judges the content, whatever the form.
func (p Passport) check() error {
	if err := p.Subject.Check(); err != nil {
		return fmt.Errorf("%w: subject: %w", ErrPassport, err)
	}
	if p.PQ != nil && len(p.PQ) != keys.PQKeySize {
		return fmt.Errorf("%w: ML-DSA-65 key of %d bytes", ErrPassport, len(p.PQ))
	}
	if p.Wallet.Chain > did.MaxChain || p.Wallet.Chain == 0 && p.Wallet != (did.Account{}) {
		return fmt.Errorf("%w: wallet on no chain", ErrPassport)
	}
	if err := checkDelegation(p.Delegation); err != nil {
		return err
	}
	if len(p.State.Head) == 0 || len(p.State.Head) > MaxHead || strings.ContainsFunc(p.State.Head, invisible) {
		return fmt.Errorf("%w: head of state: want 1 to %d characters of visible ASCII", ErrPassport, MaxHead)
	}
	if err := p.Memory.check(); err != nil {
		return err
	}
	if p.IssuedAt < 0 || p.IssuedAt > maxTime || p.ExpiresAt < 0 || p.ExpiresAt > maxTime {
		return fmt.Errorf("%w: a time outside of the years 1970 to 9999", ErrPassport)
	}
	if p.ExpiresAt != 0 && p.ExpiresAt < p.IssuedAt {
		return fmt.Errorf("%w: expires before it is issued", ErrPassport)
	}
	return nil
}

func checkDelegation(cids []string) error {
	if len(cids) > MaxDelegation {
		return fmt.Errorf("%w: %d tokens in the chain, at most %d", ErrPassport, len(cids), MaxDelegation)
	}
	seen := map[string]bool{}
	for _, c := range cids {
		if err := ucan.CheckCanonical(c); err != nil {
			return fmt.Errorf("%w: delegation chain: %w", ErrPassport, err)
		}
		if seen[c] {
			return fmt.Errorf("%w: delegation chain: %s twice", ErrPassport, c)
		}
		seen[c] = true
	}
	return nil
}

func invisible(r rune) bool { return r <= ' ' || r > '~' }

// version is the one version of the JSON and binary forms.
const version = 1

// passportJSON is the JSON form. The members are in the order of the API's page.
type passportJSON struct {
	Version    int          `json:"version"`
	Issuer     string       `json:"issuer"`
	Method     string       `json:"verification_method"`
	DID        string       `json:"did"`
	Document   documentJSON `json:"did_document"`
	Wallet     string       `json:"wallet,omitempty"`
	Delegation []string     `json:"delegation_chain"`
	State      stateJSON    `json:"state_snapshot"`
	Memory     memoryJSON   `json:"memory"`
	IssuedAt   timestamp    `json:"issued_at"`
	ExpiresAt  *timestamp   `json:"expires_at,omitempty"`
	Signature  string       `json:"signature,omitempty"`
}

type stateJSON struct {
	Head   string `json:"head"`
	SHA256 digest `json:"sha256"`
}

// Sign writes the JSON form as canonical JSON. The signature is the signer's
// over "mesh-passport-v1\0" and the canonical bytes of all other members, in
// unpadded base64url. It returns ErrPassport for a content that cannot be.
func (p Passport) Sign(by Signer) ([]byte, error) {
	j, body, err := p.body(by)
	if err != nil {
		return nil, err
	}
	sig := by.key.Sign(message(body))
	j.Signature = base64.RawURLEncoding.EncodeToString(sig[:])
	return jcs.Marshal(j)
}

// Read reads the JSON form strictly and checks it: ErrPassport for its form,
// ErrUnresolved when its issuer's key cannot be found, ErrSignature when it is
// not signed by that. resolve is asked for did:web issuers only and may be nil.
func Read(data []byte, resolve Resolver) (Passport, error) {
	var j passportJSON
	if err := jcs.Unmarshal(data, MaxPassport, &j); err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrPassport, err)
	}
	sig, err := base64.RawURLEncoding.DecodeString(j.Signature)
	if err != nil || len(sig) != keys.SignatureSize || base64.RawURLEncoding.EncodeToString(sig) != j.Signature {
		return Passport{}, fmt.Errorf("%w: signature: want 64 bytes in unpadded base64url", ErrPassport)
	}
	j.Signature = ""
	return j.open(sig, resolve)
}

// body is the JSON form without its signature, and the bytes of that.
func (p Passport) body(by Signer) (passportJSON, []byte, error) {
	p.Issuer = by.issuer
	if err := p.check(); err != nil {
		return passportJSON{}, nil, err
	}
	j := passportJSON{
		Version: version, Issuer: by.issuer, Method: by.method, DID: p.Subject.String(), Document: document(p.Subject, p.PQ),
		Delegation: append([]string{}, p.Delegation...), State: stateJSON{p.State.Head, p.State.SHA256},
		Memory: p.Memory.json(), IssuedAt: timestamp(p.IssuedAt),
	}
	if p.Wallet != (did.Account{}) {
		j.Wallet = p.Wallet.String()
	}
	if p.ExpiresAt != 0 {
		j.ExpiresAt = (*timestamp)(&p.ExpiresAt)
	}
	data, err := jcs.Marshal(j)
	if err != nil {
		return passportJSON{}, nil, err
	}
	return j, data, nil
}

// open checks the JSON form against its signature.
func (j passportJSON) open(sig []byte, resolve Resolver) (Passport, error) {
	p, err := j.passport()
	if err != nil {
		return Passport{}, err
	}
	key, err := keyOf(j.Issuer, j.Method, resolve)
	if err != nil {
		return Passport{}, err
	}
	body, err := jcs.Marshal(j)
	if err != nil {
		return Passport{}, fmt.Errorf("%w: %w", ErrPassport, err)
	}
	if !keys.Verify(key, message(body), sig) {
		return Passport{}, fmt.Errorf("%w: %s", ErrSignature, j.Issuer)
	}
	return p, nil
}

func message(body []byte) []byte { return append([]byte("mesh-passport-v1\x00"), body...) }

// passport is the content of the JSON form, checked.
func (j passportJSON) passport() (Passport, error) {
	if j.Version != version {
		return Passport{}, fmt.Errorf("%w: version %d", ErrPassport, j.Version)
	}
	p := Passport{
		Issuer: j.Issuer, Delegation: j.Delegation, State: Snapshot{j.State.Head, j.State.SHA256},
		IssuedAt: int64(j.IssuedAt),
	}
	var err error
	if p.Subject, err = did.ParseKey(j.DID); err != nil {
		return Passport{}, fmt.Errorf("%w: did: %w", ErrPassport, err)
	}
	if p.PQ, err = j.Document.pq(p.Subject); err != nil {
		return Passport{}, err
	}
	if p.Wallet, err = parseWallet(j.Wallet); err != nil {
		return Passport{}, err
	}
	if p.Memory, err = j.Memory.memory(); err != nil {
		return Passport{}, err
	}
	if p.ExpiresAt, err = j.ExpiresAt.optional(); err != nil {
		return Passport{}, err
	}
	return p, p.check()
}

func parseWallet(s string) (did.Account, error) {
	if s == "" {
		return did.Account{}, nil
	}
	a, err := did.ParseAccount(s)
	if err != nil {
		return did.Account{}, fmt.Errorf("%w: wallet: %w", ErrPassport, err)
	}
	return a, nil
}
