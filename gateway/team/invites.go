package team

import (
	"context"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// InviteRequest makes an invitation.
type InviteRequest struct {
	call.Request
	Role      string `field:"role"`
	Uses      int    `field:"uses"`
	ExpiresIn int    `field:"expires_in"`
}

// InviteForm reads an InviteRequest.
var InviteForm = call.Define[InviteRequest](call.Form{
	{Name: "role", Enum: []string{role.Member, role.Viewer, "guest"}, Default: role.Member, Help: "The role it gives."},
	{Name: "uses", Kind: call.Int, Min: 1, Max: maxInviteUses, Default: 1, Help: "How many agents may use it."},
	{Name: "expires_in", Kind: call.Int, Min: 1, Max: maxInviteLife, Default: inviteLife, Help: "Seconds it lasts; a week when nobody says."},
})

// marked is a code as it is issued: with the mark of this node behind a dot,
// so that a node elsewhere shows it to no other.
func (s *Service) marked(code string) string { return code + "." + s.mesh.HomeMark() }

// inviteSecret is the part of a code that the database knows.
func inviteSecret(code string) string {
	secret, _, _ := strings.Cut(code, ".")
	return secret
}

// invites reports whether who made an invitation may still invite. The codes of one
// that was removed open nothing, to itself least of all.
func invites(g view.Guild, in state.Invite) bool {
	maker, err := change.ParseAgentID(in.MadeBy)
	return err == nil && access.Permits(access.RoleIn(g, maker), access.MembersInvite)
}

// inviteFault is the refusal of an invitation to another team; a fault of the
// database stays what it is.
func inviteFault(err error) error {
	if err != nil {
		return nil
	}
	return reason.Refuse(reason.InviteInvalid, "the invitation is missing, wrong, used up or expired")
}

// NewInviteReply contains the code of an invitation, which is shown once.
type NewInviteReply struct {
	Success bool   `json:"success"`
	ID      string `json:"id"`
	Code    string `json:"code" doc:"shown once"`
	URL     string `json:"url"`
	Role    string `json:"role"`
	Uses    int    `json:"uses"`
	Expires string `json:"expires_at"`
}

// Kept is what a retry gets: a code is shown once.
func (r *NewInviteReply) Kept() any {
	kept := *r
	kept.Code, kept.URL = "", ""
	return &kept
}

// Invite makes an invitation to a team whose home is here.
func (s *Service) Invite(ctx context.Context, c call.Caller, text string, r InviteRequest) (*NewInviteReply, error) {
	m, err := s.access.InTeam(ctx, c, text, access.MembersInvite)
	if err != nil {
		return nil, err
	}
	if !s.mesh.IsTeamHome(ctx, m.Guild.ID) {
		return nil, s.elsewhere(m.Guild)
	}
	if err := access.Lasting(c); err != nil {
		return nil, err
	}
	now := s.access.Now()
	in, code, err := s.state.NewInvite(ctx, state.Invite{Team: m.ID(), Role: access.RoleNamed(r.Role), Uses: r.Uses, MadeBy: m.Agent.String(), MadeWith: c.KeyID,
		ExpiresAt: now.Add(time.Duration(r.ExpiresIn) * time.Second)}, now)
	if err != nil {
		return nil, err
	}
	code = s.marked(code)
	return &NewInviteReply{true, in.ID, code, s.access.BaseURL() + "/api/mesh/invite/" + code, in.Role, in.Uses, call.Stamp(in.ExpiresAt)}, nil
}

// InviteRecord is an invitation without its code.
type InviteRecord struct {
	ID        string `json:"id"`
	Role      string `json:"role"`
	Uses      int    `json:"uses" doc:"that are left"`
	MadeBy    string `json:"made_by"`
	CreatedAt string `json:"created_at"`
	ExpiresAt string `json:"expires_at"`
}

// InvitesReply lists the live invitations of a team.
type InvitesReply struct {
	Success bool           `json:"success"`
	Invites []InviteRecord `json:"invites"`
	Count   int            `json:"count"`
}

// Invites lists the live invitations of a team, newest first.
func (s *Service) Invites(ctx context.Context, c call.Caller, text string) (*InvitesReply, error) {
	m, err := s.access.ReaderOf(ctx, c, text, access.MembersInvite)
	if err != nil {
		return nil, err
	}
	all, err := s.state.Invites(ctx, m.ID(), s.access.Now())
	if err != nil {
		return nil, err
	}
	reply := &InvitesReply{Success: true, Invites: []InviteRecord{}, Count: len(all)}
	for _, in := range all {
		reply.Invites = append(reply.Invites, InviteRecord{in.ID, in.Role, in.Uses, in.MadeBy, call.Stamp(in.MadeAt), call.Stamp(in.ExpiresAt)})
	}
	return reply, nil
}

// DropInvite takes an invitation back.
func (s *Service) DropInvite(ctx context.Context, c call.Caller, text, id string) error {
	m, err := s.access.InTeam(ctx, c, text, access.MembersInvite)
	if err != nil {
		return err
	}
	return s.state.DropInvite(ctx, m.ID(), id)
}

// InvitePreview is what an invitation is to.
type InvitePreview struct {
	Success   bool        `json:"success"`
	Team      InvitedTeam `json:"team"`
	Role      string      `json:"role"`
	ExpiresAt string      `json:"expires_at"`
}

// InvitedTeam is a team as those see it who are invited.
type InvitedTeam struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	MemberCount int    `json:"memberCount"`
}

// PreviewInvite shows whoever has a code what it is for.
func (s *Service) PreviewInvite(ctx context.Context, code string) (*InvitePreview, error) {
	in, err := s.state.Invite(ctx, inviteSecret(call.Clip(code, maxInviteCode)), s.access.Now())
	if err != nil {
		return nil, err
	}
	g, page, err := s.access.LiveGuild(ctx, call.Caller{}, in.Team)
	if err == nil && !invites(g, in) {
		return nil, inviteFault(nil)
	}
	if err != nil {
		return nil, reason.Refuse(reason.InviteInvalid, "the team of the invitation is gone")
	}
	return &InvitePreview{true, InvitedTeam{g.Name, page.Description, len(g.Members)}, in.Role, call.Stamp(in.ExpiresAt)}, nil
}

// ClaimInvite joins the team that an invitation is to.
func (s *Service) ClaimInvite(ctx context.Context, c call.Caller, code string) (*JoinReply, error) {
	if _, err := s.access.AsMember(c); err != nil {
		return nil, err
	}
	in, err := s.state.Invite(ctx, inviteSecret(call.Clip(code, maxInviteCode)), s.access.Now())
	if err != nil {
		return nil, err
	}
	return s.Join(ctx, c, in.Team, JoinRequest{InviteCode: code})
}
