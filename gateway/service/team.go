package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// teamFields describe a team beside its name.
var teamFields = call.Form{
	{Name: "description", Max: maxTeamText, Help: "What the team is about, for everybody who sees it."},
	{Name: "max_slots", Kind: call.Int, Min: minSlots, Max: maxSlots, Help: "How many members it may have; 20 when nobody says."},
	{Name: "domains", Kind: call.Texts, Items: maxDomains, Max: 64, Help: "Up to 5 subject areas."},
	{Name: "policy", Kind: call.Object, Help: "Any of require_signed_writes, claim_needs_heartbeat, allow_viewer_messages, waitlist (true or false), evidence_on_done (none, summary, commit, evidence), bounty_payout (owner, admin, governance) and arbiters (ids of agents who may end disputes)."},
}

// TeamConfigForm edits what a team says of itself. null clears a field.
var TeamConfigForm = append(call.Form{
	{Name: "name", Min: minName, Max: maxName, Help: "2 to 64 characters."},
	{Name: "visibility", Enum: []string{publicTeam, "internal", "private"}, Help: "internal and private may follow each other; a team is public from its beginning or never."},
}, teamFields...)

// CloseTeamForm confirms the end of a team.
var CloseTeamForm = call.Form{{Name: "confirm", Max: maxName, Required: true, Help: "The name of the team."}}

// TransferForm names a new owner.
var TransferForm = call.Form{{Name: "agent_id", Max: maxIDText, Required: true, Help: "The new owner, by id, DID or name; a member."}}

// TeamPolicy is what a team has decided about itself.
type TeamPolicy struct {
	RequireSignedWrites bool   `json:"require_signed_writes" doc:"whoever writes into the team or steps in its bounties signs the request; joining, leaving and presence are free"`
	ClaimNeedsHeartbeat bool   `json:"claim_needs_heartbeat"`
	EvidenceOnDone      string `json:"evidence_on_done" enum:"none,summary,commit,evidence"`
	BountyPayout        string `json:"bounty_payout" enum:"owner,admin,governance"`
	AllowViewerMessages bool   `json:"allow_viewer_messages" doc:"viewers write messages, and nothing else; the home node of the team gives each of them a right to"`
	Waitlist            bool   `json:"waitlist"`
}

// policyOf reads a policy; what is absent has its default.
func policyOf(m map[string]any) TeamPolicy {
	p := TeamPolicy{EvidenceOnDone: "summary", BountyPayout: "admin"}
	p.ClaimNeedsHeartbeat, _ = m["claim_needs_heartbeat"].(bool)
	p.Waitlist, _ = m["waitlist"].(bool)
	p.RequireSignedWrites, _ = m["require_signed_writes"].(bool)
	p.AllowViewerMessages, _ = m["allow_viewer_messages"].(bool)
	if s := textOf(m["evidence_on_done"]); slices.Contains(evidencePolicies, s) {
		p.EvidenceOnDone = s
	}
	if s := textOf(m["bounty_payout"]); slices.Contains(payoutPolicies, s) {
		p.BountyPayout = s
	}
	return p
}

var (
	evidencePolicies = []string{"none", "summary", "commit", "evidence"}
	payoutPolicies   = []string{"owner", "admin", "governance"}
)

// Team is a team as its members see it.
type Team struct {
	Guild
	OwnerID            string        `json:"ownerId"`
	WorkspaceID        string        `json:"workspace_id"`
	InviteCode         string        `json:"invite_code,omitempty" doc:"once, when the team is made"`
	Role               string        `json:"role"`
	Permissions        []string      `json:"permissions"`
	Members            []GuildMember `json:"members"`
	Objective          string        `json:"objective"`
	CommunicationStyle string        `json:"communicationStyle"`
	Policy             TeamPolicy    `json:"policy"`
	Version            int           `json:"version" doc:"edits of its page"`
}

// TeamReply is one team in full.
type TeamReply struct {
	Success  bool          `json:"success"`
	Team     Team          `json:"team"`
	Guild    Guild         `json:"guild" doc:"what everybody may see of it"`
	Members  []GuildMember `json:"members"`
	Warnings []string      `json:"warnings,omitempty"`
}

func (s *Service) teamOf(ctx context.Context, m member) Team {
	members := guildMembers(m.guild.Members)
	t := Team{Guild: s.guildOf(ctx, m.guild, m.page), OwnerID: m.guild.Founder.ID.String(), WorkspaceID: m.id(), Role: m.role,
		Permissions: []string{}, Members: members, Objective: m.page.Objective, CommunicationStyle: styleOf(m.page),
		Policy: policyOf(m.page.Policy), Version: m.page.Version}
	for _, p := range permissionsIn(m.role, m.page) {
		t.Permissions = append(t.Permissions, string(p))
	}
	return t
}

func (s *Service) teamReply(ctx context.Context, m member) *TeamReply {
	t := s.teamOf(ctx, m)
	return &TeamReply{Success: true, Team: t, Guild: t.Guild, Members: t.Members}
}

// OpenTeam founds a guild for the caller, who is its owner for good.
func (s *Service) OpenTeam(ctx context.Context, c call.Caller, v call.Values) (*TeamReply, error) {
	agent, err := s.asMember(c)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(v.Text("name"))
	if n := call.Chars(name); n < minName || n > maxName {
		return nil, reason.Refuse(reason.InvalidName, "name must have %d to %d characters", minName, maxName)
	}
	set, err := s.teamSet(v, view.TeamPage{})
	if err != nil {
		return nil, err
	}
	if err := s.checkTexts([]doc.Field{{Key: "name", Value: name}}); err != nil {
		return nil, err
	}
	g, err := s.mesh.OpenGuild(ctx, agent, view.NewGuild{Name: name, Type: v.Text("type"), Visibility: v.Text("visibility")})
	if err != nil {
		return nil, err
	}
	if len(set) > 0 {
		if _, err := s.mesh.EditTeamPage(ctx, agent, g.ID, set, -1); err != nil {
			return nil, fmt.Errorf("write the page of a team: %w", err)
		}
	}
	m, err := s.memberOf(ctx, c, g.ID.Text(change.PrefixGuild))
	if err != nil {
		return nil, err
	}
	reply := s.teamReply(ctx, m)
	reply.Warnings = v.Warnings
	if m.guild.Visibility != publicTeam {
		now := s.cfg.Now()
		_, code, err := s.state.NewInvite(ctx, state.Invite{Team: m.id(), Role: role.Member, Uses: min(slotsOf(m.page), maxInviteUses), MadeBy: agent.String(),
			ExpiresAt: now.Add(inviteLife * time.Second)}, now)
		if err != nil {
			return nil, fmt.Errorf("make the first invitation: %w", err)
		}
		reply.Team.InviteCode = s.marked(code)
	}
	return reply, nil
}

// Kept is what a retry gets: the code of the invitation is told once.
func (r *TeamReply) Kept() any {
	kept := *r
	kept.Team.InviteCode = ""
	return &kept
}

// teamSet turns a request into fields of a guild's page.
func (s *Service) teamSet(v call.Values, now view.TeamPage) ([]doc.Field, error) {
	var set []doc.Field
	var bad []call.Problem
	for _, name := range []string{"description", "max_slots", "domains", "policy"} {
		if !v.Has(name) {
			continue
		}
		f := doc.Field{Key: name}
		switch {
		case v.Null(name):
		case name == "description":
			if text := strings.TrimSpace(v.Text(name)); text != "" {
				f.Value = text
			}
		case name == "max_slots":
			f.Value = int64(v.Int(name))
		case name == "domains":
			var list []any
			for _, d := range v.Texts(name) {
				if clean := gate.CleanDomain(d); !slices.Contains(list, any(clean)) {
					list = append(list, clean)
				}
			}
			if list != nil {
				f.Value = list
			}
		case name == "policy":
			merged, err := mergePolicy(now.Policy, v.Raw(name))
			if err != nil {
				bad = append(bad, call.Fault(name, "%s", err))
			}
			f.Value = merged
		}
		set = append(set, f)
	}
	if err := call.Invalid(bad...); err != nil {
		return nil, err
	}
	return set, s.checkTexts(set)
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
			if !slices.Contains(evidencePolicies, textOf(v)) {
				return nil, fmt.Errorf("%s must be one of %s", k, strings.Join(evidencePolicies, ", "))
			}
		case "bounty_payout":
			if !slices.Contains(payoutPolicies, textOf(v)) {
				return nil, fmt.Errorf("%s must be one of %s", k, strings.Join(payoutPolicies, ", "))
			}
		case "arbiters":
			if !isArbiters(v) {
				return nil, fmt.Errorf("%s must be a list of at most %d ids of agents", k, maxArbiters)
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
	g, _, err := s.liveGuild(ctx, c, text)
	if err != nil {
		return nil, err
	}
	if s.isMember(c, g) {
		m, err := s.inTeam(ctx, c, text, teamRead)
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
func (s *Service) ConfigTeam(ctx context.Context, c call.Caller, text string, v call.Values, ifVersion int) (*TeamReply, error) {
	m, err := s.inTeam(ctx, c, text, configWrite)
	if err != nil {
		return nil, err
	}
	if v.Empty() {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field, such as description")
	}
	set, err := s.teamSet(v, m.page)
	if err != nil {
		return nil, err
	}
	if v.Has("name") {
		name := strings.TrimSpace(v.Text("name"))
		if call.Chars(name) < minName {
			return nil, call.Invalid(call.Fault("name", "must have at least %d characters", minName))
		}
		set = append(set, doc.Field{Key: "name", Value: name})
	}
	if now := v.Text("visibility"); now != "" {
		if (now == publicTeam) != (m.guild.Visibility == publicTeam) {
			return nil, call.Invalid(call.Fault("visibility", "cannot change between public and the others: the roles of the team lie elsewhere"))
		}
		set = append(set, doc.Field{Key: "visibility", Value: now})
	}
	if err := s.checkTexts(set); err != nil {
		return nil, err
	}
	if _, err := s.mesh.EditTeamPage(ctx, m.agent, m.guild.ID, set, ifVersion); err != nil {
		return nil, err
	}
	if m, err = s.memberOf(ctx, c, text); err != nil {
		return nil, err
	}
	reply := s.teamReply(ctx, m)
	reply.Warnings = v.Warnings
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
func (s *Service) CloseTeam(ctx context.Context, c call.Caller, text string, v call.Values) (*ClosedReply, error) {
	m, err := s.inTeam(ctx, c, text, teamDelete)
	if err != nil {
		return nil, err
	}
	if v.Text("confirm") != m.guild.Name {
		return nil, call.Invalid(call.Fault("confirm", "must be the name of the team"))
	}
	if open, err := s.holdsReward(ctx, m.guild.ID); err != nil {
		return nil, fmt.Errorf("look for escrows: %w", err)
	} else if open {
		return nil, reason.Refuse(reason.EscrowOpen, "money waits in bounties of the team")
	}
	if _, err := s.mesh.EditTeamPage(ctx, m.agent, m.guild.ID, []doc.Field{{Key: "deleted", Value: true}}, -1); err != nil {
		return nil, err
	}
	for i := len(m.guild.Members) - 1; i > 0; i-- { // the highest roles last, the caller's own after those of others
		if who := m.guild.Members[i]; who.ID != m.agent {
			if err := s.mesh.RemoveMember(ctx, m.agent, m.guild.ID, who.ID, "the team was closed"); err != nil {
				return nil, fmt.Errorf("end a role of a closed team: %w", err)
			}
		}
	}
	if m.agent != m.guild.Founder.ID {
		if err := s.mesh.RemoveMember(ctx, m.agent, m.guild.ID, m.agent, "the team was closed"); err != nil {
			return nil, fmt.Errorf("end a role of a closed team: %w", err)
		}
	}
	return &ClosedReply{true, true, m.id()}, nil
}

// TransferTeam makes a member an owner. The founder stays an owner for good;
// whoever else transfers is an admin from then on.
func (s *Service) TransferTeam(ctx context.Context, c call.Caller, text string, v call.Values) (*GuildReply, error) {
	m, err := s.inTeam(ctx, c, text, teamTransfer)
	if err != nil {
		return nil, err
	}
	a, err := s.memberNamed(ctx, m, v.Text("agent_id"))
	if err != nil {
		return nil, err
	}
	if a.ID != m.guild.Founder.ID {
		s.issuing.RLock()
		defer s.issuing.RUnlock()
		g, err := s.gift(ctx, c)
		if err != nil {
			return nil, err
		}
		if _, err := s.mesh.GiveRole(ctx, m.agent, m.guild.ID, a.ID, role.Owner, g); err != nil {
			return nil, err
		}
	}
	return s.guildReply(ctx, m.guild.ID)
}

// memberNamed finds a member of a team by id, DID or name, also as lists show the
// name of an agent of another node: name#id.
func (s *Service) memberNamed(ctx context.Context, m member, text string) (view.Agent, error) {
	if text == "" {
		return view.Agent{}, reason.Refuse(reason.MissingField, "agent_id is needed").With(map[string]any{"field": "agent_id"})
	}
	text, err := calledSo(m.guild.Members, text)
	if err != nil {
		return view.Agent{}, err
	}
	a, err := s.findAgent(ctx, text)
	if err != nil {
		return a, err
	}
	if roleIn(m.guild, a.ID) == "" {
		return a, reason.Refuse(reason.AgentNotFound, "the agent is no member of the team")
	}
	return a, nil
}

// calledSo is the id of the one member that lists show under a name, or the text
// itself when there is none.
func calledSo(members []view.Member, text string) (string, error) {
	found := ""
	for _, who := range members {
		switch {
		case who.Handle != text:
		case found != "":
			return "", reason.Refuse(reason.InvalidParam, "several members are called that; name one by its id")
		default:
			found = who.ID.String()
		}
	}
	return cmp.Or(found, text), nil
}

// TeamsReply is a page of the caller's own teams.
type TeamsReply struct {
	Success bool   `json:"success"`
	Teams   []Team `json:"teams"`
	call.Paging
}

// TeamsForm pages through the caller's teams.
var TeamsForm = call.PageFields(call.MaxPage)

// Teams lists the teams the caller is in, newest first.
func (s *Service) Teams(ctx context.Context, c call.Caller, v call.Values) (*TeamsReply, error) {
	agent, err := s.asMember(c)
	if err != nil {
		return nil, err
	}
	reply := &TeamsReply{Success: true, Teams: []Team{}}
	var all []member
	for _, g := range s.mesh.GuildsOf(ctx, agent) {
		m, err := s.memberOf(ctx, c, g.ID.Text(change.PrefixGuild))
		if err == nil {
			all = append(all, m)
		}
	}
	reply.Total = len(all)
	filter := v.Filter("teams")
	at, err := s.pages.Offset(v, filter)
	if err != nil {
		return nil, err
	}
	for i := at; i < len(all) && len(reply.Teams) < v.Int("limit"); i++ {
		reply.Teams = append(reply.Teams, s.teamOf(ctx, all[i]))
	}
	reply.Count = len(reply.Teams)
	return reply, s.pages.NextOffset(&reply.Paging, filter, at)
}
