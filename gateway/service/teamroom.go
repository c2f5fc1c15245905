package service

import (
	"cmp"
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// The modes and styles of a team, and what they are when nobody said.
var (
	teamModes  = []string{"audit", "research", "build", "review", "security", "stabilize", "unblock", "docs", "planning"}
	teamStyles = []string{"task_first", "meeting_primary", "balanced"}
)

const (
	defaultMode  = "build"
	defaultStyle = "task_first"
)

func styleOf(p view.TeamPage) string { return cmp.Or(p.Style, defaultStyle) }

// ModeForm sets what a team is busy with.
var ModeForm = call.Form{
	{Name: "mode", Enum: teamModes, Required: true, Help: "What the team is busy with."},
	{Name: "reason", Max: maxReason, Help: "Why."},
}

// RoomForm sets how a team works together.
var RoomForm = call.Form{
	{Name: "communicationStyle", Aliases: []string{"communication_style"}, Enum: teamStyles, Help: "How its members talk."},
	{Name: "objective", Max: maxTeamText, Help: "What the team is after; null clears it."},
}

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
func (s *Service) SetMode(ctx context.Context, c call.Caller, team string, v call.Values) (*ModeReply, error) {
	m, err := s.inTeam(ctx, c, team, configWrite)
	if err != nil {
		return nil, err
	}
	mode, why := v.Text("mode"), strings.TrimSpace(v.Text("reason"))
	if mode == "" {
		return nil, reason.Refuse(reason.MissingField, "mode is needed").With(map[string]any{"field": "mode", "allowed": teamModes})
	}
	p, unchanged := m.page, m.page.Mode == mode
	if !unchanged {
		if err := s.noSecrets(map[string]string{"reason": why}); err != nil {
			return nil, err
		}
		set := []doc.Field{{Key: "mode", Value: mode}, {Key: "mode_by", Value: m.agent.String()}, {Key: "mode_at", Value: s.cfg.Now().UnixMilli()}, {Key: "mode_reason"}}
		if why != "" {
			set[3].Value = why
		}
		if p, err = s.mesh.EditTeamRoom(ctx, m.agent, m.guild.ID, set); err != nil {
			return nil, err
		}
	}
	reply := &ModeReply{Success: true, Mode: p.Mode, Objective: p.Objective, Reason: p.ModeReason, Unchanged: unchanged, At: call.StampOrNil(p.ModeAt)}
	if !p.ModeBy.IsZero() {
		reply.ChangedBy = textOrNil(p.ModeBy.String())
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
func (s *Service) SetRoom(ctx context.Context, c call.Caller, team string, v call.Values) (*RoomReply, error) {
	m, err := s.inTeam(ctx, c, team, configWrite)
	if err != nil {
		return nil, err
	}
	var set []doc.Field
	if style := v.Text("communicationStyle"); style != "" {
		set = append(set, doc.Field{Key: "communication_style", Value: style})
	}
	if v.Has("objective") {
		f := doc.Field{Key: "objective"}
		if text := strings.TrimSpace(v.Text("objective")); text != "" {
			f.Value = text
		}
		set = append(set, f)
	}
	if len(set) == 0 {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send communicationStyle or objective")
	}
	if err := s.checkTexts(set); err != nil {
		return nil, err
	}
	p, err := s.mesh.EditTeamRoom(ctx, m.agent, m.guild.ID, set)
	if err != nil {
		return nil, err
	}
	return &RoomReply{true, styleOf(p), p.Objective}, nil
}
