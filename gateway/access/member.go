package access

import (
	"context"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// Member is a caller in a team.
type Member struct {
	Agent change.AgentID
	Guild view.Guild    // with all members, and the name and visibility of its page
	Role  string        // of the agent
	Page  view.TeamPage // what the team says of itself, its policy above all

	bearer *bearer // of a token, which alone says what it may do; nil for a key
}

// ID is the team's id as clients write it.
func (m Member) ID() string { return m.Guild.ID.Text(change.PrefixGuild) }

// May reports whether the member has a permission: by its role, or its token.
func (m Member) May(p Permission) bool {
	if m.bearer != nil {
		return m.bearer.in(m.Guild, m.Page, p) == nil
	}
	return slices.Contains(PermissionsIn(m.Role, m.Page), p)
}

// ErrNoTeam is the answer for a team that is not here, or that its owner closed.
var ErrNoTeam = reason.Refuse(reason.TeamNotFound, "no such team")

// InTeam is class T: the caller must be a member whose role has the permission.
// A key without the scope is refused before the team is looked up, a stranger is
// not_a_member also of a private team, whose id nobody guesses. A member
// who calls keeps its claims.
func (s *Service) InTeam(ctx context.Context, c call.Caller, team string, p Permission) (Member, error) {
	m, err := s.ReaderOf(ctx, c, team, p)
	if err != nil {
		return m, err
	}
	if !p.reads() {
		err = signedWrite(c, m.Page)
	}
	return m, err
}

// ReaderOf is InTeam for what only reads, whatever right it needs.
func (s *Service) ReaderOf(ctx context.Context, c call.Caller, team string, p Permission) (Member, error) {
	m, err := s.MemberOf(ctx, c, team)
	if err != nil {
		return m, err
	}
	if m.bearer != nil {
		m.Agent, err = m.bearer.permit(ctx, m, p)
		return m, err
	}
	if !m.May(p) {
		return m, call.Hinted(reason.Forbidden, "a "+m.Role+" may not do this: it needs "+string(p), "ask an owner or admin of the team for another role")
	}
	// Renewing is a service to the caller; a fault of it must not stop the call.
	_, _ = s.mesh.RenewLeases(ctx, m.Agent, m.Guild.ID)
	return m, nil
}

// signedWrite refuses a write into a team that takes signed requests alone and
// this is none. The owner of the node is not asked for a signature: it has the
// keys.
func signedWrite(c call.Caller, page view.TeamPage) error {
	if c.Signed || c.Kind == auth.Owner || !PolicyOf(page.Policy).RequireSignedWrites {
		return nil
	}
	return call.Hinted(reason.SignatureInvalid, "this team takes signed requests only, and this one has no signature",
		"sign the request by RFC 9421 with a key of your agent, or send the body in an envelope that its wallet signed")
}

// SignedDeal is signedWrite for the bounties of a guild.
func (s *Service) SignedDeal(ctx context.Context, c call.Caller, guild change.ID) error {
	page, err := s.mesh.TeamPage(ctx, guild)
	if err != nil {
		return err
	}
	return signedWrite(c, page)
}

// MemberOf is InTeam without a permission. The bearer of a token needs the one to
// read.
func (s *Service) MemberOf(ctx context.Context, c call.Caller, team string) (Member, error) {
	if c.ByToken() {
		m, err := bearer{s, c}.member(ctx, team)
		if err != nil {
			return m, err
		}
		return m, m.bearer.in(m.Guild, m.Page, TeamRead)
	}
	agent, err := s.AsMember(c)
	if err != nil {
		return Member{}, err
	}
	m := Member{Agent: agent}
	if m.Guild, m.Page, err = s.LiveGuild(ctx, c, team); err != nil {
		return m, err
	}
	if m.Role = RoleIn(m.Guild, agent); m.Role == "" {
		return m, reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return m, nil
}

// LiveGuild finds a guild that its owner has not closed.
func (s *Service) LiveGuild(ctx context.Context, c call.Caller, text string) (view.Guild, view.TeamPage, error) {
	g, err := s.FindGuild(ctx, c, text)
	if err != nil {
		return view.Guild{}, view.TeamPage{}, err
	}
	return s.alive(ctx, g)
}

// GuildAlive is LiveGuild by id.
func (s *Service) GuildAlive(ctx context.Context, id change.ID) (view.Guild, view.TeamPage, error) {
	g, err := s.mesh.Guild(ctx, id)
	if err != nil {
		return view.Guild{}, view.TeamPage{}, err
	}
	return s.alive(ctx, g)
}

func (s *Service) alive(ctx context.Context, g view.Guild) (view.Guild, view.TeamPage, error) {
	page, err := s.mesh.TeamPage(ctx, g.ID)
	if err != nil {
		return g, page, err
	}
	if page.Deleted {
		return g, page, ErrNoTeam
	}
	if page.Name != "" {
		g.Name = page.Name
	}
	if page.Visibility != "" && (page.Visibility == PublicTeam) == (g.Visibility == PublicTeam) {
		g.Visibility = page.Visibility
	}
	return g, page, nil
}

// PublicTeam is the visibility of a team that everybody may join.
const PublicTeam = "public"

// RoleIn is the role of an agent in a guild, "" for none.
func RoleIn(g view.Guild, agent change.AgentID) string {
	for _, m := range g.Members {
		if m.ID == agent {
			return m.Role
		}
	}
	return ""
}
