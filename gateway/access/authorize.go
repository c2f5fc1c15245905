package access

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// Authorize judges whether a caller may do what an operation needs, whichever
// credential it shows and whichever protocol brought the request, and returns the
// caller as the use case sees it. Rights in a team and to a document are judged by
// InTeam and Writer, where the team is known.
func (s *Service) Authorize(ctx context.Context, c call.Caller, need auth.Right) (call.Caller, error) {
	if c.ByToken() {
		return bearer{s, c}.authorize(ctx, need)
	}
	if err := loggedIn(ctx, s.mesh, s.state, c); err != nil {
		return c, err
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

// loggedIn refuses, with key_revoked, the key of a login by a key or wallet that speaks
// for its agent no more.
func loggedIn(ctx context.Context, mesh Node, st *state.DB, c call.Caller) error {
	if c.Login == "" {
		return nil
	}
	id, err := ParseActor(c.AgentID)
	if err != nil {
		return err
	}
	by, err := did.ParseController(c.Login)
	if err != nil {
		return fmt.Errorf("read who logged in: %w", err)
	}
	err = mesh.Speaks(id, by)
	if reason.Of(err) == reason.CapabilityMissing {
		if here, failed := Recovers(ctx, st, c.AgentID, by); here || failed != nil {
			return failed
		}
	}
	if err != nil {
		r := reason.Refuse(reason.KeyRevoked, "who opened this key by logging in does not speak for the agent any more")
		var why *reason.Refusal
		if errors.As(err, &why) {
			r.Text += ": " + why.Text
		}
		r.Hint = "log in again: " + call.LoginChallengePath
		return r
	}
	return nil
}

// Recovers reports whether a key or wallet is the one that an agent of this gateway was
// registered by: whoever has it gets new API keys for the agent.
func Recovers(ctx context.Context, st *state.DB, agent string, by did.DID) (bool, error) {
	a, err := state.Agent{}, error(nil)
	if account, ok := by.Account(); ok {
		a, err = st.AgentByWallet(ctx, account.Address.String())
	} else {
		a, err = st.AgentBySubject(ctx, by.String())
	}
	if reason.Of(err) == reason.AgentNotFound {
		return false, nil
	}
	return err == nil && a.ID == agent && !a.Visitor(), err
}

// ReadsSpace refuses a caller that may not read what lies openly in a space: whose key
// lacks the scope, or whose token does not cover the ability there.
func (s *Service) ReadsSpace(c call.Caller, space change.Space, can string) error {
	if !c.ByToken() {
		return c.RequireScope(state.ScopeRead)
	}
	b := bearer{s, c}
	return b.may(space.Resource(b.network()), can, nil)
}

// bearer is who presents a token.
type bearer struct {
	s *Service
	c call.Caller
}

// authorize is Authorize for a bearer.
func (b bearer) authorize(ctx context.Context, need auth.Right) (call.Caller, error) {
	c := b.c
	commons := "mesh://" + b.network().String() + "/" + commonsArea
	if b.may(commons, ucan.EntryRead, nil) == nil {
		c.Principal = c.Reading()
	} else {
		c.Domains = b.domains(commons)
	}
	b.c = c
	switch {
	case need.Can == "":
		return c, nil
	case need.KeyOnly != "":
		return c, needsKey(need)
	case need.On == auth.Self:
		return b.acting(ctx, need)
	case need.On == auth.Commons && !need.Open:
		return c, b.may(commons, need.Can, nil)
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

func (b bearer) network() change.NetID {
	_, network := b.s.mesh.Network()
	return network
}

// may is Principal.May, of which a receipt names the request.
func (b bearer) may(resource, ability string, args map[string]any) error {
	return auth.Audited(b.c.May(resource, ability, args, b.s.cfg.Now()), b.c.RequestID)
}

// commonsArea is the part of the network that is everybody's.
const commonsArea = "commons"

// domains are the domains of which the token reads the texts in full.
func (b bearer) domains(commons string) (out []string) {
	for _, a := range b.c.Authorities() {
		domain, ok := strings.CutPrefix(a.Resource, commons+"/")
		if ok && b.may(a.Resource, ucan.EntryRead, nil) == nil {
			out = append(out, domain)
		}
	}
	return out
}

// acting is the caller as the agent in whose space the token has a right.
func (b bearer) acting(ctx context.Context, need auth.Right) (call.Caller, error) {
	agent, err := change.ParseAgentID(b.c.Acts())
	if err != nil {
		denied := b.may("mesh://"+b.network().String()+"/agent/<id>", need.Can, nil)
		return b.c, denial(denied, "the token names no single agent to act for")
	}
	resource := agent.Space().Resource(b.network())
	if need.Part != "" {
		resource += "/" + need.Part
	}
	if err := b.may(resource, need.Can, nil); err != nil {
		return b.c, err
	}
	if need.Signs() {
		if err := b.lives(ctx, agent); err != nil {
			return b.c, err
		}
	}
	b.c.Principal = b.c.Acting(agent.String(), need.Scope())
	return b.c, nil
}

// lives refuses when no key of an agent is here, so that nothing can be signed for it.
func (b bearer) lives(ctx context.Context, agent change.AgentID) error {
	a, err := b.s.mesh.Agent(ctx, agent)
	if err != nil {
		return err
	}
	if !a.Local {
		return call.Hinted(reason.Forbidden, "this node has no key of that agent",
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

// member is who a token makes of its bearer in a team: with the permissions that it
// covers there. As which agent depends on what is done, see agent.
func (b bearer) member(ctx context.Context, team string) (Member, error) {
	m := Member{bearer: &b}
	var err error
	if m.Guild, m.Page, err = b.s.LiveGuild(ctx, b.c, team); err != nil {
		return m, err
	}
	for _, name := range role.Names() {
		if !slices.ContainsFunc(permissionsOf(name), func(p Permission) bool { return b.in(m.Guild, m.Page, p) != nil }) {
			m.Role = name
			break
		}
	}
	m.Agent = b.agent(ctx, ucan.TeamRead)
	return m, nil
}

// agent is the one as which the bearer uses an ability: of a role token the one that it
// names, of a capability the one in whose space it gives the ability too, or whose key
// presents it; zero for none that is known here.
func (b bearer) agent(ctx context.Context, can string) change.AgentID {
	text := b.c.Presenter()
	if id, err := change.ParseAgentID(b.c.For); err == nil && b.may(id.Space().Resource(b.network()), can, nil) == nil {
		text = b.c.For
	}
	if a, err := b.s.mesh.FindAgent(ctx, text); err == nil && (a.ID.String() == text || a.DID.String() == text) {
		return a.ID
	}
	return change.AgentID{}
}

// in judges one permission in a team: of a role token by its role, of a capability by
// the abilities that it covers.
func (b bearer) in(g view.Guild, page view.TeamPage, p Permission) error {
	if name := b.c.RoleIn(g.ID.Text(change.PrefixGuild)); name != "" && b.covers(g, role.Read, nil) == nil {
		if slices.Contains(PermissionsIn(name, page), p) {
			return nil
		}
	} else if p == MessagesWrite && page.ViewersWrite() {
		p = MessagesRead
	}
	return b.covers(g, rights[p].can, rights[p].args)
}

// covers judges an ability in a team.
func (b bearer) covers(g view.Guild, can string, args map[string]any) error {
	err := b.may(change.TeamSpace(g.ID).Resource(b.network()), can, args)
	if err != nil && b.may(change.GuildSpace(g.ID).Resource(b.network()), can, args) == nil {
		return nil
	}
	return err
}

// permit refuses what the bearer may not do as a member: what the token does not cover,
// and writes without an agent of this node that is a member. It returns the agent.
func (b bearer) permit(ctx context.Context, m Member, p Permission) (change.AgentID, error) {
	agent := b.agent(ctx, rights[p].can)
	if err := b.in(m.Guild, m.Page, p); err != nil || p.reads() {
		return agent, err
	}
	return agent, b.writes(ctx, m.Guild, agent)
}

// writes refuses to write in a team as an agent that is no member or does not live here.
func (b bearer) writes(ctx context.Context, g view.Guild, agent change.AgentID) error {
	if agent.IsZero() {
		return call.Hinted(reason.CapabilityDenied, "the token names no agent that may do this, so it only reads",
			"present one that gives the same ability on mesh://<network>/agent/<id>")
	}
	if RoleIn(g, agent) == "" {
		return reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return b.lives(ctx, agent)
}

// Acts refuses a member that only reads to be there, to mark messages as read and to
// leave. Whoever has an API key may.
func (m Member) Acts(ctx context.Context) error {
	if m.bearer == nil {
		return nil
	}
	if m.bearer.c.RoleIn(m.ID()) == "" {
		if err := m.bearer.covers(m.Guild, ucan.TeamAct, nil); err != nil {
			return err
		}
	}
	agent := m.bearer.agent(ctx, ucan.TeamAct)
	if agent != m.Agent {
		agent = change.AgentID{}
	}
	return m.bearer.writes(ctx, m.Guild, agent)
}
