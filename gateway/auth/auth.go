// Package auth turns a request into a [Principal]: nobody known, the agent of
// an API key, whoever presents a capability, a role token or an access token of an
// OAuth issuer, or the node's owner on the local socket.
//
// Authenticate never decides whether a request may pass. A bad credential makes
// an anonymous principal that remembers why, because public routes answer it
// with a warning only; the class helpers [Principal.RequireKey],
// [Principal.RequireScope] and [Principal.RequireOwner] refuse for routes that
// need more. Only requests that contradict themselves, or that show a key in
// their URL, fail at once.
//
// Credentials do not leave this package: a Principal can be logged.
package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

// Keys finds API keys. Of unknown, revoked and expired ones it returns a
// *reason.Refusal, of a fault any other error. *state.DB is one.
type Keys interface {
	KeyBySecret(ctx context.Context, s state.Secret, now time.Time) (state.Key, error)
}

var _ Keys = (*state.DB)(nil)

// Authenticator reads credentials. It is safe for concurrent use.
type Authenticator struct {
	keys   Keys
	tokens *tokens // nil: none are taken, see AcceptTokens
	issued *issued // nil: no access tokens are taken, see AcceptAccess
}

// New returns an authenticator over keys.
func New(keys Keys) *Authenticator { return &Authenticator{keys: keys} }

// Authenticate returns who sent r. A request marked by [WithOwner] is the
// owner's, and its headers are not read. Refusals are ambiguous_credentials,
// credential_in_url, and not_ready for an access token that nobody can judge now; any
// other error is a fault of the store. A credential that is unknown, broken, revoked or expired gives an anonymous principal with a
// Warning.
func (a *Authenticator) Authenticate(r *http.Request, now time.Time) (Principal, error) {
	if agentID, ok := OwnerOf(r.Context()); ok {
		return Principal{Kind: Owner, AgentID: agentID, Scopes: state.Scopes{state.ScopeAll}}, nil
	}
	if p, ok := r.Context().Value(principalMark{}).(Principal); ok {
		return p, nil
	}
	if keyInQuery(r.URL.RawQuery) {
		return Principal{}, credentialInURL()
	}
	cred, err := readHeaders(r.Header)
	if err != nil {
		return Principal{}, err
	}
	if cred.absent() {
		return Principal{}, nil
	}
	if a.issued.takes(cred, a.tokens) {
		return a.issued.present(r.Context(), *cred.text, now)
	}
	if p, ok := a.tokens.present(r.Header, cred, now); ok {
		return p, nil
	}
	k, err := a.find(r.Context(), cred, now)
	var refusal *reason.Refusal
	if errors.As(err, &refusal) {
		return Principal{Warning: refusal.Code, refusal: refusal}, nil
	}
	if err != nil {
		return Principal{}, fmt.Errorf("authenticate: %w", err)
	}
	return Principal{Kind: Key, AgentID: k.AgentID, KeyID: k.ID, Login: k.Login, Scopes: k.Scopes, Since: k.AgentSince}, nil
}

func (a *Authenticator) find(ctx context.Context, c credential, now time.Time) (state.Key, error) {
	secret, err := c.secret()
	if err != nil {
		return state.Key{}, err
	}
	return a.keys.KeyBySecret(ctx, secret, now)
}

type principalMark struct{}

// WithPrincipal marks a request's context as that of a principal whose credential
// was judged before, such as whoever opened the socket that the request came
// through. The credential may have died since: ask before.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalMark{}, p)
}

type ownerMark struct{}

// WithOwner marks a request's context as the owner's, acting as this agent. Only
// the local control socket calls it, after it has checked the peer's user id.
func WithOwner(ctx context.Context, agentID string) context.Context {
	return context.WithValue(ctx, ownerMark{}, agentID)
}

// OwnerOf is the agent that the owner acts as, and whether the request is the
// owner's.
func OwnerOf(ctx context.Context) (string, bool) {
	id, ok := ctx.Value(ownerMark{}).(string)
	return id, ok
}
