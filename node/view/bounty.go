package view

import (
	"time"

	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
)

// Bounty is a bounty with what became of it. Its longer texts are read on their
// own.
type Bounty struct {
	ID        change.ID
	Guild     change.ID
	Space     change.Space
	Title     string
	Amount    int64 // micro-USD
	Currency  string
	Deadline  time.Time // zero without one
	Task      string    // id of a task of the board, or ""
	Home      string    // DID of who confirms its steps
	HomeHere  bool      // that is this node
	Creator   AgentRef
	CreatedAt time.Time
	Names     map[change.AgentID]AgentRef // of every agent in State
	Waiting   []bounty.Step               // steps that are not confirmed, in order
	Standing  bounty.State                // without those
	bounty.State
}

// NewBounty is a bounty to be opened.
type NewBounty struct {
	Guild       change.ID
	Title, Text string
	Amount      int64 // micro-USD
	Currency    string
	Deadline    time.Time
	Task        string
}
