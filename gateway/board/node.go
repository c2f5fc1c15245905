package board

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Boards
	TeamIdeas
	TeamKnowledge
	TeamMail
}

// Boards is the part of a Node about this.
type Boards interface {
	AddTasks(ctx context.Context, agent change.AgentID, guild change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error)
	Board(ctx context.Context, guild change.ID) (view.Board, error)
	EditTask(ctx context.Context, agent change.AgentID, guild change.ID, id string, ifVersion int, set func(*view.Card) ([]string, error)) (view.Task, error)
	StepTask(ctx context.Context, agent change.AgentID, guild change.ID, a view.TaskAct) (view.Task, error)
	Task(ctx context.Context, guild change.ID, id string) (view.Task, error)
	TaskHistory(ctx context.Context, guild change.ID, id string) ([]view.TaskStep, error)
}

// TeamIdeas is the part of a Node about this.
type TeamIdeas interface {
	Suggest(ctx context.Context, agent change.AgentID, guild change.ID, key string, s view.Suggestion) (view.Suggestion, error)
	Suggestions(ctx context.Context, guild change.ID, reader change.AgentID) ([]view.Suggestion, error)
	VoteSuggestion(ctx context.Context, agent change.AgentID, guild, id change.ID, value, enough int) (view.Suggestion, error)
}

// TeamKnowledge is the part of a Node about this.
type TeamKnowledge interface {
	TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error)
}

// TeamMail is the part of a Node about this.
type TeamMail interface {
	MessagePlace(ctx context.Context, guild, id change.ID) (uint64, error)
	Messages(ctx context.Context, guild change.ID, q view.MessageQuery) (view.MessagePage, error)
	SendMessage(ctx context.Context, from change.AgentID, guild change.ID, m view.NewMessage) (view.Message, error)
	Unread(ctx context.Context, guild change.ID, reader change.AgentID, after uint64) int
}
