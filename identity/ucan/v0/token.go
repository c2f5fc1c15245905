// Package v0 reads, verifies and builds UCAN 0.10 tokens: JWTs in which one
// party passes rights on to another, with links to the tokens that prove them.
//
// Start with Parse and (*Token).Verify, or with Verify for text of which all
// faults should be known; both answer with a set of Findings, and a token is
// valid when that is empty. Build makes tokens, byte for byte repeatable. A
// Collection carries a token with its proofs.
//
// Nothing here reads a clock, fetches a proof or knows who owns what: a Check
// brings all three. The same Check gives the same Result everywhere, since
// membership in the log rests on it. Tokens of UCAN 1.x are package v1's; the
// two never prove one another.
package v0

import (
	"strings"

	"golang.org/x/mod/semver"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
)

// Version is the version of the tokens we build. Every 0.10 release is read.
const Version = "0.10.0"

// Token is the meaning of a well-formed token, which need not be valid: Verify
// decides that. Treat it as immutable; it is then
// safe for concurrent use.
type Token struct {
	Raw         string
	Version     string // ucv
	Issuer      string // iss without its fragment
	Fragment    string // of iss, which only says which of the issuer's keys signed
	Audience    string // aud without a fragment
	IssuerDID   did.DID
	AudienceDID did.DID // the zero DID when the method is not one of ours
	Expires     *int64  // Unix seconds, included; nil is never
	NotBefore   *int64  // Unix seconds, included; nil is always
	Nonce       string
	Facts       map[string]any
	Caps        []Cap    // sorted by resource, then ability
	Proofs      []string // content ids, in the order of the token

	read *token
}

// Cap is one right that a token claims: an ability on a resource under caveats,
// of which one must be met.
type Cap struct {
	With, Can string
	Caveats   []map[string]any
}

// Parse reads a token strictly. It returns a token or findings, never both; all
// findings are about form, and Verify of package v0 finds the others beside them.
func Parse(raw string) (*Token, Findings) {
	t := read(raw)
	if len(t.syntax) != 0 {
		return nil, t.syntax
	}
	return t.meaning(), nil
}

// meaning is t, which is well formed, as others see it.
func (t *token) meaning() *Token {
	out := &Token{
		Raw: t.raw, Version: t.version, Issuer: t.iss, Fragment: t.fragment, Audience: t.aud,
		IssuerDID: t.issuer, Expires: t.exp, NotBefore: t.nbf, Nonce: t.nonce, Facts: t.facts,
		Proofs: t.prf, read: t,
	}
	if d, err := did.ParseController(t.aud); err == nil {
		out.AudienceDID = d
	}
	for _, k := range t.caps {
		c := Cap{With: k.with, Can: k.can}
		for _, v := range k.caveats {
			c.Caveats = append(c.Caveats, v.members)
		}
		out.Caps = append(out.Caps, c)
	}
	return out
}

// CID is the canonical content id of t, by which it is stored and revoked.
func (t *Token) CID() string { return t.read.cid }

// ReplayKey names the act that t is when it is presented to act.
func (t *Token) ReplayKey() string { return ucan.ReplayKey(t.Issuer, t.Nonce, t.CID()) }

// CIDWith is the content id of a token's text by another hash function.
func CIDWith(h ucan.Hasher, raw string) (string, error) { return ucan.CIDWith(h, raw) }

// token is what could be read of a text. What the findings leave out is zero, so
// the other checks can still run; nothing is granted on it.
type token struct {
	raw, cid string
	syntax   Findings

	signed string // the text that sig is over
	sig    []byte // nil when unreadable

	version       string
	iss, fragment string
	aud           string
	issuer        did.DID
	exp, nbf      *int64
	expRead       bool // exp was there and a time or null
	nonce         string
	facts         map[string]any
	caps          []capability
	prf           []string
	reserved      bool // some capability has a reserved resource
}

// validSignature reports whether iss signed. An issuer whose key is not in its
// name cannot be verified here.
func (t *token) validSignature() bool {
	k, ok := t.issuer.Key()
	return ok && keys.Verify(k, []byte(t.signed), t.sig)
}

// olderThan reports whether t has an older version than its proof p.
func (t *token) olderThan(p *token) bool {
	return t.version != "" && p.version != "" && semver.Compare("v"+t.version, "v"+p.version) < 0
}

// outlives reports whether t is valid at a moment at which p is not, whatever
// the clock says.
func (t *token) outlives(p *token) bool {
	late := t.expRead && p.exp != nil && (t.exp == nil || *t.exp > *p.exp)
	early := p.nbf != nil && (t.nbf == nil || *t.nbf < *p.nbf)
	return late || early
}

// splitDID checks the syntax of a DID (DID Core §3.1) and cuts off its fragment.
func splitDID(s string) (id, fragment string, ok bool) {
	if len(s) > maxText {
		return "", "", false
	}
	id, fragment, _ = strings.Cut(s, "#")
	rest, ok := strings.CutPrefix(id, "did:")
	if !ok {
		return "", "", false
	}
	method, name, ok := strings.Cut(rest, ":")
	if !ok || method == "" || name == "" || name[len(name)-1] == ':' {
		return "", "", false
	}
	for i := range len(method) {
		if c := method[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return "", "", false
		}
	}
	for i := range len(name) {
		c := name[i]
		if c == '%' && (i+2 >= len(name) || !isHex(name[i+1]) || !isHex(name[i+2])) {
			return "", "", false
		}
		if !isAlnum(c) && strings.IndexByte(".-_:%", c) < 0 {
			return "", "", false
		}
	}
	for i := range len(fragment) {
		if c := fragment[i]; !isAlnum(c) && strings.IndexByte("-._~!$&'()*+,;=:@/?%", c) < 0 {
			return "", "", false
		}
	}
	return id, fragment, true
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
