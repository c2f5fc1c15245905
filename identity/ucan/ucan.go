// Package ucan contains what capability tokens of every version share: what a
// verified token grants, when that covers an act, how tokens are named, distinguished
// apart, revoked and used once.
//
// Packages v0 (UCAN 0.10) and v1 (UCAN 1.x) verify tokens and give []Authority;
// this package imports neither. A gateway asks Permits. It decides on text alone:
// who owns a resource, which tokens are revoked and what time it is are the
// business of the verifier that made the Authority.
//
// Everything here is pure and safe for concurrent use.
package ucan

import (
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Authority is one right that a verified chain of delegations gives: one ability
// on one resource. A token gives several. It is made by a verifier, never from a
// token's text; treat it as immutable.
type Authority struct {
	// Subject is the DID that may act: the audience of the outermost
	// delegation, or the issuer of an invocation. A 0.10 token is both, a
	// delegation in a change and an invocation at the API, so its verifier sets
	// the audience and leaves the issuer in Issuer.
	Subject string
	// Issuer is the DID that signed the outermost token.
	Issuer string
	// Resource is a URI, Ability a name or a pattern of names.
	Resource, Ability string
	// Constraints are caveats, any one of which must be met; a map without
	// members is met by every act, and an empty list by none.
	Constraints []map[string]any
	// NotBefore and Expires bound the right in Unix seconds, both ends
	// included; nil is no bound. No link of the chain is narrower.
	NotBefore, Expires *int64
	// Chain names the tokens that the right rests on, leaf to root.
	Chain []string
}

// ActiveAt reports whether now, in Unix seconds, is within the bounds of a. A
// verifier has asked for its own moment; whoever keeps an Authority asks again.
func (a Authority) ActiveAt(now int64) bool {
	return (a.NotBefore == nil || now >= *a.NotBefore) && (a.Expires == nil || now <= *a.Expires)
}

// Act is what somebody wants to do.
type Act struct {
	Resource, Ability string
	Args              map[string]any // what caveats are checked against
}

// Caveats are the fields of caveats that the acting code understands: each
// predicate says whether an act with these arguments meets a field's value.
type Caveats map[string]func(value any, args map[string]any) bool

// Permits returns the first authority that covers the act and true. A caveat with
// a field that is not understood is not met, whatever its value: a restriction
// one cannot read still restricts. An act on a pattern ("*", "entry/*") needs
// that pattern.
func Permits(authorities []Authority, act Act, understood Caveats) (Authority, bool) {
	for _, a := range authorities {
		if Contains(a.Resource, act.Resource) && Covers(a.Resource, a.Ability, act.Ability) && a.met(act.Args, understood) {
			return a, true
		}
	}
	return Authority{}, false
}

func (a Authority) met(args map[string]any, understood Caveats) bool {
	for _, c := range a.Constraints {
		if meets(c, args, understood) {
			return true
		}
	}
	return false
}

func meets(caveat, args map[string]any, understood Caveats) bool {
	for field, value := range caveat {
		is, known := understood[field]
		if !known || is == nil || !is(value, args) {
			return false
		}
	}
	return true
}

// Verifiable returns the key that signs for a DID text without a fragment, and
// whether there is one: only an Ed25519 did:key verifies here, since its key is
// in its name and no document has to be fetched.
func Verifiable(text string) (did.Key, bool) {
	k, err := did.ParseKey(text)
	return k, err == nil
}

// signedBy reports whether sig is the signature of msg by the DID issuer.
func signedBy(issuer string, msg, sig []byte) bool {
	k, ok := Verifiable(issuer)
	return ok && keys.Verify(k, msg, sig)
}
