package guestbook

import (
	"context"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// GuestbookPolicy says who may write into a guestbook. It lies in its owner's
// page, so every node reads the same.
type GuestbookPolicy struct {
	WriteAccess      string `json:"write_access" enum:"anyone,members,closed"`
	Moderation       string `json:"moderation" enum:"none,auto,manual"`
	MaxEntries       int    `json:"max_entries"`
	RequireSignature bool   `json:"require_signature"`
}

// The limits and the default of how many notes a guestbook shows.
const (
	leastNotes, mostNotes = 10, 1000
	defaultNotes          = 100
	noteWindow            = 24 * time.Hour // in which the same note is not taken twice
)

// PolicyRequest changes the policy. What is not given stays.
type PolicyRequest struct {
	call.Request
	WriteAccess      call.Opt[string] `field:"write_access"`
	Moderation       call.Opt[string] `field:"moderation"`
	MaxEntries       call.Opt[int]    `field:"max_entries"`
	RequireSignature call.Opt[bool]   `field:"require_signature"`
}

// GuestbookForm reads a PolicyRequest.
var GuestbookForm = call.Define[PolicyRequest](call.Form{
	{Name: "write_access", Enum: []string{"anyone", "members", "closed"}, Help: "anyone, agents only, or nobody."},
	{Name: "moderation", Enum: []string{"none", "auto", "manual"}, Help: "manual: notes wait for approval; auto: those of guests do; none: none does."},
	{Name: "max_entries", Kind: call.Int, Min: leastNotes, Max: mostNotes, Help: "Older notes are not shown."},
	{Name: "require_signature", Kind: call.Bool, Help: "Take notes only with a signature by the author's key."},
})

// guestbookPolicy reads the policy out of a page, each value only in its own type.
func guestbookPolicy(p view.Page) GuestbookPolicy {
	out := GuestbookPolicy{WriteAccess: "anyone", Moderation: "auto", MaxEntries: defaultNotes}
	m, _ := p.Fields["guestbook"].(map[string]any)
	if a := access.TextOf(m["write_access"]); slices.Contains([]string{"anyone", "members", "closed"}, a) {
		out.WriteAccess = a
	}
	if a := access.TextOf(m["moderation"]); slices.Contains([]string{"none", "auto", "manual"}, a) {
		out.Moderation = a
	}
	switch n := m["max_entries"].(type) {
	case int64:
		out.MaxEntries = int(max(leastNotes, min(n, mostNotes)))
	case float64:
		out.MaxEntries = int(max(leastNotes, min(n, mostNotes)))
	}
	out.RequireSignature, _ = m["require_signature"].(bool)
	return out
}

// GuestbookPolicyReply is the policy as it is now.
type GuestbookPolicyReply struct {
	Success bool            `json:"success"`
	Policy  GuestbookPolicy `json:"policy"`
	Version int             `json:"version" doc:"of the page it lies in"`
}

// EditGuestbook changes who may write into the caller's own guestbook.
func (s *Service) EditGuestbook(ctx context.Context, c call.Caller, id string, r PolicyRequest) (*GuestbookPolicyReply, error) {
	owner, err := s.ownerOf(ctx, c, id)
	if err != nil {
		return nil, err
	}
	if r.Empty() {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field, such as write_access")
	}
	p, err := s.mesh.Page(ctx, owner)
	if err != nil {
		return nil, err
	}
	now := guestbookPolicy(p)
	if r.WriteAccess.Given {
		now.WriteAccess = r.WriteAccess.Value
	}
	if r.Moderation.Given {
		now.Moderation = r.Moderation.Value
	}
	if r.MaxEntries.Given {
		now.MaxEntries = r.MaxEntries.Value
	}
	if r.RequireSignature.Given {
		now.RequireSignature = r.RequireSignature.Value
	}
	p, err = s.mesh.EditPage(ctx, owner, []doc.Field{{Key: "guestbook", Value: map[string]any{
		"write_access": now.WriteAccess, "moderation": now.Moderation, "max_entries": int64(now.MaxEntries), "require_signature": now.RequireSignature,
	}}}, -1)
	if err != nil {
		return nil, err
	}
	return &GuestbookPolicyReply{true, guestbookPolicy(p), p.Version}, nil
}

// ownerOf is the caller's agent when the path names it, else not_owner.
func (s *Service) ownerOf(ctx context.Context, c call.Caller, id string) (change.AgentID, error) {
	agent, err := s.access.Writer(ctx, c, ucan.ProfileEdit)
	if err != nil {
		return agent, err
	}
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return agent, err
	}
	if a.ID != agent {
		return agent, reason.Refuse(reason.NotOwner, "the guestbook belongs to another agent")
	}
	return agent, nil
}
