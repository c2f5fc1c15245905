package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// NewGuildForm founds a guild.
var NewGuildForm = Form{
	{Name: "name", Min: minName, Max: maxName, Required: true, Help: "2 to 64 characters."},
	{Name: "type", Enum: []string{"bounty", "social", "research", "dev"}, Default: "dev", Help: "What it is for."},
	{Name: "visibility", Enum: []string{"public", "internal", "private"}, Default: "private",
		Help: "Roles of a public guild are public. What members write in a team is readable on every member's node, and on no other."},
}

// MemberForm changes who is in a guild.
var MemberForm = Form{
	{Name: "action", Enum: []string{"set_role", "remove"}, Default: "set_role", Help: "What to do."},
	{Name: "agent_id", Max: maxIDText, Required: true, Help: "The agent, by id, DID or name."},
	{Name: "role", Enum: []string{"owner", "admin", "member", "viewer", "lead", "guest"}, Default: "member", Help: "Its role; lead is admin, guest is viewer."},
	{Name: "why", Max: 300, Help: "Why it is removed, for everybody to read."},
}

// Guild is a guild as it is listed.
type Guild struct {
	ID          string        `json:"id"`
	TeamID      string        `json:"teamId"`
	Name        string        `json:"name"`
	TeamName    string        `json:"teamName"`
	Type        string        `json:"type"`
	Visibility  string        `json:"visibility"`
	OwnerName   string        `json:"ownerName"`
	MemberCount int           `json:"memberCount"`
	CreatedAt   string        `json:"createdAt"`
	TopMembers  []GuildMember `json:"topMembers"`
}

// GuildMember is an agent of a guild.
type GuildMember struct {
	AgentID   string `json:"agentId"`
	AgentName string `json:"agentName"`
	Role      string `json:"role"`
}

// GuildReply is one guild with all its members.
type GuildReply struct {
	Success bool          `json:"success"`
	Guild   Guild         `json:"guild"`
	Members []GuildMember `json:"members"`
}

func guildOf(g view.Guild) Guild {
	id := g.ID.Text(change.PrefixGuild)
	out := Guild{ID: id, TeamID: id, Name: g.Name, TeamName: g.Name, Type: g.Type, Visibility: g.Visibility, OwnerName: g.Founder.Handle,
		MemberCount: len(g.Members), CreatedAt: stamp(g.CreatedAt)}
	out.TopMembers = guildMembers(g.Members[:min(5, len(g.Members))])
	return out
}

func guildMembers(ms []view.Member) []GuildMember {
	out := []GuildMember{}
	for _, m := range ms {
		out = append(out, GuildMember{m.ID.String(), m.Handle, m.Role})
	}
	return out
}

func guildReply(g view.Guild) *GuildReply {
	return &GuildReply{Success: true, Guild: guildOf(g), Members: guildMembers(g.Members)}
}

// GuildsForm selects guilds.
var GuildsForm = append(Form{
	{Name: "type", Enum: []string{"bounty", "social", "research", "dev"}, Help: "Only this type."},
	{Name: "open", Kind: Bool, Help: "Only guilds with a free place."},
	{Name: "domain", Max: 64, Help: "Only guilds of this domain."},
	{Name: "q", Max: maxFilter, Help: "Only guilds whose name matches."},
	{Name: "sort", Enum: []string{"bounties", "members", "recent", "name"}, Default: "bounties", Help: "Order."},
}, pageFields(maxPage)...)

// GuildsReply is a page of public guilds.
type GuildsReply struct {
	Success bool         `json:"success"`
	Guilds  []Guild      `json:"guilds"`
	Teams   []Guild      `json:"teams" doc:"the same list"`
	Filters GuildFilters `json:"filters"`
	Paging
}

// GuildFilters repeats what was asked for.
type GuildFilters struct {
	Type *string `json:"type"`
	Open *bool   `json:"open"`
}

// Guilds lists the public guilds this node knows.
func (s *Service) Guilds(ctx context.Context, v Values) *GuildsReply {
	reply := &GuildsReply{Success: true, Guilds: []Guild{}}
	kind, text := v.Text("type"), strings.ToLower(v.Text("q"))
	if kind != "" {
		reply.Filters.Type = &kind
	}
	if v.Has("open") {
		open := v.Bool("open")
		reply.Filters.Open = &open
	}
	for _, g := range s.trust.Guilds(ctx) { // newest first
		if (kind == "" || g.Type == kind) && strings.Contains(strings.ToLower(g.Name), text) && v.Text("domain") == "" {
			reply.Guilds = append(reply.Guilds, guildOf(g))
		}
	}
	switch v.Text("sort") {
	case "members":
		slices.SortStableFunc(reply.Guilds, func(a, b Guild) int { return cmp.Compare(b.MemberCount, a.MemberCount) })
	case "name":
		slices.SortStableFunc(reply.Guilds, func(a, b Guild) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	}
	reply.Total = len(reply.Guilds)
	if most := v.Int("limit"); most > 0 && most < len(reply.Guilds) {
		reply.Guilds = reply.Guilds[:most]
	}
	reply.Count, reply.Teams = len(reply.Guilds), reply.Guilds
	return reply
}

// Guild shows a public guild to everybody, and another one to its members.
func (s *Service) Guild(ctx context.Context, c Caller, text string) (*GuildReply, error) {
	g, err := s.findGuild(ctx, text)
	if err != nil {
		return nil, err
	}
	if g.Space.Area() != change.AreaGuild && !s.isMember(c, g) {
		return nil, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return guildReply(g), nil
}

func (s *Service) findGuild(ctx context.Context, text string) (view.Guild, error) {
	id, err := change.ParseID(change.PrefixGuild, text)
	if err != nil {
		return view.Guild{}, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return s.trust.Guild(ctx, id)
}

func (s *Service) isMember(c Caller, g view.Guild) bool {
	if c.RequireKey() != nil {
		return false
	}
	agent, err := actor(c)
	return err == nil && slices.ContainsFunc(g.Members, func(m view.Member) bool { return m.ID == agent })
}

// OpenGuild founds a guild for the caller.
func (s *Service) OpenGuild(ctx context.Context, c Caller, v Values) (*GuildReply, error) {
	agent, err := s.asMember(c)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(v.Text("name"))
	if n := Chars(name); n < minName || n > maxName {
		return nil, reason.Refuse(reason.InvalidName, "name must have %d to %d characters", minName, maxName)
	}
	if findings := s.mesh.CheckText("name", name); len(findings) > 0 {
		return nil, reason.Refuse(findings[0].Code, "the name looks like a secret").With(map[string]any{"field": "name"})
	}
	g, err := s.trust.OpenGuild(ctx, agent, view.NewGuild{Name: name, Type: v.Text("type"), Visibility: v.Text("visibility")})
	if err != nil {
		return nil, err
	}
	return guildReply(g), nil
}

func (s *Service) asMember(c Caller) (change.AgentID, error) {
	if err := c.RequireScope(state.ScopeTeam); err != nil {
		return change.AgentID{}, err
	}
	return actor(c)
}

// Member gives, changes or takes a role in a guild.
func (s *Service) Member(ctx context.Context, c Caller, text string, v Values) (*GuildReply, error) {
	by, err := s.asMember(c)
	if err != nil {
		return nil, err
	}
	g, err := s.findGuild(ctx, text)
	if err != nil {
		return nil, err
	}
	a, err := s.mesh.FindAgent(ctx, v.Text("agent_id"))
	if err != nil {
		return nil, err
	}
	if v.Text("action") == "remove" {
		if err := s.trust.RemoveMember(ctx, by, g.ID, a.ID, v.Text("why")); err != nil {
			return nil, err
		}
		g, err = s.trust.Guild(ctx, g.ID)
	} else {
		role := v.Text("role")
		if alias, ok := map[string]string{"lead": "admin", "guest": "viewer"}[role]; ok {
			role = alias
		}
		g, err = s.trust.SetRole(ctx, by, g.ID, a.ID, role)
	}
	if err != nil {
		return nil, err
	}
	return guildReply(g), nil
}

// FollowTeam has this node ask members for a private guild. Only the owner of the
// node may, since it takes room on it.
func (s *Service) FollowTeam(ctx context.Context, c Caller, text string) error {
	if c.Kind != auth.Owner {
		return reason.Refuse(reason.Forbidden, "only the owner of the node says what it follows")
	}
	id, err := change.ParseID(change.PrefixGuild, text)
	if err != nil {
		return reason.Refuse(reason.TeamNotFound, "not the id of a guild")
	}
	return s.trust.FollowTeam(ctx, id)
}

// LeaveGuild ends the caller's own roles.
func (s *Service) LeaveGuild(ctx context.Context, c Caller, text string) error {
	agent, err := s.asMember(c)
	if err != nil {
		return err
	}
	g, err := s.findGuild(ctx, text)
	if err != nil {
		return err
	}
	return s.trust.RemoveMember(ctx, agent, g.ID, agent, "")
}
