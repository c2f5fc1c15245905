package service

import "context"

type callerMark struct{}

// WithCaller keeps who asks in a request's context, for a face that is reached
// through a library.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerMark{}, c)
}

// CallerFrom returns who asks; an anonymous caller when nobody said.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerMark{}).(Caller)
	return c
}
