package sync

import (
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/reason"
)

// Mode is how a set was reconciled.
type Mode string

// The modes.
const (
	ModeEqual  Mode = "equal"  // nothing to do
	ModePull   Mode = "pull"   // the peer had far more; what followed is in the numbers
	ModeLeft   Mode = "left"   // the peer has far less and pulls in a session of its own
	ModeSketch Mode = "sketch" // the sketch gave the difference
	ModeRange  Mode = "range"  // ranges gave the difference
)

// PassReport is the outcome of one pass over all sets with one peer. A pass is
// one session, or several when one was not enough.
type PassReport struct {
	Peer  peer.ID
	Agent string // the peer's program, as it says
	Start time.Time
	Took  time.Duration
	Ahead time.Duration // the peer's clock minus ours; a peer may lie

	Sets              []SetReport // those that both follow, in order; nil when the session ended before
	Sessions          int
	BytesIn, BytesOut uint64 // of frames, without what the transport adds

	Complete bool  // every set was gone through
	Err      error // that ended it early; a *BusyError when the peer had no time
}

// Equal reports whether at the end both sides had the same in every set they
// both follow, as far as the peer was truthful.
func (r PassReport) Equal() bool {
	for _, s := range r.Sets {
		if !s.Equal {
			return false
		}
	}
	return r.Complete
}

// SetReport is the outcome for one set.
type SetReport struct {
	Set      string
	Mode     Mode // empty when there was no time to begin
	Rounds   int  // requests by pull, sketch and range
	Fallback bool // the sketch was tried and ranges had to follow
	Asked    int  // ids asked for by want
	Got      int  // new members
	Known    int  // came and were here
	Pushed   int  // changes sent
	Refused  map[reason.Code]int
	Equal    bool // at the end
	Complete bool // gone through; else a limit or the peer ended it
}

// merge adds the report of a session that continued this pass.
func (r *PassReport) merge(next PassReport) {
	old := r.Sets
	r.Agent, r.Ahead, r.Complete, r.Err = next.Agent, next.Ahead, next.Complete, next.Err
	r.Sessions += next.Sessions
	r.BytesIn += next.BytesIn
	r.BytesOut += next.BytesOut
	r.Took = next.Start.Add(next.Took).Sub(r.Start)
	if next.Sets == nil {
		return
	}
	r.Sets = next.Sets
	for i := range r.Sets {
		for _, o := range old {
			if o.Set == r.Sets[i].Set {
				r.Sets[i].addTo(o)
			}
		}
	}
}

// addTo makes s the sum of o, which came before, and itself.
func (s *SetReport) addTo(o SetReport) {
	if o.Mode != ModeEqual && o.Mode != "" {
		s.Mode = o.Mode
	}
	s.Rounds += o.Rounds
	s.Fallback = s.Fallback || o.Fallback
	s.Asked += o.Asked
	s.Got += o.Got
	s.Known += o.Known
	s.Pushed += o.Pushed
	for code, n := range o.Refused {
		s.refuse(code, n)
	}
}

func (s *SetReport) refuse(code reason.Code, n int) {
	if s.Refused == nil {
		s.Refused = make(map[reason.Code]int)
	}
	s.Refused[code] += n
}

// progress reports whether going on at once may bring more.
func (r PassReport) progress() bool {
	for _, s := range r.Sets {
		if s.Got > 0 || s.Pushed > 0 {
			return true
		}
	}
	return false
}
