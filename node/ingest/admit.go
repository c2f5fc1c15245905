package ingest

import (
	"cmp"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// Admission says how much of what comes from outside this node keeps and shows. It
// never decides what is a member. The package node/admission is one.
type Admission interface {
	// Giver says whether n changes are looked at that a sender brought, before any
	// of their signatures is.
	Giver(from string, n int) bool
	// Admit is asked once for each member that is new, when its body is here; the
	// committer asks, so it must not call Ingest. Empty: it is taken; else it is held
	// with that code, and with stub its body is not kept. agent is zero when it is not known.
	Admit(from string, agent change.AgentID, c *change.Change) (held reason.Code, stub bool)
}

func (in *Ingest) giver(from string, n int) bool {
	return in.cfg.Admission == nil || n == 0 || in.cfg.Admission.Giver(from, n)
}

// turnAway refuses what is new without looking at it: it comes again.
func (a *arrivals) turnAway() {
	for _, c := range a.fresh {
		a.out.Codes[a.place[c]] = reason.AdmissionRate
		a.out.refuse(reason.AdmissionRate)
	}
	a.fresh = nil
}

// reportHeld puts what admission said into the outcome, when it was asked.
func (a *arrivals) reportHeld(b *batch) {
	b.after = append(b.after, func(map[change.ID]uint64) {
		for c, place := range a.place {
			code := cmp.Or(b.held[c.ID], b.late[c.ID])
			if code == "" || a.out.Codes[place] != "" {
				continue
			}
			if a.out.Held == nil {
				a.out.Held = map[int]reason.Code{}
			}
			a.out.Held[place] = code
		}
	})
}

// admit asks for what is new to the log and was not written here. It comes after
// every request of the batch was judged, so that one that is taken back is never
// charged to an author.
func (b *batch) admit() {
	adm := b.in.cfg.Admission
	if adm == nil {
		return
	}
	for i, v := range b.verified {
		c := v.Change()
		s := b.in.cfg.Log.Set(v.Set())
		switch {
		case b.local[c.ID], b.held[c.ID] != "":
			continue
		case s != nil && s.Has(recon.Item{HLC: c.Head.HLC, ID: c.ID}):
			continue // a better copy
		case c.IsStub():
			continue // asked when its body comes; one that failed its row takes none
		}
		held, stub := adm.Admit(b.from[c.ID], b.agentOf(c), c)
		switch {
		case held == "":
		case change.LaneOf(c.Head.Kind) == change.Control:
			b.late[c.ID] = held
		default:
			b.held[c.ID] = held
		}
		if stub {
			b.verified[i] = v.Stub()
		}
	}
}

// askAgain asks for the body of a stub that came, before it is kept.
func (b *batch) askAgain(c *change.Change) (held reason.Code, stub bool) {
	adm := b.in.cfg.Admission
	if adm == nil {
		return "", false
	}
	if held, stub = adm.Admit(b.from[c.ID], b.agentOf(c), c); held == "" {
		return "", stub
	}
	if err := b.in.cfg.Log.Hold(b.ctx, c.ID, held); err != nil {
		b.in.cfg.Logger.Warn("change not held", "change", c.ID.String(), "err", err)
	}
	return held, stub
}

// agentOf is the agent that a member was written for; zero when its past cannot
// be read now.
func (b *batch) agentOf(c *change.Change) change.AgentID {
	id, err := b.in.cfg.Judge.Identity(c, b)
	if err != nil {
		return change.AgentID{}
	}
	return id.Agent
}
