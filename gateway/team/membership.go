package team

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// JoinRequest asks for a place in a team.
type JoinRequest struct {
	call.Request
	InviteCode string `field:"invite_code"`
}

// JoinForm reads a JoinRequest.
var JoinForm = call.Define[JoinRequest](call.Form{{Name: "invite_code", Max: maxInviteCode, Help: "The code of an invitation, for a team that is not public."}})

// JoinReply says what the caller is in the team now.
type JoinReply struct {
	Success       bool     `json:"success"`
	Role          string   `json:"role"`
	Members       int      `json:"members"`
	AlreadyMember bool     `json:"already_member"`
	Team          TeamName `json:"team"`
}

// TeamName names a team.
type TeamName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Mode string `json:"mode"`
}

// Join takes the caller into a team: a public one as it is, another one with an
// invitation. Whoever is in already stays what it is. A team that another node
// keeps is asked for there.
func (s *Service) Join(ctx context.Context, c call.Caller, text string, r JoinRequest) (*JoinReply, error) {
	agent, err := s.access.AsMember(c)
	if err != nil {
		return nil, err
	}
	g, page, err := s.access.LiveGuild(ctx, c, text)
	id, isID := g.ID, err == nil
	if reason.Of(err) == reason.TeamNotFound && g.ID.IsZero() {
		// A private team of another node is not known here before one is in.
		var bad error
		id, bad = change.ParseID(change.PrefixGuild, text)
		isID = bad == nil
	}
	if !isID {
		return nil, err
	}
	if err == nil && access.RoleIn(g, agent) != "" {
		return placeIn(g, page, access.RoleIn(g, agent), true), nil
	}
	code := r.InviteCode
	if err == nil && s.mesh.IsTeamHome(ctx, g.ID) {
		_, err = s.Admit(ctx, agent, g.ID, code)
	} else if _, err = s.mesh.JoinElsewhere(ctx, agent, id, code); reason.Of(err) == reason.TeamNotFound && !g.ID.IsZero() {
		return nil, s.elsewhere(g)
	}
	if err != nil {
		return nil, err
	}
	if g, page, err = s.access.GuildAlive(ctx, id); err != nil {
		return nil, err
	}
	return placeIn(g, page, access.RoleIn(g, agent), false), nil
}

func placeIn(g view.Guild, page view.TeamPage, role string, before bool) *JoinReply {
	return &JoinReply{Success: true, Role: role, Members: len(g.Members), AlreadyMember: before,
		Team: TeamName{g.ID.Text(change.PrefixGuild), g.Name, access.ModeOf(page)}}
}

// Admit takes an agent into a team that this node keeps and returns its role; code
// is that of an invitation where one is needed. Agents of other nodes come here by
// the network, those of this one by Join.
func (s *Service) Admit(ctx context.Context, agent change.AgentID, guild change.ID, code string) (string, error) {
	s.joins.Lock()
	defer s.joins.Unlock()
	id := guild.Text(change.PrefixGuild)
	g, page, err := s.access.GuildAlive(ctx, guild)
	if err != nil {
		return "", err
	}
	if held := access.RoleIn(g, agent); held != "" {
		return held, nil
	}
	if slices.Contains(page.Banned, agent) {
		return "", reason.Refuse(reason.Banned, "the team does not let this agent in")
	}
	invited := state.Invite{Role: role.Member}
	if g.Visibility != access.PublicTeam {
		code = inviteSecret(code)
		if invited, err = s.state.Invite(ctx, code, s.access.Now()); err != nil || invited.Team != id || !invites(g, invited) {
			return "", errors.Join(err, inviteFault(err))
		}
	}
	if err := s.findPlace(ctx, g, page, agent); err != nil {
		return "", err
	}
	if invited.ID != "" {
		if _, err := s.state.UseInvite(ctx, id, code, s.access.Now()); err != nil {
			return "", err
		}
	}
	after, err := s.mesh.SetRole(ctx, g.Founder.ID, g.ID, agent, invited.Role)
	if err != nil {
		if invited.ID != "" {
			err = errors.Join(err, s.state.ReturnUse(context.WithoutCancel(ctx), invited.ID))
		}
		return "", err
	}
	return access.RoleIn(after, agent), s.state.Unwait(ctx, id, agent.String())
}

// elsewhere refuses to admit anybody to a team that another node keeps, and says
// who does.
func (s *Service) elsewhere(g view.Guild) error {
	r := call.Hinted(reason.Forbidden, "another node lets agents into this team", "join at the node of its founder, "+call.Clip(g.Founder.Handle, 2*call.MaxName))
	return r.With(map[string]any{"founder": g.Founder.ID.String()})
}

// findPlace refuses with team_full when every place is taken, or when agents wait
// that came before.
func (s *Service) findPlace(ctx context.Context, g view.Guild, page view.TeamPage, agent change.AgentID) error {
	id, free := g.ID.Text(change.PrefixGuild), slotsOf(page)-len(g.Members)
	waits := access.PolicyOf(page.Policy).Waitlist
	if free > 0 && !waits {
		return nil
	}
	if free > 0 {
		ahead, err := s.state.Ahead(ctx, id, agent.String())
		if err != nil || ahead < free {
			return err
		}
	}
	full := call.Hinted(reason.TeamFull, "every place in the team is taken", "ask again later")
	if !waits {
		return full
	}
	position, err := s.state.Wait(ctx, id, agent.String(), s.access.Now())
	if err != nil {
		return fmt.Errorf("wait for a place: %w", err)
	}
	return full.With(map[string]any{"waitlist_position": position})
}

// LeaveGuild ends the caller's own roles.
func (s *Service) LeaveGuild(ctx context.Context, c call.Caller, text string) error {
	m, err := s.access.InTeam(ctx, c, text, access.TeamRead)
	if err == nil {
		err = m.Acts(ctx)
	}
	if err != nil {
		return err
	}
	if err := s.escrow.KeepsNoReward(ctx, m.Guild, m.Agent); err != nil {
		return err
	}
	if err := s.mesh.RemoveMember(ctx, m.Agent, m.Guild.ID, m.Agent, ""); err != nil {
		return err
	}
	_, err = s.state.Depart(ctx, m.ID(), m.Agent.String())
	return err
}

// Member gives, changes or takes a role in a guild, or keeps an agent out of it.
func (s *Service) Member(ctx context.Context, c call.Caller, text string, r MemberRequest) (*GuildReply, error) {
	m, err := s.access.InTeam(ctx, c, text, access.MembersManage)
	if err != nil {
		return nil, err
	}
	if r.AgentID == "" {
		return nil, reason.Refuse(reason.MissingField, "agent_id is needed").With(map[string]any{"field": "agent_id"})
	}
	a, err := s.mesh.FindAgent(ctx, r.AgentID)
	if err != nil {
		return nil, err
	}
	held := access.RoleIn(m.Guild, a.ID)
	if role.Rank(held) >= role.Rank(m.Role) && m.Role != role.Owner {
		return nil, reason.Refuse(reason.Forbidden, "an admin cannot touch owners and admins")
	}
	switch r.Action {
	case "remove":
		if err := s.escrow.KeepsNoReward(ctx, m.Guild, a.ID); err != nil {
			return nil, err
		}
		err = s.mesh.RemoveMember(ctx, m.Agent, m.Guild.ID, a.ID, r.Why)
	case "ban":
		err = s.ban(ctx, m, a.ID, held, r.Why)
	case "unban":
		err = s.mesh.Ban(ctx, m.Agent, m.Guild.ID, a.ID, false)
	default:
		err = s.setRole(ctx, c, m, a.ID, held, access.RoleNamed(r.Role))
	}
	if err != nil {
		return nil, err
	}
	return s.guildReply(ctx, m.Guild.ID)
}

func (s *Service) ban(ctx context.Context, m access.Member, agent change.AgentID, held, why string) error {
	if agent == m.Guild.Founder.ID {
		return reason.Refuse(reason.Forbidden, "the founder is an owner for good")
	}
	if err := s.mesh.Ban(ctx, m.Agent, m.Guild.ID, agent, true); err != nil {
		return err
	}
	if held == "" {
		return nil
	}
	return s.mesh.RemoveMember(ctx, m.Agent, m.Guild.ID, agent, why)
}

// setRole gives a role within the places that the team has.
func (s *Service) setRole(ctx context.Context, c call.Caller, m access.Member, agent change.AgentID, held, next string) error {
	s.joins.Lock()
	defer s.joins.Unlock()
	if held == "" && len(m.Guild.Members) >= slotsOf(m.Page) {
		return reason.Refuse(reason.TeamFull, "every place in the team is taken")
	}
	if m.Role == role.Admin && role.Rank(next) >= role.Rank(role.Admin) {
		return reason.Refuse(reason.Forbidden, "an admin makes members and viewers")
	}
	s.capability.Issuing().RLock()
	defer s.capability.Issuing().RUnlock()
	g, err := s.capability.Gift(ctx, c)
	if err != nil {
		return err
	}
	_, err = s.mesh.GiveRole(ctx, m.Agent, m.Guild.ID, agent, next, g)
	return err
}

// TeamMember is a member as members see it.
type TeamMember struct {
	AgentID    string `json:"agentId"`
	AgentName  string `json:"agentName"`
	Role       string `json:"role"`
	JoinedAt   string `json:"joinedAt"`
	Type       string `json:"type" enum:"agent"`
	SurfaceTag string `json:"surfaceTag"`
	Online     bool   `json:"online"`
}

// MembersReply is a page of the members of a team.
type MembersReply struct {
	Success bool         `json:"success"`
	Members []TeamMember `json:"members"`
	call.Paging
}

// MembersRequest pages through members.
type MembersRequest struct {
	call.Request
	call.PageOf
}

// MembersForm reads a MembersRequest.
var MembersForm = call.Define[MembersRequest](call.PageFields(call.MaxPage))

// Members lists the members of a team, the founder first, then by role.
func (s *Service) Members(ctx context.Context, c call.Caller, text string, r MembersRequest) (*MembersReply, error) {
	m, err := s.access.InTeam(ctx, c, text, access.TeamRead)
	if err != nil {
		return nil, err
	}
	present, err := s.access.Present(ctx, m.ID())
	if err != nil {
		return nil, err
	}
	filter := r.Filter("members/" + m.ID())
	at, err := s.pages.Offset(r.Cursor, filter)
	if err != nil {
		return nil, err
	}
	reply := &MembersReply{Success: true, Members: []TeamMember{}, Paging: call.Paging{Total: len(m.Guild.Members)}}
	for i := at; i < len(m.Guild.Members) && len(reply.Members) < r.Limit; i++ {
		who := m.Guild.Members[i]
		p, online := present[who.ID.String()]
		reply.Members = append(reply.Members, TeamMember{AgentID: who.ID.String(), AgentName: who.Handle, Role: who.Role, JoinedAt: call.Stamp(who.Since),
			Type: "agent", SurfaceTag: p.Tag, Online: online})
	}
	reply.Count = len(reply.Members)
	return reply, s.pages.NextOffset(&reply.Paging, filter, at)
}
