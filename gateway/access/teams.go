package access

import (
	"cmp"
	"context"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/view"
)

// IsArbiters reports whether a value of a policy is a list of agents.
func IsArbiters(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) <= call.MaxArbiters && !slices.ContainsFunc(list, func(x any) bool {
		text, _ := x.(string)
		_, err := change.ParseAgentID(text)
		return err != nil
	})
}

// ModeOf is what a team is busy with.
func ModeOf(p view.TeamPage) string { return cmp.Or(p.Mode, defaultMode) }

// FindGuild finds a guild by its id or the beginning of it, a private one for its members.
func (s *Service) FindGuild(ctx context.Context, c call.Caller, text string) (view.Guild, error) {
	id, err := s.IDFor(ctx, c, change.PrefixGuild, text, reason.Refuse(reason.TeamNotFound, "no such guild"))
	if err != nil {
		return view.Guild{}, err
	}
	return s.mesh.Guild(ctx, id)
}

// IsMember reports whether a caller reads what is for the members of a guild: its
// agent is one, or its token covers that.
func (s *Service) IsMember(c call.Caller, g view.Guild) bool {
	if c.ByToken() {
		return bearer{s, c}.in(g, view.TeamPage{}, TeamRead) == nil
	}
	if c.RequireKey() != nil {
		return false
	}
	agent, err := Actor(c)
	return err == nil && slices.ContainsFunc(g.Members, func(m view.Member) bool { return m.ID == agent })
}

// AsMember is the agent of a caller that may act in teams.
func (s *Service) AsMember(c call.Caller) (change.AgentID, error) {
	if err := c.RequireScope(state.ScopeTeam); err != nil {
		return change.AgentID{}, err
	}
	return Actor(c)
}

// Present are the agents present in a team, by id.
func (s *Service) Present(ctx context.Context, team string) (map[string]state.Presence, error) {
	all, err := s.state.Present(ctx, team, s.cfg.Now())
	out := make(map[string]state.Presence, len(all))
	for _, p := range all {
		out[p.Agent] = p
	}
	return out, err
}

// TeamPolicy is what a team has decided about itself.
type TeamPolicy struct {
	RequireSignedWrites bool   `json:"require_signed_writes" doc:"whoever writes into the team or steps in its bounties signs the request; joining, leaving and presence are free"`
	ClaimNeedsHeartbeat bool   `json:"claim_needs_heartbeat"`
	EvidenceOnDone      string `json:"evidence_on_done" enum:"none,summary,commit,evidence"`
	BountyPayout        string `json:"bounty_payout" enum:"owner,admin,governance"`
	AllowViewerMessages bool   `json:"allow_viewer_messages" doc:"viewers write messages, and nothing else; the home node of the team gives each of them a right to"`
	Waitlist            bool   `json:"waitlist"`
}

// PolicyOf reads a policy; what is absent has its default.
func PolicyOf(m map[string]any) TeamPolicy {
	p := TeamPolicy{EvidenceOnDone: "summary", BountyPayout: "admin"}
	p.ClaimNeedsHeartbeat, _ = m["claim_needs_heartbeat"].(bool)
	p.Waitlist, _ = m["waitlist"].(bool)
	p.RequireSignedWrites, _ = m["require_signed_writes"].(bool)
	p.AllowViewerMessages, _ = m["allow_viewer_messages"].(bool)
	if s := TextOf(m["evidence_on_done"]); slices.Contains(EvidencePolicies, s) {
		p.EvidenceOnDone = s
	}
	if s := TextOf(m["bounty_payout"]); slices.Contains(PayoutPolicies, s) {
		p.BountyPayout = s
	}
	return p
}

// The values of the policies evidence_on_done and bounty_payout.
var (
	EvidencePolicies = []string{"none", "summary", "commit", "evidence"}
	PayoutPolicies   = []string{"owner", "admin", "governance"}
)

// MemberNamed finds a member of a team by id, DID or name, also as lists show the
// name of an agent of another node: name#id.
func (s *Service) MemberNamed(ctx context.Context, m Member, text string) (view.Agent, error) {
	if text == "" {
		return view.Agent{}, reason.Refuse(reason.MissingField, "agent_id is needed").With(map[string]any{"field": "agent_id"})
	}
	text, err := calledSo(m.Guild.Members, text)
	if err != nil {
		return view.Agent{}, err
	}
	a, err := s.FindAgent(ctx, text)
	if err != nil {
		return a, err
	}
	if RoleIn(m.Guild, a.ID) == "" {
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

// What a team is and does that has not said so.
const (
	defaultMode  = "build"
	defaultStyle = "task_first"
)

// StyleOf is how the members of a team talk.
func StyleOf(p view.TeamPage) string { return cmp.Or(p.Style, defaultStyle) }
