package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/jose"
	"github.com/meshd/meshd/identity/ucan"
)

// Agents finds the agents that are hosted here; of others it returns agent_not_found.
// *state.DB is one.
type Agents interface {
	AgentByID(ctx context.Context, id string) (state.Agent, error)
}

var _ Agents = (*state.DB)(nil)

// issued judges access tokens of OAuth issuers.
type issued struct {
	verifier *oauth.Verifier
	agents   Agents
}

// AcceptAccess returns an authenticator that takes what a takes, and access tokens.
func (a *Authenticator) AcceptAccess(v *oauth.Verifier, agents Agents) *Authenticator {
	return &Authenticator{keys: a.keys, tokens: a.tokens, issued: &issued{v, agents}}
}

// takes reports whether a bearer is to be judged as an access token: a JWT that is no
// capability, unless it is of the issuer of role tokens. What is neither that nor an
// API key is an opaque token of somebody.
func (i *issued) takes(c credential, t *tokens) bool {
	if i == nil || !c.scheme || !c.bearer || strings.HasPrefix(*c.text, state.SecretPrefix) {
		return false
	}
	switch ucan.Sniff(*c.text) {
	case ucan.V0, ucan.V1:
		return false
	}
	return t == nil || t.Roles == nil || !isJWT(*c.text) || t.Roles.Issuer() != jose.Issuer(*c.text)
}

// present judges an access token. A refused one makes an anonymous principal that
// remembers why, as for keys. The error is a refusal when nobody can say whether the
// token is good, else a fault of the store.
func (i *issued) present(ctx context.Context, text string, now time.Time) (Principal, error) {
	if !isJWT(text) {
		return refusedPrincipal(hinted(reason.Refuse(reason.InvalidToken, "the token is neither an API key nor a signed access token"),
			"send an API key, which begins with "+state.SecretPrefix+", or a JWT of "+strings.Join(i.verifier.Issuers(), " or ")+
				" (RFC 9068); nobody is asked about opaque tokens")), nil
	}
	t, err := i.verifier.Verify(ctx, text, now)
	switch {
	case errors.Is(err, oauth.ErrUnavailable):
		return Principal{}, hinted(reason.Refuse(reason.NotReady, "the keys of the token's issuer cannot be had now, so nobody can say whether it is good"),
			"try again in a minute; API keys work").With(map[string]any{"retry_after": 60})
	case err != nil:
		return refusedPrincipal(i.refuse(err)), nil
	}
	p := Principal{Kind: Access, Scopes: t.Scopes, access: &access{t, i.verifier.AgentClaim()}}
	agent, err := i.agents.AgentByID(ctx, t.Agent)
	switch {
	case reason.Of(err) == reason.AgentNotFound:
		return p, nil
	case err == nil && agent.Visitor(): // it has registered with nobody here
		return p, nil
	case err != nil:
		return Principal{}, fmt.Errorf("find the agent of an access token: %w", err)
	}
	p.AgentID, p.Since = agent.ID, agent.CreatedAt
	return p, nil
}

// refuse says what is wrong with an access token. Each is a 401, so that a client asks
// its issuer for another (RFC 6750 §3.1). Nothing is said that stands in the token.
func (i *issued) refuse(err error) *reason.Refusal {
	switch {
	case errors.Is(err, jose.ErrSignature):
		return reason.Refuse(reason.SignatureInvalid, "the access token is not signed by a key of its issuer")
	case errors.Is(err, jose.ErrExpired):
		return reason.Refuse(reason.TokenExpired, "the access token is past its end")
	case errors.Is(err, jose.ErrNotYet):
		return reason.Refuse(reason.TokenNotYetValid, "the term of the access token has not begun")
	case errors.Is(err, jose.ErrAudience):
		return hinted(reason.Refuse(reason.InvalidToken, "the access token is made for another resource"),
			"ask the issuer for one with the resource "+i.verifier.Audience())
	case errors.Is(err, jose.ErrIssuer):
		return hinted(reason.Refuse(reason.InvalidToken, "the access token is of an issuer that is not trusted here"),
			"ask "+strings.Join(i.verifier.Issuers(), " or "))
	}
	return hinted(reason.Refuse(reason.InvalidToken, "the access token is broken, or none by RFC 9068"),
		"it must be a JWT with the typ at+jwt and the claims iss, aud, sub and exp")
}

// access is what an access token says beside agent and scopes.
type access struct {
	token oauth.Token
	claim string // that names the agent
}

// nobody refuses the bearer of an access token that names no agent of this gateway.
func (x *access) nobody() *reason.Refusal {
	return hinted(reason.Refuse(reason.CapabilityDenied, "the access token names no agent of this gateway, so it only reads"),
		fmt.Sprintf("register an agent, and have the issuer name it in the claim %s of the token", x.claim))
}

// alive refuses when the token has ended.
func (x *access) alive(now time.Time) error {
	if now.Before(x.token.Expires) {
		return nil
	}
	return reason.Refuse(reason.TokenExpired, "the access token is past its end")
}

// presenter names who presents the token, across issuers.
func (x *access) presenter() string { return x.token.Issuer + " " + x.token.Subject }
