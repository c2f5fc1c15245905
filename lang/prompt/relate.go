package prompt

import (
	"fmt"
)

// targets are the items that a relation names. One that is not there and is not
// said to be is made first.
func (w *world) targets(rel relation) ([]*item, *Refusal) {
	var out []*item
	for _, ph := range rel.to {
		if ph.noun != nil && ph.noun.flat {
			w.needGround()
			continue
		}
		if ph.definite || ph.every || ph.pronoun != "" || !ph.counted && len(w.find(ph)) > 0 {
			list, err := w.resolve(ph)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
			continue
		}
		was := w.last
		if err := w.create(command{verb: "create", what: ph}); err != nil {
			return nil, err
		}
		if rel.kind == "between" && len(rel.to) == 1 && len(w.last) == 2 {
			w.part(w.last[0], w.last[1])
		}
		out = append(out, w.last...)
		w.last = was
	}
	return out, nil
}

// part moves two things apart, so that something fits between them.
func (w *world) part(a, b *item) {
	for _, it := range []*item{a, b} {
		side := vec{1.2, 0, 0}
		if it == a {
			side[0] = -1.2
		}
		it.at = it.at.plus(side)
		if !w.clear(it.boxes(), []*item{it}) {
			it.at = it.at.plus(vec{-side[0], 0, 0})
		}
	}
}

// place puts a new group somewhere, all of it where that is possible, else one
// after the other.
func (w *world) place(g group, rel *relation, targets []*item) *Refusal {
	w.needGround()
	if rel == nil || len(targets) == 0 {
		middle := vec{}
		if at, ok := w.anywhere(g, middle); ok {
			g.put(at)
			return nil
		}
		return refuse("there is no room left")
	}
	if w.related(g, rel.kind, targets) {
		return nil
	}
	if rel.kind == "on" && planned(g.items) { // a smaller one has room
		for _, f := range []float64{0.5, 0.25, 0.125} {
			for i, it := range g.items {
				it.stretch(vec{0.5, 0.5, 0.5})
				g.offsets[i] = vec{g.offsets[i][0] / 2, g.offsets[i][1] / 2, g.offsets[i][2] / 2}
			}
			if w.related(g, rel.kind, targets) {
				w.notes = append(w.notes, fmt.Sprintf("made %g times as big, to fit on %s", f, targets[0].name))
				return nil
			}
		}
	}
	if len(g.items) > 1 {
		done := 0
		for _, it := range g.items {
			if !w.related(group{[]*item{it}, []vec{{}}}, rel.kind, targets) {
				break
			}
			done++
		}
		if done == len(g.items) {
			return nil
		}
		return refuse("there is room for %d there, not for %d", done, len(g.items))
	}
	return refuse("there is no room %s %s", relationWord(rel.kind), targets[0].name)
}

func planned(list []*item) bool {
	for _, it := range list {
		if it.node != nil {
			return false
		}
	}
	return true
}

func relationWord(kind string) string {
	switch kind {
	case "front":
		return "in front of"
	case "left":
		return "left of"
	case "right":
		return "right of"
	}
	return kind
}

// related puts a group in relation to items, when there is room.
func (w *world) related(g group, kind string, targets []*item) bool {
	t := targets[0]
	at, ok := vec{}, false
	switch kind {
	case "on":
		at, ok = w.onto(g, t)
	case "above":
		b := t.whole()
		at, ok = b.middle(), true
		at[1] = b.max[1] + 1
		for range 40 {
			if w.clear(g.boxes(at, 0), g.items) {
				break
			}
			at[1] += 0.5
		}
		for _, it := range g.items {
			it.free = true
		}
	case "under":
		var f float64
		if at, f, ok = w.beneath(g, t); ok && f != 1 {
			for i, it := range g.items {
				it.stretch(vec{f, f, f})
				g.offsets[i] = vec{g.offsets[i][0] * f, g.offsets[i][1] * f, g.offsets[i][2] * f}
			}
			w.notes = append(w.notes, fmt.Sprintf("made %g times as big, to fit under %s", f, t.name))
		}
	case "inside":
		at, ok = w.within(g, t)
	case "left":
		at, ok = w.toward(g, t, vec{-1, 0, 0}, 0.3)
	case "right":
		at, ok = w.toward(g, t, vec{1, 0, 0}, 0.3)
	case "front":
		at, ok = w.toward(g, t, vec{0, 0, 1}, 0.3)
	case "behind":
		at, ok = w.toward(g, t, vec{0, 0, -1}, 0.3)
	case "against":
		at, ok = w.toward(g, t, vec{0, 0, 1}, 0.02)
	case "between":
		if len(targets) > 1 {
			at, ok = w.between(g, t, targets[1])
		}
	case "around":
		all := t.whole()
		for _, o := range targets[1:] {
			all = all.join(o.whole())
		}
		middle := all.middle()
		middle[1] = all.min[1]
		if len(g.items) == 1 {
			return w.relatedOne(g, targets)
		}
		for range 60 {
			if ok = w.clear(g.boxes(middle, 0), g.items); ok {
				break
			}
			for i := range g.offsets {
				g.offsets[i] = vec{round(g.offsets[i][0] * 1.1), 0, round(g.offsets[i][2] * 1.1)}
			}
		}
		at = middle
	default:
		at, ok = w.beside(g, t)
	}
	if ok {
		g.put(at)
	}
	return ok
}

func (w *world) relatedOne(g group, targets []*item) bool {
	at, ok := w.beside(g, targets[0])
	if ok {
		g.put(at)
	}
	return ok
}

// within puts a group into an item: on its floor when it is hollow, else in its
// middle, where it meets it as asked.
func (w *world) within(g group, t *item) (vec, bool) {
	b := t.whole()
	m := b.middle()
	m[1] = b.min[1]
	for _, f := range []float64{1, 0.5, 0.25, 0.1} {
		if f < 1 {
			for i, it := range g.items {
				it.stretch(vec{0.5, 0.5, 0.5})
				g.offsets[i] = vec{g.offsets[i][0] / 2, g.offsets[i][1] / 2, g.offsets[i][2] / 2}
			}
		}
		far := min(b.max[0]-b.min[0], b.max[2]-b.min[2]) / 2
		at, ok := w.rings(m, 0.2, far, func(at vec) bool {
			all := g.size().shifted(at)
			return all.min[0] >= b.min[0] && all.max[0] <= b.max[0] && all.min[2] >= b.min[2] && all.max[2] <= b.max[2] && w.clear(g.boxes(at, 0), g.items)
		})
		if ok {
			if f < 1 {
				w.notes = append(w.notes, "made smaller, to fit inside "+t.name)
			}
			return at, true
		}
	}
	for _, it := range g.items {
		it.free = true
	}
	at := b.middle()
	at[1] -= (g.size().max[1] - g.size().min[1]) / 2
	return at, true
}
