package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
)

// Attempt is a request that may be repeated under an idempotency key. The zero
// Key means that the caller asked for no such thing.
type Attempt struct {
	Key    string // as the caller named it
	Method string // with Path the operation; tools have one of each too
	Path   string
	Body   []byte // all that the caller sent
	Secret bool   // the reply carries an API key
}

// Mark is the name under which the node remembers the attempt in the batch of
// its change. It contains the whole request, so that a key used again with another
// body, after a crash took the kept reply, is another request.
func (a Attempt) Mark() string {
	if a.Key == "" {
		return ""
	}
	h := sha256.New()
	for _, part := range []string{a.Method, a.Path, a.Key, string(a.Body)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ShownOnce is a reply with something in it that is kept nowhere, so that what a
// retry gets differs from it.
type ShownOnce interface {
	// Kept is the reply without it.
	Kept() any
}

// Once answers an attempt: by run, or with what was answered before, and then
// replayed is true. Only successes are kept; after an error the same key may be
// tried again.
func (s *Service) Once(ctx context.Context, c call.Caller, a Attempt, run func() (state.Reply, error)) (reply state.Reply, replayed bool, err error) {
	if a.Key == "" {
		reply, err = run()
		return reply, false, err
	}
	if err := state.CheckIdempotencyKey(a.Key); err != nil {
		return state.Reply{}, false, err
	}
	who := c.Acts()
	if who == "" {
		who = "addr:" + c.Addr.String()
	}
	turn, kept, err := s.state.Begin(ctx, state.Request{Principal: who, Method: a.Method, Path: a.Path, Key: a.Key,
		BodyHash: sha256.Sum256(a.Body)}, s.cfg.Now())
	if err != nil {
		return state.Reply{}, false, err
	}
	if kept != nil {
		return *kept, true, nil
	}
	finished := false
	defer func() {
		if !finished { // an error or a panic: the key is free again
			_ = s.state.Abort(context.WithoutCancel(ctx), turn)
		}
	}()
	reply, err = run()
	if err != nil || reply.Status >= http.StatusBadRequest {
		return reply, false, err
	}
	reply.Secret = a.Secret
	// The effect is durable: a reply that cannot be kept is still the answer, and
	// the node's own mark catches a retry.
	finished = s.state.Finish(context.WithoutCancel(ctx), turn, reply, s.cfg.Now()) == nil
	return reply, false, nil
}
