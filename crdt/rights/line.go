package rights

import (
	"bytes"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// lines are the keys of agents. A line is kept with its agent until forget.
type lines struct{ *registry }

// settled is the line of an agent: its genesis key and what rotations made of
// it (wire §7).
func (s *lines) settled(a *Agent) []link {
	if a.line != nil || len(a.geneses) == 0 {
		return a.line
	}
	a.ctl, a.next = agreed(a.geneses)
	key := a.geneses[0].use.author()
	line := []link{{key: key}}
	for len(line) < change.MaxKeys {
		winners := a.winners(key)
		if len(winners) == 0 {
			break
		}
		last := &line[len(line)-1]
		last.cuts = winners
		next := winners[0].use.author()
		for _, w := range winners {
			if w.use.author() != next {
				last.contested = true
			}
		}
		if last.contested || slices.ContainsFunc(line, func(l link) bool { return l.key == next }) {
			break
		}
		if len(line) == 1 {
			if kept := s.kept(a, winners); len(kept) > 0 {
				a.ctl, a.next = agreed(kept)
			}
		}
		l := link{key: next}
		for _, w := range winners {
			l.records = append(l.records, w.use.ID)
		}
		a.follow(winners)
		line = append(line, l)
		key = next
	}
	a.line = line
	return line
}

// kept are the branches of a genesis that the cuts of all of these rotations keep.
func (s *lines) kept(a *Agent, rotations []*record) (out []*record) {
	for _, g := range a.geneses {
		if !slices.ContainsFunc(rotations, func(r *record) bool { return !s.keeps(r.rotate.Cut, &g.use) }) {
			out = append(out, g)
		}
	}
	return out
}

// born are the branches of a genesis that stand: those that the cut of a rotation
// keeps, and all of them when it keeps none, since a cut does not unmake an agent.
func (s *lines) born(a *Agent) []*record {
	line := s.settled(a)
	if len(line) > 0 && len(line[0].cuts) > 0 {
		if kept := s.kept(a, line[0].cuts); len(kept) > 0 {
			return kept
		}
	}
	return a.geneses
}

// agreed is what a genesis names as controllers and recovery key; of a forked one
// only what all branches name.
func agreed(geneses []*record) (ctl []string, next []byte) {
	g := geneses[0].birth
	ctl, next = slices.Clone(g.controllers), g.next
	for _, other := range geneses[1:] {
		ctl = slices.DeleteFunc(ctl, func(c string) bool { return !slices.Contains(other.birth.controllers, c) })
		if !bytes.Equal(next, other.birth.next) {
			next = nil
		}
	}
	return ctl, next
}

// winners are the rotations of a key with the highest rank, as far as somebody
// who may has consented to them.
func (a *Agent) winners(key did.Key) []*record {
	best := body.RankNone
	var out []*record
	for _, r := range a.rotations[key] {
		rank := r.rotate.Rank(a.ctl, a.next)
		if rank == body.RankNone || rank < best {
			continue
		}
		if rank > best {
			best, out = rank, nil
		}
		out = append(out, r)
	}
	return out
}

// follow takes over what a rotation changes beside the key. Several to the same
// key are a fork of it: what they do not agree on does not change.
func (a *Agent) follow(winners []*record) {
	first := winners[0].rotate
	// They won with one rank, but where cuts have settled a forked genesis since, it
	// may be that of one of them is another now.
	rank, highest := body.RankNone, body.HighestRank(a.ctl, a.next)
	for _, w := range winners {
		rank = max(rank, w.rotate.Rank(a.ctl, a.next))
	}
	ctl, has, next := first.Controllers, first.HasControllers, first.Next
	for _, w := range winners[1:] {
		if w.rotate.HasControllers != has || !slices.Equal(w.rotate.Controllers, ctl) {
			has = false
		}
		if !bytes.Equal(w.rotate.Next, next) {
			next = nil
		}
	}
	switch {
	case next != nil && (rank > body.RankActing || highest == body.RankActing):
		a.next = next
	case rank == body.RankRecovery:
		a.next = nil
	}
	if has && rank >= highest {
		a.ctl = ctl
	}
}

// find is the place in a line that a record of a key gives.
func find(line []link, id *record) int {
	return slices.IndexFunc(line, func(l link) bool {
		if l.key != id.use.author() {
			return false
		}
		// A binding by the genesis key, or a binding or rotation by a later one.
		return id.kind == change.KindBind || slices.Contains(l.records, id.use.ID)
	})
}

// byLine judges a change whose identity is a binding or a rotation.
func (s *judgement) byLine(u *Use, id *record) Verdict {
	a := s.agents[id.agent]
	if a == nil {
		return refuse(NoRight, id.use.ID)
	}
	if a.rotations == nil {
		return fine
	}
	line := s.settled(a)
	at := find(line, id)
	if at < 0 {
		return refuse(Replaced, id.use.ID)
	}
	l := &line[at]
	v := fine
	for _, r := range l.cuts {
		if s.keeps(r.rotate.Cut, u) {
			v.Held = true
			continue
		}
		if s.readmittedBy(a, at, u) {
			continue
		}
		if l.contested {
			return refuse(Contested, r.use.ID)
		}
		return refuse(Rotated, r.use.ID)
	}
	return v
}

// readmittedBy reports whether a later key of the same line has taken a change
// back in.
func (s *judgement) readmittedBy(a *Agent, at int, u *Use) bool {
	for _, e := range s.readmits[u.ID] {
		id := s.records[e.use.Identity]
		if e.agent != a.ID || id == nil || id.grant != nil {
			continue
		}
		if find(a.line, id) <= at {
			continue
		}
		ok, known := s.spoken[e] // without, endorses of endorses would multiply at each key
		if !known {
			ok = s.counts(&e.use, s.byLine(&e.use, id))
			s.spoken[e] = ok
		}
		if ok {
			return true
		}
	}
	return false
}

// counts reports whether a grant or endorse that is fine otherwise is so on a
// forked chain too.
func (s *judgement) counts(u *Use, v Verdict) bool { return v.OK && !s.void(u, v) }

func (s *judgement) void(u *Use, v Verdict) bool {
	return u.Chain.Forked() != 0 && u.Seq >= u.Chain.Forked() && !v.Held
}
