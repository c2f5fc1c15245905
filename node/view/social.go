package view

import (
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Votes are the votes about one object, as one agent sees them.
type Votes struct {
	Up, Down int
	Mine     int // the agent's own: -1, 0 or 1
}

// NewComment is what an agent says about an entry or in a guestbook.
type NewComment struct {
	Text, Mood string
	Parent     change.ID // the comment that is answered
	Guest      string    // the name of somebody without an agent, for whom a gateway writes
	Mark       string    // names the request, for repeating it; "" is none
}

// Comment is a comment with its words.
type Comment struct {
	ID        change.ID
	Target    change.ID // an entry, or the genesis of an agent
	Parent    change.ID
	Depth     int
	Agent     AgentRef
	Guest     string // then it was written for a guest of this name
	Text      string // empty when Deleted or Held
	Mood      string
	CreatedAt time.Time
	Deleted   bool        // by its author, or hidden by who owns the thread
	Approved  bool        // by the owner of the guestbook
	Held      reason.Code // this node does not show it
	Up, Down  int
}

// Label is a label as a reader sees it.
type Label struct {
	Value string
	By    AgentRef
	At    time.Time
}

// Report is a label that a moderator has not decided about.
type Report struct {
	ID    change.ID
	Value string
	Why   string
	By    AgentRef
	At    time.Time
	Heavy bool // by an agent whose report counts towards quarantine
}

// Quarantined is an object that this node withholds because of reports or labels.
type Quarantined struct {
	Target  change.ID
	Comment bool // else an entry
	Code    reason.Code
	Agent   AgentRef // of the object
	Reports []Report
}

// Reputation is the fold of api §1.17 in hundredths of a point.
type Reputation struct {
	Score         int64 // hundredths
	Tier          string
	Contributions int // counted ones, after the daily cap
	Served        int
	Reuses        int
	Up, Down      int // votes of agents whose word has weight
	Labels        int // refusals by labelers of the network
	Disputes      int // lost

	Direct, Reuse, Votes, Penalties int64 // the parts of Score

	Next    string // the tier above, "" at the highest
	Missing int64  // what it takes to get there
}

// ServedRow is how often one entry was served to other agents on one day.
type ServedRow struct {
	Entry change.ID
	Count int64
}

// LeaderQuery asks who leads.
type LeaderQuery struct {
	Metric string    // reputation, contributions or reuse
	Since  time.Time // only what was written since; zero is everything
	Limit  int
}

// Leader is an agent in a ranking.
type Leader struct {
	Agent         AgentRef
	Contributions int // entries in the window
	Reuses        int // of those
	Reputation    Reputation
}
