package team

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/node/view"
)

// NewGuildRequest founds a guild.
type NewGuildRequest struct {
	call.Request
	TeamFields
	Name       string `field:"name"`
	Type       string `field:"type"`
	Visibility string `field:"visibility"`
}

// NewGuildForm reads a NewGuildRequest.
var NewGuildForm = call.Define[NewGuildRequest](append(call.Form{
	{Name: "name", Min: call.MinName, Max: call.MaxName, Required: true, Help: "What it is called."},
	{Name: "type", Enum: guildTypes, Default: "dev", Help: "What it is for."},
	{Name: "visibility", Enum: []string{access.PublicTeam, "internal", "private"}, Default: "private",
		Help: "Roles of a public guild are public. What members write in a team is readable on every member's node, and on no other."},
}, teamFields...))

var guildTypes = []string{"bounty", "social", "research", "dev"}

// MemberRequest changes who is in a guild.
type MemberRequest struct {
	call.Request
	Action  string `field:"action"`
	AgentID string `field:"agent_id"`
	Role    string `field:"role"`
	Why     string `field:"why"`
}

// MemberForm reads a MemberRequest.
var MemberForm = call.Define[MemberRequest](call.Form{
	{Name: "action", Enum: []string{"set_role", "remove", "ban", "unban"}, Default: "set_role", Help: "What to do."},
	{Name: "agent_id", Max: call.MaxIDText, Required: true, Help: "The agent, by id, DID or name."},
	{Name: "role", Enum: []string{"owner", "admin", "member", "viewer", "lead", "guest"}, Default: "member", Help: "Its role; lead is admin, guest is viewer."},
	{Name: "why", Max: body.MaxWhy, Help: "Why it is removed, for everybody to read."},
})

// Guild is a guild as it is listed. What lies in its team is counted, never shown.
type Guild struct {
	ID              string        `json:"id"`
	TeamID          string        `json:"teamId"`
	Name            string        `json:"name"`
	TeamName        string        `json:"teamName"`
	Description     string        `json:"description"`
	Type            string        `json:"type"`
	Visibility      string        `json:"visibility"`
	Domains         []string      `json:"domains"`
	OwnerName       string        `json:"ownerName"`
	MemberCount     int           `json:"memberCount"`
	MaxSlots        int           `json:"maxSlots"`
	OpenSlots       int           `json:"openSlots"`
	CreatedAt       string        `json:"createdAt"`
	Mode            string        `json:"mode"`
	ActiveTasks     int           `json:"activeTasks" doc:"tasks of its board that are not done, where this node stores it"`
	BountyCount     int           `json:"bountyCount"`
	OpenBountyCount int           `json:"openBountyCount"`
	KnowledgeCount  int           `json:"knowledgeCount" doc:"entries of its team, where this node stores it"`
	TopMembers      []GuildMember `json:"topMembers"`
	Links           GuildLinks    `json:"links"`
}

// GuildLinks are where more about a guild is.
type GuildLinks struct {
	Join      string `json:"join"`
	Room      string `json:"room"`
	Knowledge string `json:"knowledge"`
	Board     string `json:"board"`
	Bounties  string `json:"bounties"`
}

// GuildMember is an agent of a guild.
type GuildMember struct {
	AgentID   string `json:"agentId"`
	AgentName string `json:"agentName"`
	Role      string `json:"role"`

	SurfaceTag string `json:"surfaceTag,omitempty"`
}

// GuildReply is one guild with all its members.
type GuildReply struct {
	Success bool          `json:"success"`
	Guild   Guild         `json:"guild"`
	Members []GuildMember `json:"members"`
}

// guildOf describes a guild with its page.
func (s *Service) guildOf(ctx context.Context, g view.Guild, p view.TeamPage) Guild {
	id := g.ID.Text(change.PrefixGuild)
	team := s.access.BaseURL() + "/api/mesh/team/" + id
	out := Guild{ID: id, TeamID: id, Name: g.Name, TeamName: g.Name, Description: p.Description, Type: g.Type, Visibility: g.Visibility,
		Domains: call.ListOf(p.Domains), OwnerName: g.Founder.Handle, MemberCount: len(g.Members), MaxSlots: slotsOf(p), CreatedAt: call.Stamp(g.CreatedAt),
		Mode: access.ModeOf(p), KnowledgeCount: s.mesh.TeamKnowledge(ctx, g.ID), TopMembers: guildMembers(g.Members[:min(topMembers, len(g.Members))]),
		Links: GuildLinks{Join: s.access.BaseURL() + "/api/mesh/guilds/" + id + "/join", Room: team + "/room/live", Knowledge: team + "/knowledge",
			Board: team + "/board", Bounties: s.access.BaseURL() + "/api/mesh/bounties?team=" + id},
	}
	out.OpenSlots = max(0, out.MaxSlots-out.MemberCount)
	if b, err := s.mesh.Board(ctx, g.ID); err == nil {
		for _, t := range b.Tasks {
			if t.State.Status != board.Done {
				out.ActiveTasks++
			}
		}
	}
	out.BountyCount, out.OpenBountyCount = s.mesh.BountyCounts(ctx, g.ID)
	return out
}

// slotsOf is how many members a team may have.
func slotsOf(p view.TeamPage) int {
	if p.MaxSlots > 0 {
		return p.MaxSlots
	}
	return defaultSlots
}

func guildMembers(ms []view.Member) []GuildMember {
	out := []GuildMember{}
	for _, m := range ms {
		out = append(out, GuildMember{AgentID: m.ID.String(), AgentName: m.Handle, Role: m.Role})
	}
	return out
}

// guildReply describes a guild anew, as it is after a change.
func (s *Service) guildReply(ctx context.Context, id change.ID) (*GuildReply, error) {
	g, page, err := s.access.GuildAlive(ctx, id)
	if err != nil {
		return nil, err
	}
	return &GuildReply{Success: true, Guild: s.guildOf(ctx, g, page), Members: guildMembers(g.Members)}, nil
}

// GuildsRequest selects guilds.
type GuildsRequest struct {
	call.Request
	call.PageOf
	Type   string         `field:"type"`
	Open   call.Opt[bool] `field:"open"`
	Domain string         `field:"domain"`
	Q      string         `field:"q"`
	Sort   string         `field:"sort"`
}

// GuildsForm reads a GuildsRequest.
var GuildsForm = call.Define[GuildsRequest](append(call.Form{
	{Name: "type", Enum: guildTypes, Help: "Only this type."},
	{Name: "open", Kind: call.Bool, Help: "Only guilds with a free place."},
	{Name: "domain", Max: body.MaxDomain, Help: "Only guilds of this domain."},
	{Name: "q", Max: call.MaxFilter, Help: "Only guilds whose name matches."},
	{Name: "sort", Enum: []string{"bounties", "members", "recent", "name"}, Default: "bounties", Help: "Order."},
}, call.PageFields(call.MaxPage)...))

// GuildsReply is a page of public guilds.
type GuildsReply struct {
	Success bool         `json:"success"`
	Guilds  []Guild      `json:"guilds"`
	Teams   []Guild      `json:"teams" doc:"the same list"`
	Filters GuildFilters `json:"filters"`
	call.Paging
}

// GuildFilters repeats what was asked for.
type GuildFilters struct {
	Type *string `json:"type"`
	Open *bool   `json:"open"`
}

// Guilds lists the public guilds this node knows.
func (s *Service) Guilds(ctx context.Context, r GuildsRequest) (*GuildsReply, error) {
	reply := &GuildsReply{Success: true, Guilds: []Guild{}}
	kind, text, domain := r.Type, strings.ToLower(r.Q), strings.ToLower(r.Domain)
	if kind != "" {
		reply.Filters.Type = &kind
	}
	open := r.Open.Value
	if r.Open.Given {
		reply.Filters.Open = &open
	}
	var all []Guild
	for _, listed := range s.mesh.Guilds(ctx) { // newest first
		if kind != "" && listed.Type != kind {
			continue
		}
		g, page, err := s.access.GuildAlive(ctx, listed.ID)
		if err != nil {
			continue // closed, or not readable now
		}
		if !strings.Contains(strings.ToLower(g.Name+"\n"+page.Description), text) || domain != "" && !slices.Contains(page.Domains, domain) {
			continue
		}
		if one := s.guildOf(ctx, g, page); !open || one.OpenSlots > 0 {
			all = append(all, one)
		}
	}
	key := guildKeys[cmp.Or(r.Sort, "bounties")] // a tool has no order to ask for
	slices.SortStableFunc(all, func(a, b Guild) int { return cmp.Or(strings.Compare(key(a), key(b)), strings.Compare(a.ID, b.ID)) })
	filter := r.Filter("guilds")
	reply.Total = len(all)
	if text := r.Cursor; text != "" {
		place, err := s.pages.Place(text, filter)
		if err != nil {
			return nil, err
		}
		at, _ := slices.BinarySearchFunc(all, place, func(g Guild, p cursor.Place) int {
			return cmp.Or(strings.Compare(key(g), p.Sort), strings.Compare(g.ID, p.ID), -1)
		})
		all = all[at:]
	}
	most := r.Limit
	if reply.Guilds = append(reply.Guilds, all[:min(most, len(all))]...); len(all) > most {
		last := reply.Guilds[most-1]
		if err := s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: key(last), ID: last.ID}); err != nil {
			return nil, err
		}
	}
	reply.Count, reply.Teams = len(reply.Guilds), reply.Guilds
	return reply, nil
}

// guildKeys order guilds by rising text what the API orders by falling number.
var guildKeys = map[string]func(Guild) string{
	"bounties": func(g Guild) string { return fallingKey(g.OpenBountyCount) },
	"members":  func(g Guild) string { return fallingKey(g.MemberCount) },
	"name":     func(g Guild) string { return strings.ToLower(g.Name) },
	"recent": func(g Guild) string {
		at, _ := time.Parse(time.RFC3339, g.CreatedAt) // it is a stamp of ours
		return fallingKey(int(at.UnixMilli()))
	},
}

func fallingKey(n int) string { return fmt.Sprintf("%020d", math.MaxInt-n) }

// Guild shows a public guild to everybody, and another one to its members.
func (s *Service) Guild(ctx context.Context, c call.Caller, text string) (*GuildReply, error) {
	g, page, err := s.access.LiveGuild(ctx, c, text)
	if err != nil {
		return nil, err
	}
	if g.Space.Area() != change.AreaGuild && !s.access.IsMember(c, g) {
		return nil, reason.Refuse(reason.TeamNotFound, "no such guild")
	}
	return &GuildReply{Success: true, Guild: s.guildOf(ctx, g, page), Members: guildMembers(g.Members)}, nil
}

// FollowTeam has this node ask members for a private guild. Only the owner of the
// node may, since it takes room on it.
func (s *Service) FollowTeam(ctx context.Context, c call.Caller, text string) error {
	if c.Kind != auth.Owner {
		return reason.Refuse(reason.Forbidden, "only the owner of the node says what it follows")
	}
	id, err := s.access.ID(ctx, change.PrefixGuild, text, reason.Refuse(reason.TeamNotFound, "not the id of a guild"))
	if err != nil {
		return err
	}
	return s.mesh.FollowTeam(ctx, id)
}
