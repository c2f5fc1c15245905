package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// Trust is what a node knows about tokens. *node.Node is one. Methods are safe for
// concurrent use and answer for the present moment.
type Trust interface {
	// OwnsResource reports whether a key or wallet may originate a capability for
	// a resource.
	OwnsResource(issuer did.DID, resource string) bool
	// SameParty reports whether issuer may use what was given to audience: it is
	// the same, or the key that audience was rotated to.
	SameParty(audience, issuer string) bool
	// RevokedToken reports whether the token of a canonical content id is revoked.
	RevokedToken(cid string) bool
	// TokenOf finds a 0.10 token that is in the log.
	TokenOf(cid string) (raw string, ok bool)
}

// Replays remembers tokens that acted, and those that were taken back beside the log.
// *state.DB is one.
type Replays interface {
	// UseToken uses a token up until it expires; the second time is refused with
	// token_replayed.
	UseToken(ctx context.Context, key string, expires, now time.Time) error
	// TokenRevoked reports whether a revocation of a token was shown here.
	TokenRevoked(ctx context.Context, cid string) (bool, error)
}

var _ Replays = (*state.DB)(nil)

// TokenConfig is what an authenticator needs to take capability tokens and role
// tokens.
type TokenConfig struct {
	// Service is the key whose DID is the audience of tokens for this gateway.
	Service did.Key
	// Network is where the teams of role tokens are.
	Network change.NetID
	Trust   Trust
	Replays Replays
	// Roles judges role tokens; nil takes none.
	Roles *role.Verifier
	Order Order
}

// Validate returns every problem of c.
func (c TokenConfig) Validate() error {
	var problems []error
	if c.Service.IsZero() {
		problems = append(problems, errors.New("no service key"))
	}
	if c.Trust == nil {
		problems = append(problems, errors.New("no function says who owns a resource"))
	}
	if c.Replays == nil {
		problems = append(problems, errors.New("no store of used tokens"))
	}
	if c.Order > RoleFirst {
		problems = append(problems, errors.New("unknown order"))
	}
	return errors.Join(problems...)
}

// tokens judges what a request presents besides API keys.
type tokens struct {
	TokenConfig
	memo0 *v0.Memo
	memo1 *v1.Memo
}

// AcceptTokens returns an authenticator that takes what a takes, and tokens.
func (a *Authenticator) AcceptTokens(c TokenConfig) (*Authenticator, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("accept tokens: %w", err)
	}
	return &Authenticator{keys: a.keys, tokens: &tokens{TokenConfig: c, memo0: v0.NewMemo(keptTokens), memo1: &v1.Memo{}}, issued: a.issued}, nil
}

// present judges a bearer that is no API key; ok is false when it is none of the
// kinds taken here. A refused one makes an anonymous principal that remembers
// why, as for keys.
func (t *tokens) present(h http.Header, c credential, now time.Time) (p Principal, ok bool) {
	if t == nil || !c.scheme || !c.bearer || len(*c.text) > maxHeaderTokens {
		return Principal{}, false
	}
	g := &grants{service: t.Service, order: t.Order, replays: t.Replays, revoked: t.revoked}
	if token, ok := t.recall(*c.text); ok {
		if proofs, ok := g.proofsIn(h); ok {
			t.judgeToken(g, token, proofs, now)
		}
		return g.principal(), true
	}
	kind := ucan.Sniff(*c.text)
	switch kind {
	case ucan.V0:
		t.presentV0(g, []string{*c.text}, h, now)
	case ucan.V1:
		t.presentV1(g, *c.text, now)
	case ucan.RoleJWT:
		if t.Roles == nil {
			return Principal{}, false
		}
		t.presentRole(g, *c.text, now)
		t.presentBeside(g, h, now)
	default:
		return Principal{}, false
	}
	return g.principal(), true
}

// recall is a 0.10 token that was judged before.
func (t *tokens) recall(text string) (*v0.Token, bool) {
	if !strings.HasPrefix(text, "eyJ") {
		return nil, false
	}
	return t.memo0.Recall(text)
}

// presentV0 judges 0.10 tokens, which are acts, by the proofs in the headers.
func (t *tokens) presentV0(g *grants, acts []string, h http.Header, now time.Time) {
	proofs, ok := g.proofsIn(h)
	if !ok {
		return
	}
	for _, raw := range acts {
		token, findings := v0.Parse(raw)
		if len(findings) != 0 {
			g.refuseCapability(refuseV0(v0.Result{Findings: findings}, now))
			continue
		}
		t.judgeToken(g, token, proofs, now)
	}
}

func (t *tokens) judgeToken(g *grants, token *v0.Token, proofs v0.Proofs, now time.Time) {
	if token.Audience != t.Service.String() {
		g.refuseCapability(wrongAudience(t.Service))
		return
	}
	result := token.Verify(v0.Check{
		Now: now.Unix(), Revoked: t.revoked, Owner: t.Trust.OwnsResource, Aligned: t.Trust.SameParty, Memo: t.memo0,
		Proofs: func(cid string) (string, bool) {
			if raw, ok := proofs.Find(cid); ok {
				return raw, true
			}
			return t.Trust.TokenOf(cid)
		},
	})
	// What is proved by another path than a revoked one stands.
	if len(result.Authorities) == 0 {
		g.refuseCapability(refuseV0(result, now))
		return
	}
	for _, a := range result.Authorities {
		a.Subject = token.Issuer // at the API the issuer acts
		g.capabilities = append(g.capabilities, a)
	}
	g.acts = append(g.acts, used{token.ReplayKey(), token.Expires})
	g.presenter = token.Issuer
	g.presented = true
}

func (t *tokens) presentV1(g *grants, text string, now time.Time) {
	bundle, err := v1.Read([]byte(text), t.memo1)
	if err != nil {
		g.refuseCapability(refuseV1(err, t.Service, now))
		return
	}
	verified, err := bundle.Verify(v1.Check{Now: now.Unix(), Audience: t.Service, Revoked: t.revoked, Owner: t.ownsKey})
	if err != nil {
		g.refuseCapability(refuseV1(err, t.Service, now))
		return
	}
	g.capabilities = []ucan.Authority{verified.Authority}
	g.acts = []used{{verified.Invocation.ReplayKey(), verified.Invocation.Expires}}
	g.presenter = verified.Authority.Subject
	g.presented = true
}

// presentBeside judges capabilities that come beside a role token: those in the
// header of proofs that are made for this gateway. The others are their proofs.
func (t *tokens) presentBeside(g *grants, h http.Header, now time.Time) {
	proofs, ok := g.proofsIn(h)
	if !ok {
		return
	}
	var acts []string
	for _, raw := range proofs {
		if token, findings := v0.Parse(raw); len(findings) == 0 && token.Audience == t.Service.String() {
			acts = append(acts, raw)
		}
	}
	slices.Sort(acts)
	t.presentV0(g, acts, h, now)
}

func (t *tokens) presentRole(g *grants, text string, now time.Time) {
	claims, err := t.Roles.Verify(text, now)
	if err != nil {
		g.roleRefused = refuseRole(err)
		return
	}
	g.claims = &claims
	g.expires = &claims.Expires
	if claims.Team == "" {
		return
	}
	for _, a := range role.Bundle(claims.Role) {
		end := claims.Expires.Unix() - 1 // its end is not inside
		g.roles = append(g.roles, ucan.Authority{
			Subject: claims.Subject, Resource: "mesh://" + t.Network.String() + "/team/" + strings.TrimPrefix(claims.Team, change.PrefixGuild),
			Ability: a.Can, Constraints: a.Caveats, Expires: &end,
		})
	}
}

// revoked reports whether a token was taken back, in the log or beside it. A store that
// does not answer takes it back for the moment.
func (t *tokens) revoked(cid string) bool {
	if t.Trust.RevokedToken(cid) {
		return true
	}
	ended, err := t.Replays.TokenRevoked(context.Background(), cid)
	return ended || err != nil
}

func (t *tokens) ownsKey(k did.Key, resource string) bool {
	return t.Trust.OwnsResource(did.OfKey(k), resource)
}

// proofHeaders are one header under three names; the first is the one to send.
var proofHeaders = []string{"Ucans", "Ucan", "X-Ucan-Proofs"}

// proofsIn are the proofs that come with a request; false when they cannot be read.
func (g *grants) proofsIn(h http.Header) (v0.Proofs, bool) {
	proofs, err := headerProofs(h)
	if err != nil {
		g.refuseCapability(reason.Refuse(reason.InvalidToken, "the header of proofs cannot be read"))
	}
	return proofs, err == nil
}

// headerProofs collects the tokens of the proof headers, at most v0.MaxProofs.
func headerProofs(h http.Header) (v0.Proofs, error) {
	var all []string
	for _, name := range proofHeaders {
		all = append(all, h.Values(name)...)
	}
	proofs, err := v0.ParseUcansHeader(strings.Join(all, ","))
	if err == nil && len(proofs) > v0.MaxProofs {
		err = fmt.Errorf("more than %d proofs", v0.MaxProofs)
	}
	return proofs, err
}
