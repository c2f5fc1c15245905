package admission

import (
	"encoding/json"
	"sync"
	"time"
)

const (
	markEvery  = time.Hour
	settleFor  = 10 * time.Minute // after one equal peer, if no second one comes
	stillMuch  = 64               // new changes of one pass that show that there is more to learn
	maxCatchUp = 24 * time.Hour   // after which a home that never found an equal peer stops catching up
)

// Mark says which local sequence the log had reached at a time.
type Mark struct {
	At  int64  `json:"at"` // ms since 1970
	Seq uint64 `json:"seq"`
}

// Ages knows since when this node has had what is in its log, which no author
// can claim, and which of it is older than its following of the network. Its
// fields are what a node keeps over a restart. It is safe for concurrent use.
type Ages struct {
	mu sync.Mutex // guards all below

	Began    int64  `json:"began"`           // ms: first start of this home
	Met      int64  `json:"met,omitempty"`   // ms: first connected to a peer
	Equal    string `json:"equal,omitempty"` // the first peer that was found equal
	EqualAt  int64  `json:"equal_at,omitempty"`
	Caught   int64  `json:"caught,omitempty"` // ms: no longer catching up since
	Upto     uint64 `json:"upto,omitempty"`   // local sequence at that time
	Marks    []Mark `json:"marks,omitempty"`  // one an hour, for NewbornFor
	LastSeen int64  `json:"seen,omitempty"`   // ms: the node ran then
}

// NewAges is for a home that starts at a time. One whose log has something up to
// seq, from before there were ages, has caught up already.
func NewAges(now time.Time, seq uint64) *Ages {
	a := &Ages{Began: now.UnixMilli()}
	if seq > 0 {
		a.Caught, a.Upto = a.Began, seq
	}
	return a
}

// MarshalJSON writes the fields of one moment.
func (a *Ages) MarshalJSON() ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return json.Marshal(struct {
		Began    int64  `json:"began"`
		Met      int64  `json:"met,omitempty"`
		Equal    string `json:"equal,omitempty"`
		EqualAt  int64  `json:"equal_at,omitempty"`
		Caught   int64  `json:"caught,omitempty"`
		Upto     uint64 `json:"upto,omitempty"`
		Marks    []Mark `json:"marks,omitempty"`
		LastSeen int64  `json:"seen,omitempty"`
	}{a.Began, a.Met, a.Equal, a.EqualAt, a.Caught, a.Upto, a.Marks, a.LastSeen})
}

// Away is how long the node did not run before now, 0 when that is not known.
func (a *Ages) Away(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.LastSeen == 0 {
		return 0
	}
	return max(0, now.Sub(time.UnixMilli(a.LastSeen)))
}

// Note records how far the log has come. It is to be called every minute or so.
func (a *Ages) Note(now time.Time, seq uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ms := now.UnixMilli()
	a.LastSeen = ms
	if n := len(a.Marks); n == 0 || ms-a.Marks[n-1].At >= markEvery.Milliseconds() {
		a.Marks = append(a.Marks, Mark{ms, seq})
	}
	for len(a.Marks) > 1 && a.Marks[1].At <= ms-NewbornFor.Milliseconds() {
		a.Marks = a.Marks[1:]
	}
	one := a.EqualAt != 0 && ms-a.EqualAt >= settleFor.Milliseconds()
	if a.Caught == 0 && (one || a.Met != 0 && ms-a.Met >= maxCatchUp.Milliseconds()) {
		a.Caught, a.Upto = ms, seq
	}
}

// Peer records a pass with a peer, after which both had the same (equal) or
// not, and which brought got new changes. One peer alone may lie about what there
// is, so that two are asked for, and as long as another brings much it goes on.
func (a *Ages) Peer(peer string, equal bool, got int, now time.Time, seq uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ms := now.UnixMilli()
	if a.Met == 0 {
		a.Met = ms
	}
	if got >= stillMuch {
		a.Equal, a.EqualAt = "", 0
	}
	switch {
	case !equal || a.Caught != 0:
	case a.EqualAt == 0:
		a.Equal, a.EqualAt = peer, ms
	case a.Equal != peer:
		a.Caught, a.Upto = ms, seq
	}
}

// Past reports whether something written at a claimed time, in ms, is older than
// this node's following of the network. Once the node has caught up nothing is.
func (a *Ages) Past(claimed int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Caught == 0 && claimed < a.Began
}

// CatchingUp reports whether anything may be Past.
func (a *Ages) CatchingUp() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Caught == 0
}

// Newborn reports whether this node has known an agent for less than NewbornFor,
// by the local sequence of its genesis. What a node found when it caught up is as
// old as it claims: there is nothing else to go by.
func (a *Ages) Newborn(seq uint64, claimed int64, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	since := now.UnixMilli() - NewbornFor.Milliseconds()
	if a.Caught == 0 || seq <= a.Upto {
		return claimed > since
	}
	return len(a.Marks) == 0 || a.Marks[0].At > since || seq > a.Marks[0].Seq
}
