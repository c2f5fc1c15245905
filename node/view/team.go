package view

import (
	"encoding/json"
	"time"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/change"
)

// Document is a document as it stands.
type Document struct {
	Fields  map[string]any // its root
	Version int            // number of its edits with effect
}

// TeamPage is what a guild says of itself: its public page, and the room that its
// members alone see.
type TeamPage struct {
	Name        string // "" : the name it was founded with
	Description string
	Visibility  string // "" : that it was founded with
	MaxSlots    int    // 0: nobody set it
	Domains     []string
	Policy      map[string]any
	Deleted     bool // its owner closed it
	Version     int  // of the page

	Mode        string
	ModeReason  string
	ModeBy      change.AgentID
	ModeAt      time.Time
	Objective   string
	Style       string
	Banned      []change.AgentID
	RoomVersion int
}

// ViewersWrite reports whether the policy lets viewers write messages.
func (p TeamPage) ViewersWrite() bool {
	on, _ := p.Policy["allow_viewer_messages"].(bool)
	return on && !p.Deleted
}

// Card is what a task is, apart from who works on it.
type Card struct {
	Title, Description string
	Priority           int
	Tags               []string
	Role               string
	DependsOn          []string
	Source             string
	Metadata           json.RawMessage // nil or an object
	Parent             string
	CreatedBy          change.AgentID
	CreatedAt          time.Time
	Deleted            bool
	Commits            []string // the first is that of its completion
	Evidence           string
	Artifacts          []string
	Edits              int // how often the card was edited
}

// Task is a card with where it stands.
type Task struct {
	ID string
	Card
	State     board.State
	Claimer   AgentRef
	Closer    AgentRef
	ClosedAt  time.Time
	ClaimedAt time.Time
	LeaseEnds time.Time // zero unless claimed
	Confirmed bool      // claimed, and no other claim that was made elsewhere can come before this one
	Said      string    // the summary of a done task, the reason of a blocked one
}

// Version changes with every edit of the card and every step that counts.
func (t Task) Version() int { return t.Edits + t.State.Steps }

// Board is all tasks of a team that are not deleted, by priority and age.
type Board struct {
	Tasks   []Task
	Version int // of the document
}

// TaskStep is one act about a task that changed it.
type TaskStep struct {
	ID   change.ID
	At   time.Time
	By   AgentRef
	Act  string
	To   AgentRef
	Text string
}

// LostClaim is a claim of a task that another step, made elsewhere at the same time, came
// before.
type LostClaim struct {
	Guild       change.ID
	Task, Title string
	Claim       change.ID    // the step
	Agent       AgentRef     // who claimed
	Holder      AgentRef     // who has the task instead, or finished it; zero when it is blocked and nobody's
	Status      board.Status // of the task when the turn of the claim came
}

// Why says what came before the claim.
func (l LostClaim) Why() string {
	switch l.Status {
	case board.Done:
		return l.Holder.Handle + " had finished it."
	case board.Blocked:
		return "it was blocked first."
	}
	return l.Holder.Handle + " claimed it first."
}

// TaskAct asks for a step of a task.
type TaskAct struct {
	Task, Act string
	To        change.AgentID
	Text      string
	IfVersion int // -1: whatever it is
}

// NewMessage is a message to be sent.
type NewMessage struct {
	Type, Text, Subject, Task string
	To                        change.AgentID // zero: the team
	Reply                     change.ID
	IdempotencyKey            string
}

// Message is one message as its reader may see it.
type Message struct {
	ID            change.ID
	HLC           uint64
	From          AgentRef
	To            change.AgentID
	Type          string
	Subject, Text string
	Locked        bool // sealed, and no key of the reader that opens it lies here
	Task          string
	Reply         change.ID
	CreatedAt     time.Time
}

// MessageQuery selects messages of a team, newest first.
type MessageQuery struct {
	Reader        change.AgentID
	Type, Task    string
	Since, Before time.Time
	After         *EntryPlace // where the last page ended
	Limit         int
}

// MessagePage is a page of messages.
type MessagePage struct {
	Messages []Message
	Next     *EntryPlace
}

// Suggestion is what a member would have a team do.
type Suggestion struct {
	ID                                     change.ID
	By                                     change.AgentID
	Title, Description, Category, Evidence string
	CreatedAt                              time.Time
	Up, Down                               int
	Mine                                   int    // vote of who asks
	Task                                   string // that it became, or ""
}
