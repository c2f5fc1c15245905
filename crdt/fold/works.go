package fold

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
)

// works are content changes by who wrote them or by the guild they lie in, so that
// a control change is followed by a look at those that it can concern and at no
// others.
type works struct {
	entries  map[*entry]struct{}
	acts     map[*act]struct{}
	retracts map[change.ID]struct{}
	docs     map[*document]change.ID // with one edit that is concerned
}

func (w *works) addEntry(e *entry) {
	if w.entries == nil {
		w.entries = map[*entry]struct{}{}
	}
	w.entries[e] = struct{}{}
}

func (w *works) addAct(a *act) {
	if w.acts == nil {
		w.acts = map[*act]struct{}{}
	}
	w.acts[a] = struct{}{}
}

func (w *works) addRetract(id change.ID) {
	if w.retracts == nil {
		w.retracts = map[change.ID]struct{}{}
	}
	w.retracts[id] = struct{}{}
}

func (w *works) addEdit(d *document, id change.ID) {
	if w.docs == nil {
		w.docs = map[*document]change.ID{}
	}
	w.docs[d] = id
}

func (w *works) add(o *works) {
	for e := range o.entries {
		w.addEntry(e)
	}
	for a := range o.acts {
		w.addAct(a)
	}
	for id := range o.retracts {
		w.addRetract(id)
	}
	for d, id := range o.docs {
		if len(d.uses) > 0 {
			w.addEdit(d, id)
		}
	}
}

// each calls put with the works of an agent, and of the guild in which a space is.
func (v *agentFold) each(a *agent, space change.Space, put func(*works)) {
	put(&a.works)
	guild, ok := space.Guild()
	if !ok {
		return
	}
	w := v.guildWorks[guild]
	if w == nil {
		w = &works{}
		v.guildWorks[guild] = w
	}
	put(w)
}

// worksOf are the content changes about which something may be said now that was
// not before.
func (v *folded) worksOf(t rights.Touched) works {
	var out works
	for id := range t.Agents {
		if a := v.agents[id]; a != nil {
			out.add(&a.works)
		}
	}
	for id := range t.Guilds {
		if w := v.guildWorks[id]; w != nil {
			out.add(w)
		}
	}
	for _, id := range t.IDs {
		if e := v.entries[id]; e != nil {
			out.addEntry(e)
		}
		if a := v.acts[id]; a != nil {
			out.addAct(a)
		}
		if _, ok := v.retracting[id]; ok {
			out.addRetract(id)
		}
		if d := v.edited[id]; d != nil {
			out.addEdit(d, id)
		}
	}
	return out
}
