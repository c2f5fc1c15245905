package core

import "time"

// OwnFork is a forked chain of a key that speaks here for an agent: what it votes,
// grants and earns weighs nothing from Seq on, and nothing is added to it, until
// `meshd id rotate` names one of the branches.
type OwnFork struct {
	Agent string `json:"agent"` // its id
	Name  string `json:"name"`
	Key   string `json:"key"`
	Space string `json:"space"`
	Lane  string `json:"lane"`
	Seq   uint64 `json:"seq"` // where the branches part
}

// Skew is how far the clocks of peers are ahead of ours, 0 when none is known.
func (n *Core) Skew() time.Duration {
	if p := n.Connected(); p != nil {
		return p.Skew()
	}
	return 0
}

// WarnClock says, before something is signed, that this clock is far ahead of the
// peers': they would show it late, and once the clock is set right the key could
// not go on from there. It never refuses, since peers may lie.
func (n *Core) WarnClock() {
	skew := n.Skew()
	if skew > -ClockWarn {
		return
	}
	now := n.Opt.Now().UnixMilli()
	if last := n.clockWarned.Load(); now-last < clockWarnEvery.Milliseconds() || !n.clockWarned.CompareAndSwap(last, now) {
		return
	}
	n.Opt.Log.Warn("signing although this clock is ahead of the peers': they show the change late, and after the clock is set right this key may have to be rotated (meshd id rotate)",
		"ahead", (-skew).Round(time.Second))
}
