package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
)

// Order says which of a capability and a role token is asked first.
type Order uint8

// The orders of auth.order.
const (
	CapabilityFirst Order = iota
	RoleFirst
)

// ParseOrder reads the setting auth.order: capability and jwt, in the order in
// which they are asked. An empty list is the default, capability first.
func ParseOrder(names []string) (Order, error) {
	switch {
	case len(names) == 0, slices.Equal(names, []string{"capability", "jwt"}):
		return CapabilityFirst, nil
	case slices.Equal(names, []string{"jwt", "capability"}):
		return RoleFirst, nil
	}
	return 0, fmt.Errorf("auth.order is %q, want capability and jwt in some order", names)
}

// grants is what tokens of one request give. It is made by Authenticate and then
// only read.
type grants struct {
	service did.Key
	order   Order
	replays Replays
	revoked func(cid string) bool // of the moment when it is asked

	presenter    string // DID text of who presented the capability
	presented    bool   // a valid capability
	capabilities []ucan.Authority
	acts         []used
	refused      error // why a capability that was presented is not valid

	claims      *role.Claims // of a valid role token
	roles       []ucan.Authority
	expires     *time.Time // end of the role token
	roleRefused *reason.Refusal
}

// used is a token that an act uses up.
type used struct {
	key     string
	expires *int64
}

func (g *grants) refuseCapability(err error) {
	if g.refused == nil {
		g.refused = err
	}
}

// principal is who the tokens make the caller. What is asked first and was
// refused denies the request whatever else there is; what is asked second is
// looked at when it is needed.
func (g *grants) principal() Principal {
	first, second := g.refused, error(nil)
	if g.roleRefused != nil {
		second = g.roleRefused
	}
	if g.order == RoleFirst {
		first, second = second, first
	}
	nothing := !g.presented && g.claims == nil
	switch {
	case first != nil:
		return refusedPrincipal(first)
	case nothing && second != nil:
		return refusedPrincipal(second)
	case g.presented && (g.order == CapabilityFirst || g.claims == nil):
		return Principal{Kind: Capability, For: g.agent(), grants: g}
	}
	return Principal{Kind: Role, grants: g}
}

// agent is the agent whose own space the capabilities are about, or "" when they
// are about none or several.
func (g *grants) agent() string {
	found := ""
	for _, a := range g.capabilities {
		_, rest, ok := strings.Cut(a.Resource, "/agent/")
		if !ok {
			continue
		}
		id, _, _ := strings.Cut(rest, "/")
		if found != "" && found != change.PrefixAgent+id {
			return ""
		}
		found = change.PrefixAgent + id
	}
	return found
}

func refusedPrincipal(err error) Principal {
	var r *reason.Refusal
	if !errors.As(err, &r) {
		r = bearerRefusal(reason.InvalidToken)
	}
	p := Principal{Warning: r.Code, refusal: r}
	var m *MissingProofs
	if errors.As(err, &m) {
		p.missing = m
	}
	return p
}

// Presenter is the DID of who presented a capability, the agent that a role token
// names, issuer and subject of an access token, or "".
func (p Principal) Presenter() string {
	switch {
	case p.access != nil:
		return p.access.presenter()
	case p.grants == nil:
		return ""
	case p.grants.presenter != "":
		return p.grants.presenter
	case p.grants.claims != nil:
		return p.grants.claims.Subject
	}
	return ""
}

// RoleIn is the role that a valid role token gives in a team, by its id with or without
// prefix; "" for none.
func (p Principal) RoleIn(team string) string {
	if p.Kind != Role || strings.TrimPrefix(p.grants.claims.Team, change.PrefixGuild) != strings.TrimPrefix(team, change.PrefixGuild) {
		return ""
	}
	return p.grants.claims.Role
}

// PlatformAdmin reports whether a role token of the configured issuer says so.
func (p Principal) PlatformAdmin() bool {
	return p.grants != nil && p.grants.claims != nil && p.grants.claims.PlatformAdmin
}

// Authorities are the rights that the capabilities give, for people to see. May
// decides.
func (p Principal) Authorities() []ucan.Authority {
	if p.grants == nil {
		return nil
	}
	return slices.Clone(p.grants.capabilities)
}

// May decides whether the caller may do what ability names to a resource, with
// arguments that caveats are compared with. It returns nil, or what RequireKey
// says to a caller without a good credential, or capability_denied with a denial
// receipt in its details, or the refusal of a token that was presented and is
// not valid.
//
// Capabilities and roles are asked in the configured order; the first that covers
// the act allows it. A capability that was revoked or is past its end denies
// without asking further when it is asked first. An API key, an access token of an
// agent and the owner pass: what they may do is asked by RequireScope and
// RequireOwner, with the rules of the object.
//
// A caveat is understood when the act states an argument of its name, and met
// when that is equal to it or, for a list, in it. Any other caveat denies.
func (p Principal) May(resource, ability string, args map[string]any, now time.Time) error {
	switch p.Kind {
	case Key, Owner:
		return nil
	case Capability, Role:
		return p.grants.may(ucan.Act{Resource: resource, Ability: ability, Args: args}, now)
	}
	return p.RequireKey()
}

func (g *grants) may(act ucan.Act, now time.Time) error {
	steps := []func(ucan.Act, time.Time) (allowed bool, err error){g.byCapability, g.byRole}
	if g.order == RoleFirst {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		if allowed, err := step(act, now); allowed || err != nil {
			return err
		}
	}
	return g.denied(act, now)
}

// alive refuses when nothing is left of what the tokens gave.
func (g *grants) alive(now time.Time) error {
	if g.claims != nil && now.Before(g.claims.Expires) {
		return nil
	}
	code := reason.TokenExpired
	for _, a := range g.capabilities {
		switch {
		case !a.ActiveAt(now.Unix()):
		case slices.ContainsFunc(a.Chain, g.revoked):
			code = reason.KeyRevoked
		default:
			return nil
		}
	}
	return bearerRefusal(code)
}

func (g *grants) byCapability(act ucan.Act, now time.Time) (bool, error) {
	if g.refused != nil {
		return false, g.refused
	}
	return permits(g.capabilities, act, now)
}

func (g *grants) byRole(act ucan.Act, now time.Time) (bool, error) {
	if g.roleRefused != nil {
		return false, g.roleRefused
	}
	return permits(g.roles, act, now)
}

// permits checks the terms again, since a stream may outlive its token.
func permits(authorities []ucan.Authority, act ucan.Act, now time.Time) (bool, error) {
	var active []ucan.Authority
	for _, a := range authorities {
		if a.ActiveAt(now.Unix()) {
			active = append(active, a)
		}
	}
	_, ok := ucan.Permits(active, act, understood(act.Args))
	if _, once := ucan.Permits(authorities, act, understood(act.Args)); !ok && once {
		return false, bearerRefusal(reason.TokenExpired)
	}
	return ok, nil
}

// Use uses up the tokens that a write rests on, so that they cannot act again. It
// is called once for a write, after the decision and after a repeated request has
// been recognised by its Idempotency-Key. It refuses with token_replayed, and
// with invalid_token a token without an end or with one too far ahead: its use
// could not be remembered for as long. Other kinds of principals have nothing to
// use up.
func (p Principal) Use(ctx context.Context, now time.Time) error {
	if p.grants == nil {
		return nil
	}
	for _, act := range p.grants.acts {
		if act.expires == nil || time.Unix(*act.expires, 0).After(now.Add(maxActTerm)) {
			return hinted(reason.Refuse(reason.InvalidToken, "a token that acts must end within 30 days"),
				"make one with an exp; delegations that it rests on may last longer")
		}
		end := time.Unix(*act.expires, 0)
		if end.Before(now.Truncate(time.Second)) {
			return bearerRefusal(reason.TokenExpired)
		}
		if end.Before(now) {
			end = now // within its last second
		}
		if err := p.grants.replays.UseToken(ctx, act.key, end, now); err != nil {
			return err
		}
	}
	return nil
}

// understood are the caveats that an act with these arguments can meet.
func understood(args map[string]any) ucan.Caveats {
	out := ucan.Caveats{}
	for name := range args {
		out[name] = func(want any, args map[string]any) bool { return meets(name, want, args[name]) }
	}
	return out
}

// meets compares an argument with a caveat: equal, a member of a list, or a list
// of which all are members. Documents may be named by "folder/*".
func meets(name string, want, got any) bool {
	list, isList := want.([]any)
	if !isList {
		return same(name, want, got)
	}
	several, isSeveral := got.([]any)
	if texts, ok := got.([]string); ok {
		isSeveral = true
		for _, s := range texts {
			several = append(several, s)
		}
	}
	if !isSeveral {
		several = []any{got}
	}
	for _, one := range several {
		if !slices.ContainsFunc(list, func(w any) bool { return same(name, w, one) }) {
			return false
		}
	}
	return true
}

func same(name string, want, got any) bool {
	if a, ok := integer(want); ok {
		b, ok := integer(got)
		return ok && a == b
	}
	switch w := want.(type) {
	case string:
		s, ok := got.(string)
		if !ok {
			return false
		}
		folder, all := strings.CutSuffix(w, "/*")
		return s == w || name == role.CaveatDoc && all && strings.HasPrefix(s, folder+"/")
	case bool:
		b, ok := got.(bool)
		return ok && b == w
	}
	return false
}

func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		return n, err == nil
	}
	return 0, false
}
