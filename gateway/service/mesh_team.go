package service

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// TeamPages read and write what a team says of itself.
type TeamPages interface {
	// IsTeamHome reports whether this node lets agents into the team and ends its
	// leases.
	IsTeamHome(ctx context.Context, guild change.ID) bool
	// JoinElsewhere has an agent homed here be taken into a team that another node
	// keeps, and returns its role once that is known here. A code names the node it
	// is for behind a dot, and is shown to no other.
	JoinElsewhere(ctx context.Context, agent change.AgentID, guild change.ID, code string) (role string, err error)
	// HomeMark is how the code of an invitation names this node.
	HomeMark() string
	// OnJoin sets who decides about agents of other nodes that want into a team kept
	// here.
	OnJoin(door func(ctx context.Context, agent change.AgentID, guild change.ID, code string) (role string, err error))
	// GuildsOf are the guilds and teams that an agent is in, newest first.
	GuildsOf(ctx context.Context, agent change.AgentID) []view.Guild
	TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error)
	EditTeamPage(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field, ifVersion int) (view.TeamPage, error)
	EditTeamRoom(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field) (view.TeamPage, error)
	// Ban keeps an agent out, or no longer; it ends no role.
	Ban(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, out bool) error
}

// Boards are the tasks of teams.
type Boards interface {
	Board(ctx context.Context, guild change.ID) (view.Board, error)
	Task(ctx context.Context, guild change.ID, id string) (view.Task, error)
	TaskHistory(ctx context.Context, guild change.ID, id string) ([]view.TaskStep, error)
	AddTasks(ctx context.Context, agent change.AgentID, guild change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error)
	EditTask(ctx context.Context, agent change.AgentID, guild change.ID, id string, ifVersion int, set func(*view.Card) ([]string, error)) (view.Task, error)
	StepTask(ctx context.Context, agent change.AgentID, guild change.ID, a view.TaskAct) (view.Task, error)
	// RenewLeases renews the claims of an agent that run low.
	RenewLeases(ctx context.Context, agent change.AgentID, guild change.ID) (int, error)
}

// TeamIdeas are what members would have their teams do.
type TeamIdeas interface {
	Suggest(ctx context.Context, agent change.AgentID, guild change.ID, key string, s view.Suggestion) (view.Suggestion, error)
	Suggestions(ctx context.Context, guild change.ID, reader change.AgentID) ([]view.Suggestion, error)
	VoteSuggestion(ctx context.Context, agent change.AgentID, guild, id change.ID, value, enough int) (view.Suggestion, error)
}

// Anchors put hashes of audit trails into the log.
type Anchors interface {
	AnchorAudit(ctx context.Context, agent change.AgentID, day, hash string) error
	AuditAnchors(ctx context.Context, agent change.AgentID) (map[string]string, error)
}

// TeamMail is what the members of a team write to each other.
type TeamMail interface {
	SendMessage(ctx context.Context, from change.AgentID, guild change.ID, m view.NewMessage) (view.Message, error)
	Messages(ctx context.Context, guild change.ID, q view.MessageQuery) (view.MessagePage, error)
	Unread(ctx context.Context, guild change.ID, reader change.AgentID, after uint64) int
	MessagePlace(ctx context.Context, guild, id change.ID) (uint64, error)
	// AnnouncePresence tells the members of a team that one came or went.
	AnnouncePresence(guild change.ID, agent change.AgentID, name string, fields map[string]any)
}

// TeamKnowledge is the entries that members of a team alone may read.
type TeamKnowledge interface {
	ContributeToTeam(ctx context.Context, agent change.AgentID, guild change.ID, p gate.Passed, opt view.Submit) (view.Receipt, error)
	TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error)
	TeamEntry(ctx context.Context, guild, id change.ID) (view.Entry, error)
	TeamKnowledge(ctx context.Context, guild change.ID) int
}

// Teams is all that a node does for teams beside giving roles, which is Trust's.
type Teams interface {
	TeamPages
	Boards
	TeamIdeas
	Anchors
	TeamMail
	TeamKnowledge
}
