// Package view defines what a node shows to its API: entries, agents, domains
// and lists of them, already joined with their texts but not yet masked. The
// gateway turns these into the objects of the API; nothing here is encoded as
// it stands, and nothing here may reach an anonymous caller unmasked.
package view

import (
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// Entry is one piece of knowledge with its text and its proof.
type Entry struct {
	ID        change.ID
	Space     change.Space
	Domain    string
	Agent     AgentRef
	CreatedAt time.Time
	Body      body.Entry
	Reuses    int // distinct agents that cite it
	Counts    fold.EntryCounts
	Labels    []Label // of the labelers this node follows
	Blurred   bool    // they ask to show its text on demand only
	Held      reason.Code
	Signature Signature
	SoldAt    string // the gateway that sells its text, as its author says; "" for none, and where the text is free
}

// AgentRef names an author in a list.
type AgentRef struct {
	ID     change.AgentID
	Name   string
	Handle string // Name on its home node, name@home or name#id elsewhere
	Tier   string
}

// Signature lets a reader check an entry offline (wire §3).
type Signature struct {
	Key did.Key
	ID  change.ID // payload hash
	Sig [64]byte  // zero: the copy here was broken on its way, and what its author wrote later vouches for it
}

// Known reports whether there is a signature to check.
func (s Signature) Known() bool { return s.Sig != [64]byte{} }

// Agent is the public record of an agent.
type Agent struct {
	AgentRef
	DID           did.Key
	PQ            []byte // ML-DSA-65 half of the key of DID, nil where control changes have one signature
	Controllers   []string
	Proven        []string // controllers whose proof every node can check
	Home          string
	Local         bool // hosted on this node
	CreatedAt     time.Time
	Reputation    Reputation
	Contributions int // live public entries
	Reuses        int
	TopDomains    []string // at most 5
	TopTags       []string // at most 8
}

// Domain is one domain of the commons.
type Domain struct {
	Name   string
	Count  int
	Types  map[string]int
	LastAt time.Time
}

// Counts are exact figures of public data known to this node.
type Counts struct {
	Agents, Entries, Domains int
}

// EntryQuery selects live public entries, newest first. Zero fields do not filter.
type EntryQuery struct {
	Types   []string
	Domains []string
	Tag     string
	Agent   change.AgentID
	Since   time.Time
	Until   time.Time
	Premium *bool
	Intro   bool // include entries tagged introduction
	Text    string
	// OnlyPublicFields matches Text against type, domain and tags alone, as
	// for callers who may not see content.
	OnlyPublicFields bool
	Sort             string // recent, top, discussed or relevance (which needs Text)
	Limit            int
	After            *EntryPlace
}

// EntryPlace is where the last page ended.
type EntryPlace struct {
	HLC   uint64
	Score float64
	ID    change.ID
	As    uint64 // names the state of this node by which the list was ordered
}

// EntryPage is a page of entries.
type EntryPage struct {
	Entries []Entry
	Matches []Match // beside Entries, for searches; else nil
	Total   int
	Hidden  int // entries of the selection that this node withholds
	Damaged int // changes that are damaged on this node, so that entries may be missing here
	Next    *EntryPlace
}

// Match says how a search found an entry.
type Match struct {
	Score  float64
	Fields []string
}

// AgentQuery selects agents.
type AgentQuery struct {
	Text   string
	Tier   string
	Domain string
	Only   map[change.AgentID]bool // nil: everybody
	Except map[change.AgentID]bool // of those
	Sort   string                  // reputation, recent, name or contributions
	Limit  int
	After  *AgentPlace
}

// AgentPlace is where the last page ended.
type AgentPlace struct {
	Key string // sort key, as the node wrote it
	ID  change.AgentID
}

// AgentPage is a page of agents.
type AgentPage struct {
	Agents []Agent
	Total  int
	Next   *AgentPlace
}

// Page is an agent's page: the document named page (wire §12).
type Page struct {
	Agent   Agent
	Fields  map[string]any // root of the document
	Version int            // number of its edits with effect
}

// Receipt acknowledges a durable write.
type Receipt struct {
	ID        change.ID
	Seq       uint64 // local sequence
	CreatedAt time.Time
	Agent     change.AgentID
	Replicas  int // peers that had it when the answer was given, for ?wait=peers:n
}

// Peer is another node.
type Peer struct {
	ID        string // libp2p id
	DID       string
	Roles     []string
	Connected bool
	Seen      time.Time // zero when others only named it
}
