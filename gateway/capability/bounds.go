package capability

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// scopesFor are the scopes that an API key needs to delegate an ability, which may be
// a namespace with "/*".
func scopesFor(ability string) []state.Scope {
	if ability == ucan.All {
		return state.RegistrationScopes()
	}
	var out []state.Scope
	for _, known := range ucan.Abilities() {
		if known == ucan.All || !ucan.Covers("mesh://", ability, known) {
			continue
		}
		scope, listed := auth.ScopeOf(known)
		if !listed {
			return state.RegistrationScopes()
		}
		out = append(out, scope)
	}
	return out
}

// within bounds a delegation by the API key that asks for it: it gives no ability that
// the key's scopes do not cover, lasts no longer than the key, and names it. It
// refuses with scope_missing, invalid_param, key_revoked, or capability_denied an access
// token, which would be outlived. The owner of the node is bound by nothing.
func (s *Service) within(ctx context.Context, c call.Caller, d *view.Delegation) error {
	if err := access.Lasting(c); err != nil || c.Kind != auth.Key {
		return err
	}
	k, err := s.state.LiveKey(ctx, c.KeyID, s.access.Now())
	if err != nil {
		return err
	}
	if !k.RevokedAt.IsZero() {
		return reason.Refuse(reason.KeyRevoked, "the API key in use was rotated; it issues nothing any more")
	}
	abilities := slices.Clone(d.Can)
	for _, a := range role.Bundle(d.Role) {
		abilities = append(abilities, a.Can)
	}
	var need []state.Scope
	if d.Role != "" || !ownSpace(d.With) {
		need = append(need, state.ScopeTeam)
	}
	for _, a := range abilities {
		need = append(need, scopesFor(a)...)
	}
	for _, scope := range need {
		if !k.Scopes.Has(scope) {
			return reason.Refuse(reason.ScopeMissing, "a capability gives no more than the API key that issues it: that lacks %s", scope).
				With(map[string]any{"need": string(scope)})
		}
	}
	d.Key = k.ID
	if k.ExpiresAt.IsZero() {
		return nil
	}
	d.Until = &k.ExpiresAt
	switch {
	case d.Expires == nil:
		d.Expires = d.Until
	case d.Expires.After(k.ExpiresAt):
		return reason.Refuse(reason.InvalidParam, "the capability may not outlast the API key that issues it, which ends at %s", call.Stamp(k.ExpiresAt)).
			With(map[string]any{"param": "expires_in"})
	}
	return nil
}

// Gift is what the caller's API key makes of a role that it gives: the role names the
// key and ends when that does at the latest. It refuses with key_revoked, or with
// capability_denied an access token, which the role would outlive.
func (s *Service) Gift(ctx context.Context, c call.Caller) (view.Gift, error) {
	if err := access.Lasting(c); err != nil || c.Kind != auth.Key {
		return view.Gift{}, err
	}
	k, err := s.state.LiveKey(ctx, c.KeyID, s.access.Now())
	switch {
	case err != nil:
		return view.Gift{}, err
	case !k.RevokedAt.IsZero():
		return view.Gift{}, reason.Refuse(reason.KeyRevoked, "the API key in use was rotated; it gives no role any more")
	case k.ExpiresAt.IsZero():
		return view.Gift{Key: k.ID}, nil
	}
	return view.Gift{Key: k.ID, Until: &k.ExpiresAt}, nil
}

// ownSpace reports whether a resource lies in the space of an agent, where the
// caller's own is meant by "".
func ownSpace(with string) bool {
	_, path, _ := strings.Cut(strings.TrimPrefix(with, "mesh://"), "/")
	return with == "" || strings.HasPrefix(path, "agent/")
}

// EndedWith is what ended with an API key.
type EndedWith struct {
	Keys         []string `json:"keys" doc:"ids of the API keys, the one that was ended among them"`
	Capabilities []string `json:"capabilities" doc:"cids of the capabilities that were taken back"`
	Invitations  []string `json:"invitations" doc:"ids of the invitations to guilds that open no more"`
	Open         []string `json:"open" doc:"cids of those that this node cannot take back, because another one writes for the agent now; revoke them there"`
}

// taken says which capabilities of an agent are taken back.
type taken struct {
	keys   []string  // those that these API keys issued,
	all    bool      // those that any API key issued,
	unkept bool      // and those in the agent's own space that name no key
	upTo   time.Time // of the last two those that are not younger; zero: all
}

func (k taken) takes(x view.Capability) bool {
	if x.Key != "" && slices.Contains(k.keys, x.Key) {
		return true
	}
	if !k.upTo.IsZero() && x.CreatedAt.After(k.upTo) {
		return false
	}
	own, ok := x.Space.Agent()
	return k.all && x.Key != "" || k.unkept && x.Key == "" && ok && own == x.Agent
}

// takeBack ends capabilities of an agent. It is for after the keys have ended; what
// fails is owed and tried again, and the error says so. Twice is as once. Those
// that the agent may not end here are returned as open.
func (s *Service) takeBack(ctx context.Context, agent string, which taken) (ended, open []string, err error) {
	// Who is issuing by a key that was alive a moment ago, is waited for.
	s.issuing.Lock()
	defer s.issuing.Unlock()
	id, err := change.ParseAgentID(agent)
	if err != nil {
		return nil, nil, err
	}
	if ended, err = s.state.EndTokens(ctx, agent, which.keys, which.all, which.unkept, which.upTo, s.access.Now()); err != nil {
		return nil, nil, err
	}
	a, err := s.mesh.Agent(ctx, id)
	if reason.Of(err) == reason.AgentNotFound {
		return ended, nil, nil // it wrote nothing
	}
	if err != nil {
		return ended, nil, err
	}
	done := map[string]bool{}
	// A renewal may have come between; it carries on the key of what it renews.
	for again := true; again; {
		again = false
		issued, _, err := s.mesh.Capabilities(ctx, id)
		if err != nil {
			return ended, open, err
		}
		for _, x := range issued {
			if x.State != view.Active || done[x.CID] || !which.takes(x) {
				continue
			}
			done[x.CID] = true
			if !a.Local {
				open = append(open, x.CID)
				continue
			}
			_, err := s.mesh.Revoke(ctx, id, x.ID, nil, "the API key that issued it has ended")
			switch code := reason.Of(err); {
			case code == reason.CapabilityMissing || code == reason.Forbidden:
				open = append(open, x.CID)
				continue
			case err != nil:
				return ended, open, err
			}
			ended, again = append(ended, x.CID), true
		}
	}
	slices.Sort(ended)
	slices.Sort(open)
	return ended, open, nil
}

// EndWith takes back what keys issued that have just ended, and says so. What could
// not be taken back now stays owed.
func (s *Service) EndWith(ctx context.Context, agent string, keys []string) EndedWith {
	return s.end(ctx, agent, keys, taken{keys: keys})
}

// EndAll takes back what any API key of an agent issued, and what was issued in the
// agent's own space before capabilities named their key. keys are those that have
// just ended.
func (s *Service) EndAll(ctx context.Context, agent string, keys []string) EndedWith {
	return s.end(ctx, agent, keys, taken{all: true, unkept: true})
}

// EndsWith is what ends with API keys by itself.
func (s *Service) EndsWith(ctx context.Context, keys []string) EndedWith {
	out := EndedWith{Keys: call.ListOf(keys), Capabilities: []string{}, Invitations: []string{}, Open: []string{}}
	invites, err := s.state.InvitesWith(ctx, keys, s.access.Now())
	if err != nil && s.log != nil {
		s.log.Warn("the invitations that ended with an API key are not listed", "error", err)
	}
	out.Invitations = append(out.Invitations, invites...)
	return out
}

func (s *Service) end(ctx context.Context, agent string, keys []string, which taken) EndedWith {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackWait)
	defer cancel()
	out := s.EndsWith(ctx, keys)
	ended, open, err := s.takeBack(ctx, agent, which)
	out.Capabilities, out.Open = call.ListOf(ended), call.ListOf(open)
	if err != nil {
		if s.log != nil {
			s.log.Warn("what an API key issued was not all taken back; it is tried again", "agent", agent, "error", err)
		}
		return out
	}
	subjects := slices.Clone(keys)
	if which.all {
		subjects = append(subjects, agent, state.RotatedSubject(agent))
	}
	for _, subject := range subjects {
		if o, ok, err := s.state.OwedOf(ctx, state.OwedIssued, subject); ok && err == nil {
			_ = s.state.EndOwed(ctx, o) // doing it again does nothing
		}
	}
	return out
}

// RevokeOwed is end for one key, or for what names none, tried again. A key that is
// alive, since its owner's clock was set back, is left for later.
func (s *Service) RevokeOwed(ctx context.Context, o state.Owed) error {
	which := taken{keys: []string{o.Subject}}
	switch o.Subject {
	case o.Agent:
		which = taken{all: true, unkept: true, upTo: o.MadeAt}
	case state.RotatedSubject(o.Agent):
		which = taken{all: true, upTo: o.MadeAt}
	}
	if k, err := s.state.LiveKey(ctx, o.Subject, s.access.Now()); err == nil && k.RevokedAt.After(s.access.Now()) {
		return errors.New("the key lives on its grace")
	}
	_, _, err := s.takeBack(ctx, o.Agent, which)
	return err
}

// EndIssued takes back what API keys of an agent issued, after its identity has moved
// to another key of this node. The keys live on.
func (s *Service) EndIssued(ctx context.Context, agent change.AgentID) EndedWith {
	if err := s.state.OweIssued(ctx, agent.String(), state.RotatedSubject(agent.String()), s.access.Now()); err != nil && s.log != nil {
		s.log.Warn("what API keys issued is taken back once only", "agent", agent, "error", err)
	}
	return s.end(ctx, agent.String(), nil, taken{all: true})
}

// takeBackWait bounds the taking back within a request.
const takeBackWait = 10 * time.Second

// Issuing is read-locked by who gives a capability or a role by an API key, until it is
// written down, and locked by who ends what keys gave.
func (s *Service) Issuing() *sync.RWMutex { return &s.issuing }
