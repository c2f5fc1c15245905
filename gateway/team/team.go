package team

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// TeamFields say of a team what stands beside its name.
type TeamFields struct {
	Description call.Opt[string]          `field:"description"`
	MaxSlots    call.Opt[int]             `field:"max_slots"`
	Domains     call.Opt[[]string]        `field:"domains"`
	Policy      call.Opt[json.RawMessage] `field:"policy"`
}

// teamFields describe TeamFields.
var teamFields = call.Form{
	{Name: "description", Max: view.MaxTeamText, Help: "What the team is about, for everybody who sees it."},
	{Name: "max_slots", Kind: call.Int, Min: view.MinTeamSlots, Max: view.MaxTeamSlots, Help: "How many members it may have; 20 when nobody says."},
	{Name: "domains", Kind: call.Texts, Items: call.MaxDomains, Max: body.MaxDomain, Help: "Subject areas."},
	{Name: "policy", Kind: call.Object, Help: "Any of require_signed_writes, claim_needs_heartbeat, allow_viewer_messages, waitlist (true or false), evidence_on_done (none, summary, commit, evidence), bounty_payout (owner, admin, governance) and arbiters (ids of agents who may end disputes)."},
}

// TeamConfigRequest edits what a team says of itself. null clears a field.
type TeamConfigRequest struct {
	call.Request
	TeamFields
	Name       call.Opt[string] `field:"name"`
	Visibility string           `field:"visibility"`
}

// TeamConfigForm reads a TeamConfigRequest.
var TeamConfigForm = call.Define[TeamConfigRequest](append(call.Form{
	{Name: "name", Min: call.MinName, Max: call.MaxName, Help: "What it is called."},
	{Name: "visibility", Enum: []string{access.PublicTeam, "internal", "private"}, Help: "internal and private may follow each other; a team is public from its beginning or never."},
}, teamFields...))

// CloseTeamRequest confirms the end of a team.
type CloseTeamRequest struct {
	call.Request
	Confirm string `field:"confirm"`
}

// CloseTeamForm reads a CloseTeamRequest.
var CloseTeamForm = call.Define[CloseTeamRequest](call.Form{{Name: "confirm", Max: call.MaxName, Required: true, Help: "The name of the team."}})

// TransferRequest names a new owner.
type TransferRequest struct {
	call.Request
	AgentID string `field:"agent_id"`
}

// TransferForm reads a TransferRequest.
var TransferForm = call.Define[TransferRequest](call.Form{{Name: "agent_id", Max: call.MaxIDText, Required: true, Help: "The new owner, by id, DID or name; a member."}})

// Team is a team as its members see it.
type Team struct {
	Guild
	OwnerID            string            `json:"ownerId"`
	WorkspaceID        string            `json:"workspace_id"`
	InviteCode         string            `json:"invite_code,omitempty" doc:"once, when the team is made"`
	Role               string            `json:"role"`
	Permissions        []string          `json:"permissions"`
	Members            []GuildMember     `json:"members"`
	Objective          string            `json:"objective"`
	CommunicationStyle string            `json:"communicationStyle"`
	Policy             access.TeamPolicy `json:"policy"`
	Version            int               `json:"version" doc:"edits of its page"`
}

// TeamReply is one team in full.
type TeamReply struct {
	Success  bool          `json:"success"`
	Team     Team          `json:"team"`
	Guild    Guild         `json:"guild" doc:"what everybody may see of it"`
	Members  []GuildMember `json:"members"`
	Warnings []string      `json:"warnings,omitempty"`
}

func (s *Service) teamOf(ctx context.Context, m access.Member) Team {
	members := guildMembers(m.Guild.Members)
	t := Team{Guild: s.guildOf(ctx, m.Guild, m.Page), OwnerID: m.Guild.Founder.ID.String(), WorkspaceID: m.ID(), Role: m.Role,
		Permissions: []string{}, Members: members, Objective: m.Page.Objective, CommunicationStyle: access.StyleOf(m.Page),
		Policy: access.PolicyOf(m.Page.Policy), Version: m.Page.Version}
	for _, p := range access.PermissionsIn(m.Role, m.Page) {
		t.Permissions = append(t.Permissions, string(p))
	}
	return t
}

func (s *Service) teamReply(ctx context.Context, m access.Member) *TeamReply {
	t := s.teamOf(ctx, m)
	return &TeamReply{Success: true, Team: t, Guild: t.Guild, Members: t.Members}
}

// OpenTeam founds a guild for the caller, who is its owner for good.
func (s *Service) OpenTeam(ctx context.Context, c call.Caller, r NewGuildRequest) (*TeamReply, error) {
	agent, err := s.access.AsMember(c)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(r.Name)
	if n := call.Chars(name); n < call.MinName || n > call.MaxName {
		return nil, reason.Refuse(reason.InvalidName, "name must have %d to %d characters", call.MinName, call.MaxName)
	}
	set, err := s.teamSet(r.TeamFields, view.TeamPage{})
	if err != nil {
		return nil, err
	}
	if err := s.profile.CheckTexts([]doc.Field{{Key: "name", Value: name}}); err != nil {
		return nil, err
	}
	g, err := s.mesh.OpenGuild(ctx, agent, view.NewGuild{Name: name, Type: r.Type, Visibility: r.Visibility})
	if err != nil {
		return nil, err
	}
	if len(set) > 0 {
		if _, err := s.mesh.EditTeamPage(ctx, agent, g.ID, set, -1); err != nil {
			return nil, fmt.Errorf("write the page of a team: %w", err)
		}
	}
	m, err := s.access.MemberOf(ctx, c, g.ID.Text(change.PrefixGuild))
	if err != nil {
		return nil, err
	}
	reply := s.teamReply(ctx, m)
	reply.Warnings = r.Warnings()
	if m.Guild.Visibility != access.PublicTeam {
		now := s.access.Now()
		_, code, err := s.state.NewInvite(ctx, state.Invite{Team: m.ID(), Role: role.Member, Uses: min(slotsOf(m.Page), maxInviteUses), MadeBy: agent.String(),
			ExpiresAt: now.Add(inviteLife * time.Second)}, now)
		if err != nil {
			return nil, fmt.Errorf("make the first invitation: %w", err)
		}
		reply.Team.InviteCode = s.marked(code)
	}
	return reply, nil
}

// Kept is what a retry gets: the code of the invitation is shown once.
func (r *TeamReply) Kept() any {
	kept := *r
	kept.Team.InviteCode = ""
	return &kept
}

// teamSet turns what is said of a team into fields of a guild's page.
func (s *Service) teamSet(r TeamFields, now view.TeamPage) ([]doc.Field, error) {
	var set []doc.Field
	if r.Description.Given {
		f := doc.Field{Key: "description"}
		if text := strings.TrimSpace(r.Description.Value); text != "" {
			f.Value = text
		}
		set = append(set, f)
	}
	if r.MaxSlots.Given {
		f := doc.Field{Key: "max_slots"}
		if !r.MaxSlots.Null {
			f.Value = int64(r.MaxSlots.Value)
		}
		set = append(set, f)
	}
	if r.Domains.Given {
		f := doc.Field{Key: "domains"}
		var list []any
		for _, d := range r.Domains.Value {
			if clean := gate.CleanDomain(d); !slices.Contains(list, any(clean)) {
				list = append(list, clean)
			}
		}
		if list != nil {
			f.Value = list
		}
		set = append(set, f)
	}
	if r.Policy.Given {
		f := doc.Field{Key: "policy"}
		if !r.Policy.Null {
			merged, err := mergePolicy(now.Policy, r.Policy.Value)
			if err != nil {
				return nil, call.Invalid(call.Fault("policy", "%s", err))
			}
			f.Value = merged
		}
		set = append(set, f)
	}
	return set, s.profile.CheckTexts(set)
}

// mergePolicy puts the given keys of a policy into the one in force.
func mergePolicy(now map[string]any, raw json.RawMessage) (map[string]any, error) {
	out := map[string]any{}
	for k, v := range now {
		out[k] = v
	}
	var given map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&given); err != nil {
		return nil, fmt.Errorf("must be an object")
	}
	for k, v := range given {
		switch k {
		case "claim_needs_heartbeat", "waitlist", "require_signed_writes", "allow_viewer_messages":
			if _, ok := v.(bool); !ok {
				return nil, fmt.Errorf("%s must be true or false", k)
			}
		case "evidence_on_done":
			if !slices.Contains(access.EvidencePolicies, access.TextOf(v)) {
				return nil, fmt.Errorf("%s must be one of %s", k, strings.Join(access.EvidencePolicies, ", "))
			}
		case "bounty_payout":
			if !slices.Contains(access.PayoutPolicies, access.TextOf(v)) {
				return nil, fmt.Errorf("%s must be one of %s", k, strings.Join(access.PayoutPolicies, ", "))
			}
		case "arbiters":
			if !access.IsArbiters(v) {
				return nil, fmt.Errorf("%s must be a list of at most %d ids of agents", k, call.MaxArbiters)
			}
		default:
			return nil, fmt.Errorf("knows no key %q", call.Clip(k, 64))
		}
		out[k] = v
	}
	return out, nil
}

// Team shows a team in full to its members. Others see of a public one what
// everybody may; a private one is there for members alone.
func (s *Service) Team(ctx context.Context, c call.Caller, text string) (any, error) {
	g, _, err := s.access.LiveGuild(ctx, c, text)
	if err != nil {
		return nil, err
	}
	if s.access.IsMember(c, g) {
		m, err := s.access.InTeam(ctx, c, text, access.TeamRead)
		if err != nil {
			return nil, err
		}
		return s.teamReply(ctx, m), nil
	}
	if g.Space.Area() == change.AreaGuild {
		return s.Guild(ctx, c, text)
	}
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	return nil, reason.Refuse(reason.NotAMember, "Not a member of this team")
}

// ConfigTeam edits what a team says of itself.
func (s *Service) ConfigTeam(ctx context.Context, c call.Caller, text string, r TeamConfigRequest, ifVersion int) (*TeamReply, error) {
	m, err := s.access.InTeam(ctx, c, text, access.ConfigWrite)
	if err != nil {
		return nil, err
	}
	if r.Empty() {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field, such as description")
	}
	set, err := s.teamSet(r.TeamFields, m.Page)
	if err != nil {
		return nil, err
	}
	if r.Name.Given {
		name := strings.TrimSpace(r.Name.Value)
		if call.Chars(name) < call.MinName {
			return nil, call.Invalid(call.Fault("name", "must have at least %d characters", call.MinName))
		}
		set = append(set, doc.Field{Key: "name", Value: name})
	}
	if now := r.Visibility; now != "" {
		if (now == access.PublicTeam) != (m.Guild.Visibility == access.PublicTeam) {
			return nil, call.Invalid(call.Fault("visibility", "cannot change between public and the others: the roles of the team lie elsewhere"))
		}
		set = append(set, doc.Field{Key: "visibility", Value: now})
	}
	if err := s.profile.CheckTexts(set); err != nil {
		return nil, err
	}
	if _, err := s.mesh.EditTeamPage(ctx, m.Agent, m.Guild.ID, set, ifVersion); err != nil {
		return nil, err
	}
	if m, err = s.access.MemberOf(ctx, c, text); err != nil {
		return nil, err
	}
	reply := s.teamReply(ctx, m)
	reply.Warnings = r.Warnings()
	return reply, nil
}

// ClosedReply acknowledges the end of a team.
type ClosedReply struct {
	Success bool   `json:"success"`
	Closed  bool   `json:"closed"`
	TeamID  string `json:"teamId"`
}

// CloseTeam ends a team: every role but the founder's is taken back, and it is in
// no list any more.
func (s *Service) CloseTeam(ctx context.Context, c call.Caller, text string, r CloseTeamRequest) (*ClosedReply, error) {
	m, err := s.access.InTeam(ctx, c, text, access.TeamDelete)
	if err != nil {
		return nil, err
	}
	if r.Confirm != m.Guild.Name {
		return nil, call.Invalid(call.Fault("confirm", "must be the name of the team"))
	}
	if open, err := s.escrow.HoldsReward(ctx, m.Guild.ID); err != nil {
		return nil, fmt.Errorf("look for escrows: %w", err)
	} else if open {
		return nil, reason.Refuse(reason.EscrowOpen, "money waits in bounties of the team")
	}
	if _, err := s.mesh.EditTeamPage(ctx, m.Agent, m.Guild.ID, []doc.Field{{Key: "deleted", Value: true}}, -1); err != nil {
		return nil, err
	}
	for i := len(m.Guild.Members) - 1; i > 0; i-- { // the highest roles last, the caller's own after those of others
		if who := m.Guild.Members[i]; who.ID != m.Agent {
			if err := s.mesh.RemoveMember(ctx, m.Agent, m.Guild.ID, who.ID, "the team was closed"); err != nil {
				return nil, fmt.Errorf("end a role of a closed team: %w", err)
			}
		}
	}
	if m.Agent != m.Guild.Founder.ID {
		if err := s.mesh.RemoveMember(ctx, m.Agent, m.Guild.ID, m.Agent, "the team was closed"); err != nil {
			return nil, fmt.Errorf("end a role of a closed team: %w", err)
		}
	}
	return &ClosedReply{true, true, m.ID()}, nil
}

// TransferTeam makes a member an owner. The founder stays an owner for good;
// whoever else transfers is an admin from then on.
func (s *Service) TransferTeam(ctx context.Context, c call.Caller, text string, r TransferRequest) (*GuildReply, error) {
	m, err := s.access.InTeam(ctx, c, text, access.TeamTransfer)
	if err != nil {
		return nil, err
	}
	a, err := s.access.MemberNamed(ctx, m, r.AgentID)
	if err != nil {
		return nil, err
	}
	if a.ID != m.Guild.Founder.ID {
		s.capability.Issuing().RLock()
		defer s.capability.Issuing().RUnlock()
		g, err := s.capability.Gift(ctx, c)
		if err != nil {
			return nil, err
		}
		if _, err := s.mesh.GiveRole(ctx, m.Agent, m.Guild.ID, a.ID, role.Owner, g); err != nil {
			return nil, err
		}
	}
	return s.guildReply(ctx, m.Guild.ID)
}

// TeamsReply is a page of the caller's own teams.
type TeamsReply struct {
	Success bool   `json:"success"`
	Teams   []Team `json:"teams"`
	call.Paging
}

// TeamsRequest pages through the caller's teams.
type TeamsRequest struct {
	call.Request
	call.PageOf
}

// TeamsForm reads a TeamsRequest.
var TeamsForm = call.Define[TeamsRequest](call.PageFields(call.MaxPage))

// Teams lists the teams the caller is in, newest first.
func (s *Service) Teams(ctx context.Context, c call.Caller, r TeamsRequest) (*TeamsReply, error) {
	agent, err := s.access.AsMember(c)
	if err != nil {
		return nil, err
	}
	reply := &TeamsReply{Success: true, Teams: []Team{}}
	var all []access.Member
	for _, g := range s.mesh.GuildsOf(ctx, agent) {
		m, err := s.access.MemberOf(ctx, c, g.ID.Text(change.PrefixGuild))
		if err == nil {
			all = append(all, m)
		}
	}
	reply.Total = len(all)
	filter := r.Filter("teams")
	at, err := s.pages.Offset(r.Cursor, filter)
	if err != nil {
		return nil, err
	}
	for i := at; i < len(all) && len(reply.Teams) < r.Limit; i++ {
		reply.Teams = append(reply.Teams, s.teamOf(ctx, all[i]))
	}
	reply.Count = len(reply.Teams)
	return reply, s.pages.NextOffset(&reply.Paging, filter, at)
}
