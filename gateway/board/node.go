package board

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	tasks
	mail
	ideas

	// TeamEntries lists live entries of a team, newest first. A text selects those
	// that contain all its words.
	TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error)
}

// tasks are the tasks of a team and what is done about them.
type tasks interface {
	// AddTasks puts cards on a team's board, under ids made by the caller. With dedup
	// a card whose title an unfinished task has already, without regard to case, is
	// left out; known are their titles.
	AddTasks(ctx context.Context, agent change.AgentID, guild change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error)
	// Board is all tasks of a team that are not deleted: by priority, the highest
	// first, then the oldest first.
	Board(ctx context.Context, guild change.ID) (view.Board, error)
	// Task is one task with what is said of it, or task_not_found.
	Task(ctx context.Context, guild change.ID, id string) (view.Task, error)
	// TaskHistory are the steps that changed a task, oldest first.
	TaskHistory(ctx context.Context, guild change.ID, id string) ([]view.TaskStep, error)
	// EditTask changes fields of a card. set receives the card as it stands; it
	// returns the names of the fields that it changed, as they are in the API.
	EditTask(ctx context.Context, agent change.AgentID, guild change.ID, id string, ifVersion int, set func(*view.Card) ([]string, error)) (view.Task, error)
	// StepTask writes one act about a task, or refuses as board.Step.Take does, with
	// details.claimedBy of a task that another agent has.
	StepTask(ctx context.Context, agent change.AgentID, guild change.ID, a view.TaskAct) (view.Task, error)
}

// mail is the messages of a team.
type mail interface {
	// SendMessage writes a message of a member to its team, or sealed to one other
	// member. The refusal of a recipient without a key to seal for is
	// proof_required.
	SendMessage(ctx context.Context, from change.AgentID, guild change.ID, m view.NewMessage) (view.Message, error)
	// Messages lists the messages of a team that an agent may read, newest first:
	// those to the team, and those to it or from it.
	Messages(ctx context.Context, guild change.ID, q view.MessageQuery) (view.MessagePage, error)
	// MessagePlace is the logical time of a message of a team, or not_found.
	MessagePlace(ctx context.Context, guild, id change.ID) (uint64, error)
	// Unread counts the messages of others that came after one, at most 1000.
	Unread(ctx context.Context, guild change.ID, reader change.AgentID, after uint64) int
}

// ideas are what members would have their team do.
type ideas interface {
	// Suggest writes a suggestion of a member. key is new and names its place.
	Suggest(ctx context.Context, agent change.AgentID, guild change.ID, key string, s view.Suggestion) (view.Suggestion, error)
	// Suggestions are those of a team, newest first, with their votes and that of one
	// agent.
	Suggestions(ctx context.Context, guild change.ID, reader change.AgentID) ([]view.Suggestion, error)
	// VoteSuggestion is the vote of a member. A suggestion with enough votes becomes
	// a task, once.
	VoteSuggestion(ctx context.Context, agent change.AgentID, guild, id change.ID, value, enough int) (view.Suggestion, error)
}
