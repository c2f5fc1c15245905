package access

import (
	"context"
	"errors"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
)

// Authorize judges whether a caller may do what an operation needs, whichever
// credential it shows and whichever protocol brought the request, and returns the
// caller as the use case sees it. Rights in a team and to a document are judged by
// InTeam and Writer, where the team is known.
func (s *Service) Authorize(ctx context.Context, c call.Caller, need auth.Right) (call.Caller, error) {
	if c.ByToken() {
		return s.authorizeToken(ctx, c, need)
	}
	switch {
	case !need.Keyed():
		return c, nil
	case c.Kind == auth.Access && need.KeyOnly != "":
		return c, needsKey(need)
	case need.Scope() != "":
		return c, c.RequireScope(need.Scope())
	}
	return c, c.RequireKey()
}

func (s *Service) authorizeToken(ctx context.Context, c call.Caller, need auth.Right) (call.Caller, error) {
	commons := "mesh://" + s.network().String() + "/" + commonsArea
	if c.May(commons, ucan.EntryRead, nil, s.cfg.Now()) == nil {
		c.Principal = c.Reading()
	} else {
		c.Domains = s.domains(c, commons)
	}
	switch {
	case need.Can == "":
		return c, nil
	case need.KeyOnly != "":
		return c, needsKey(need)
	case need.On == auth.Self:
		return s.acting(ctx, c, need)
	case need.On == auth.Commons && !need.Open:
		return c, s.may(c, commons, need.Can, nil)
	}
	return c, nil
}

// needsKey refuses a token for what no token has the right to.
func needsKey(need auth.Right) error { return byKeyOnly(need.KeyOnly) }

func byKeyOnly(why string) error {
	return call.Hinted(reason.CapabilityDenied, "this needs an API key: "+why, "send Authorization: Bearer <API key>")
}

// Lasting refuses an access token for what gives a right to somebody: that would outlive
// the token, which nobody can take back here, while what an API key gave ends with it.
func Lasting(c call.Caller) error {
	if c.Kind == auth.Access {
		return byKeyOnly("what it gives would outlive the access token")
	}
	return nil
}

// ReadsSpace refuses a caller that may not read what lies openly in a space: whose key
// lacks the scope, or whose token does not cover the ability there.
func (s *Service) ReadsSpace(c call.Caller, space change.Space, can string) error {
	if c.ByToken() {
		return s.may(c, space.Resource(s.network()), can, nil)
	}
	return c.RequireScope(state.ScopeRead)
}

func (s *Service) network() change.NetID {
	_, network := s.mesh.Network()
	return network
}

// may is Principal.May, of which a receipt names the request.
func (s *Service) may(c call.Caller, resource, ability string, args map[string]any) error {
	return auth.Audited(c.May(resource, ability, args, s.cfg.Now()), c.RequestID)
}

// commonsArea is the part of the network that is everybody's.
const commonsArea = "commons"

// domains are the domains of which a token reads the texts in full.
func (s *Service) domains(c call.Caller, commons string) (out []string) {
	for _, a := range c.Authorities() {
		domain, ok := strings.CutPrefix(a.Resource, commons+"/")
		if ok && c.May(a.Resource, ucan.EntryRead, nil, s.cfg.Now()) == nil {
			out = append(out, domain)
		}
	}
	return out
}

// acting is a caller whose token has a right in the space of an agent.
func (s *Service) acting(ctx context.Context, c call.Caller, need auth.Right) (call.Caller, error) {
	agent, err := change.ParseAgentID(c.Acts())
	if err != nil {
		denied := s.may(c, "mesh://"+s.network().String()+"/agent/<id>", need.Can, nil)
		return c, denial(denied, "the token names no single agent to act for")
	}
	resource := agent.Space().Resource(s.network())
	if need.Part != "" {
		resource += "/" + need.Part
	}
	if err := s.may(c, resource, need.Can, nil); err != nil {
		return c, err
	}
	if need.Signs() {
		if err := s.lives(ctx, agent); err != nil {
			return c, err
		}
	}
	c.Principal = c.Acting(agent.String(), need.Scope())
	return c, nil
}

// lives refuses when no key of an agent is here, so that nothing can be signed for it.
func (s *Service) lives(ctx context.Context, agent change.AgentID) error {
	a, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return err
	}
	if !a.Local {
		return call.Hinted(reason.Forbidden, "this node holds no key of that agent",
			"lend its voice to a key of this node: meshd id device there, meshd cap issue --to at home")
	}
	return nil
}

// denial is a refusal of a token with another sentence.
func denial(err error, text string) error {
	var r *reason.Refusal
	if !errors.As(err, &r) || r.Code != reason.CapabilityDenied {
		return err
	}
	out := *r
	out.Text = text
	return &out
}

// memberByToken is who a token makes of its bearer in a team: with the permissions
// that it covers there, and as the agent that it names. A bearer without an agent only
// reads.
func (s *Service) memberByToken(ctx context.Context, c call.Caller, team string) (Member, error) {
	m := Member{token: &c, service: s}
	var err error
	if m.Guild, m.Page, err = s.LiveGuild(ctx, c, team); err != nil {
		return m, err
	}
	m.Agent = s.bearer(ctx, c)
	for _, name := range role.Names() {
		if m.covers(permissionsOf(name)) {
			m.Role = name
			break
		}
	}
	return m, nil
}

// bearer is the agent as which the bearer of a token acts in a team: the one that the
// token names, or whose key presents it; zero for none that is known here.
func (s *Service) bearer(ctx context.Context, c call.Caller) change.AgentID {
	for _, text := range []string{c.For, c.Presenter()} {
		if text == "" {
			continue
		}
		if a, err := s.mesh.FindAgent(ctx, text); err == nil && (a.ID.String() == text || a.DID.String() == text) {
			return a.ID
		}
	}
	return change.AgentID{}
}

// may judges one permission of a bearer of a token.
func (m Member) may(p Permission) error {
	if p == MessagesWrite && m.Page.ViewersWrite() {
		p = MessagesRead
	}
	r := rights[p]
	s, c := m.service, *m.token
	var err error
	for _, space := range []change.Space{change.TeamSpace(m.Guild.ID), change.GuildSpace(m.Guild.ID)} {
		found := s.may(c, space.Resource(s.network()), r.can, r.args)
		if found == nil {
			return nil
		}
		if err == nil {
			err = found
		}
	}
	return err
}

func (m Member) covers(all []Permission) bool {
	for _, p := range all {
		if m.may(p) != nil {
			return false
		}
	}
	return true
}

// permitToken refuses what the bearer of a token may not do: what the token does not
// cover, and writes without an agent of this node that is a member.
func (s *Service) permitToken(ctx context.Context, m Member, p Permission) error {
	if err := m.may(p); err != nil {
		return err
	}
	if p.reads() {
		return nil
	}
	if m.Agent.IsZero() {
		return call.Hinted(reason.CapabilityDenied, "the token names no agent of this network, so it only reads", "present a token that names one")
	}
	if RoleIn(m.Guild, m.Agent) == "" {
		return reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return s.lives(ctx, m.Agent)
}
