package service

import (
	"context"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// member is a caller in a team.
type member struct {
	agent change.AgentID
	guild view.Guild
	role  string
	page  view.TeamPage
}

// id is the team's id as clients write it.
func (m member) id() string { return m.guild.ID.Text(change.PrefixGuild) }

func (m member) may(p permission) bool { return slices.Contains(permissionsIn(m.role, m.page), p) }

var errNoTeam = reason.Refuse(reason.TeamNotFound, "no such team")

// inTeam is class T: the caller must be a member whose role has the permission.
// A key without the scope is refused before the team is looked up, a stranger is
// told not_a_member also of a private team, whose id nobody guesses. A member
// who calls keeps its claims.
func (s *Service) inTeam(ctx context.Context, c call.Caller, team string, p permission) (member, error) {
	m, err := s.readerOf(ctx, c, team, p)
	if err != nil {
		return m, err
	}
	if !p.reads() {
		err = signedWrite(c, m.page)
	}
	return m, err
}

// readerOf is inTeam for what only reads, whatever right it needs.
func (s *Service) readerOf(ctx context.Context, c call.Caller, team string, p permission) (member, error) {
	m, err := s.memberOf(ctx, c, team)
	if err != nil {
		return m, err
	}
	if !m.may(p) {
		return m, call.Hinted(reason.Forbidden, "a "+m.role+" may not do this: it needs "+string(p), "ask an owner or admin of the team for another role")
	}
	// Renewing is a service to the caller; a fault of it must not stop the call.
	_, _ = s.mesh.RenewLeases(ctx, m.agent, m.guild.ID)
	return m, nil
}

// signedWrite refuses a write into a team that takes signed requests alone and
// this is none. The owner of the node is not asked for a signature: it holds the
// keys.
func signedWrite(c call.Caller, page view.TeamPage) error {
	if c.Signed || c.Kind == auth.Owner || !policyOf(page.Policy).RequireSignedWrites {
		return nil
	}
	return call.Hinted(reason.SignatureInvalid, "this team takes signed requests only, and this one has no signature",
		"sign the request by RFC 9421 with a key of your agent, or send the body in an envelope that its wallet signed")
}

// signedDeal is signedWrite for the bounties of a guild.
func (s *Service) signedDeal(ctx context.Context, c call.Caller, guild change.ID) error {
	page, err := s.mesh.TeamPage(ctx, guild)
	if err != nil {
		return err
	}
	return signedWrite(c, page)
}

// memberOf is inTeam without a permission.
func (s *Service) memberOf(ctx context.Context, c call.Caller, team string) (member, error) {
	agent, err := s.asMember(c)
	if err != nil {
		return member{}, err
	}
	m := member{agent: agent}
	if m.guild, m.page, err = s.liveGuild(ctx, c, team); err != nil {
		return m, err
	}
	if m.role = roleIn(m.guild, agent); m.role == "" {
		return m, reason.Refuse(reason.NotAMember, "Not a member of this team")
	}
	return m, nil
}

// liveGuild finds a guild that its owner has not closed.
func (s *Service) liveGuild(ctx context.Context, c call.Caller, text string) (view.Guild, view.TeamPage, error) {
	g, err := s.findGuild(ctx, c, text)
	if err != nil {
		return view.Guild{}, view.TeamPage{}, err
	}
	return s.alive(ctx, g)
}

// guildAlive is liveGuild by id.
func (s *Service) guildAlive(ctx context.Context, id change.ID) (view.Guild, view.TeamPage, error) {
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
		return g, page, errNoTeam
	}
	if page.Name != "" {
		g.Name = page.Name
	}
	if page.Visibility != "" && (page.Visibility == publicTeam) == (g.Visibility == publicTeam) {
		g.Visibility = page.Visibility
	}
	return g, page, nil
}

const publicTeam = "public"

// roleIn is the role of an agent in a guild, "" for none.
func roleIn(g view.Guild, agent change.AgentID) string {
	for _, m := range g.Members {
		if m.ID == agent {
			return m.Role
		}
	}
	return ""
}
