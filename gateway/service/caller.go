package service

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/workshop"
)

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
