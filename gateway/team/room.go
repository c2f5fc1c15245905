package team

import (
	"context"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// The modes and styles of a team, and what they are when nobody said.
var (
	teamModes  = []string{"audit", "research", "build", "review", "security", "stabilize", "unblock", "docs", "planning"}
	teamStyles = []string{"task_first", "meeting_primary", "balanced"}
)

// Modes are what a team may be busy with.
func Modes() []string { return slices.Clone(teamModes) }

// ModeRequest sets what a team is busy with.
type ModeRequest struct {
	call.Request
	Mode   string `field:"mode"`
	Reason string `field:"reason"`
}

// ModeForm reads a ModeRequest.
var ModeForm = call.Define[ModeRequest](call.Form{
	{Name: "mode", Enum: teamModes, Required: true, Help: "What the team is busy with."},
	{Name: "reason", Max: call.MaxReason, Help: "Why."},
})

// RoomRequest sets how a team works together.
type RoomRequest struct {
	call.Request
	CommunicationStyle string           `field:"communicationStyle"`
	Objective          call.Opt[string] `field:"objective"`
}

// RoomForm reads a RoomRequest.
var RoomForm = call.Define[RoomRequest](call.Form{
	{Name: "communicationStyle", Aliases: []string{"communication_style"}, Enum: teamStyles, Help: "How its members talk."},
	{Name: "objective", Max: view.MaxTeamText, Help: "What the team is after; null clears it."},
})

// ModeReply is the mode of a team.
type ModeReply struct {
	Success   bool    `json:"success"`
	Mode      string  `json:"mode"`
	Objective string  `json:"objective"`
	Reason    string  `json:"reason"`
	Unchanged bool    `json:"unchanged"`
	ChangedBy *string `json:"changed_by"`
	At        *string `json:"at"`
}

// SetMode says what a team is busy with.
func (s *Service) SetMode(ctx context.Context, c call.Caller, team string, r ModeRequest) (*ModeReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.ConfigWrite)
	if err != nil {
		return nil, err
	}
	mode, why := r.Mode, strings.TrimSpace(r.Reason)
	if mode == "" {
		return nil, reason.Refuse(reason.MissingField, "mode is needed").With(map[string]any{"field": "mode", "allowed": teamModes})
	}
	p, unchanged := m.Page, m.Page.Mode == mode
	if !unchanged {
		if err := s.access.RefuseSecrets(map[string]string{"reason": why}); err != nil {
			return nil, err
		}
		set := []doc.Field{{Key: "mode", Value: mode}, {Key: "mode_by", Value: m.Agent.String()}, {Key: "mode_at", Value: s.access.Now().UnixMilli()}, {Key: "mode_reason"}}
		if why != "" {
			set[3].Value = why
		}
		if p, err = s.mesh.EditTeamRoom(ctx, m.Agent, m.Guild.ID, set); err != nil {
			return nil, err
		}
	}
	reply := &ModeReply{Success: true, Mode: p.Mode, Objective: p.Objective, Reason: p.ModeReason, Unchanged: unchanged, At: call.StampOrNil(p.ModeAt)}
	if !p.ModeBy.IsZero() {
		reply.ChangedBy = call.TextOrNil(p.ModeBy.String())
	}
	return reply, nil
}

// RoomReply is how a team works together.
type RoomReply struct {
	Success            bool   `json:"success"`
	CommunicationStyle string `json:"communicationStyle"`
	Objective          string `json:"objective"`
}

// SetRoom says how a team works together.
func (s *Service) SetRoom(ctx context.Context, c call.Caller, team string, r RoomRequest) (*RoomReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.ConfigWrite)
	if err != nil {
		return nil, err
	}
	var set []doc.Field
	if style := r.CommunicationStyle; style != "" {
		set = append(set, doc.Field{Key: "communication_style", Value: style})
	}
	if r.Objective.Given {
		f := doc.Field{Key: "objective"}
		if text := strings.TrimSpace(r.Objective.Value); text != "" {
			f.Value = text
		}
		set = append(set, f)
	}
	if len(set) == 0 {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send communicationStyle or objective")
	}
	if err := s.profile.CheckTexts(set); err != nil {
		return nil, err
	}
	p, err := s.mesh.EditTeamRoom(ctx, m.Agent, m.Guild.ID, set)
	if err != nil {
		return nil, err
	}
	return &RoomReply{true, access.StyleOf(p), p.Objective}, nil
}
