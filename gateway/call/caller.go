// Package call is what a request to a gateway is made of, whichever protocol brought
// it: who calls, the fields of a request with what schemas say of them, the
// pages of a list, times as the API writes them, and refusals of a field. It knows of
// no use case; the rooms of the gateway and its faces all use its terms.
//
// A Form lists the fields of a request and reads Values from JSON or a query. A Caller
// is kept in the context of a request by WithCaller.
package call

import (
	"context"
	"net/netip"
	"slices"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/workshop"
)

// Caller is who asks and from where.
type Caller struct {
	auth.Principal
	Addr      netip.Addr
	RequestID string // for error objects of faces without headers
	Signed    bool   // a key or wallet of the agent signed this very request
	// Domains are those of which a token reads the texts in full; one that reads all of
	// them is not Masked.
	Domains []string
}

// Masked reports whether the caller sees placeholders: whoever has no key, or one
// that may not read.
func (c Caller) Masked() bool { return !c.Scopes.Has(state.ScopeRead) }

// MaskedIn is Masked for the entries of a domain.
func (c Caller) MaskedIn(domain string) bool {
	return c.Masked() && !slices.Contains(c.Domains, domain)
}

type callerMark struct{}

// WithCaller keeps who asks in a request's context, for a face that is reached
// through a library, and for the workshop.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return workshop.With(context.WithValue(ctx, callerMark{}, c), shareOf(c))
}

// shareOf is whose share of the workshop a caller's work takes: its agent's, or
// that of its network prefix for who shows no key.
func shareOf(c Caller) workshop.Who {
	switch {
	case c.Kind == auth.Owner:
		return workshop.Owner
	case c.Acts() != "":
		return workshop.Who{Share: c.Acts(), Known: true}
	}
	return workshop.Who{Share: limit.Prefix(c.Addr)}
}

// CallerFrom returns who asks; an anonymous caller when nobody said.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerMark{}).(Caller)
	return c
}
