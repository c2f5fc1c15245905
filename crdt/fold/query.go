package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

type domain struct {
	live   timeline
	intros timeline // introductions among live
}

// Domain is a domain of the commons with what lies in it.
type Domain struct {
	Name    string
	Count   int
	Types   map[string]int
	LastHLC uint64
}

// Domains returns every domain that has entries to show, in no order.
func (v *entryQueries) Domains() []Domain {
	v.mu.RLock()
	defer v.mu.RUnlock()
	out := make([]Domain, 0, len(v.domains))
	for name, d := range v.domains {
		types := map[string]int{}
		for _, e := range d.live {
			types[e.kind.String()]++
		}
		out = append(out, Domain{name, len(d.live), types, d.live[len(d.live)-1].hlc})
	}
	return out
}

// Counts are exact figures of public data: agents, entries shown, domains.
func (v *entryQueries) Counts() (agents, entries, domains int) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return len(v.agents), len(v.live), len(v.domains)
}

// Entry returns what is known of an entry, shown or not.
func (v *entryQueries) Entry(id change.ID) (Entry, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if e := v.entries[id]; e != nil {
		return v.describe(e), true
	}
	return Entry{}, false
}

// Successor is the entry that its author put in the place of another, and the last
// of those that followed it; ok is false when none did.
func (v *entryQueries) Successor(id change.ID) (next change.ID, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	e := v.entries[id]
	for range maxVersions {
		if e == nil {
			break
		}
		if e = v.heir(e); e != nil {
			next, ok = e.id, true
		}
	}
	return next, ok
}

func (v *entryFold) describe(e *entry) Entry {
	return Entry{
		ID: e.id, HLC: e.hlc, Agent: e.agent.id, Space: e.place.space, Domain: e.place.domain, Type: e.kind.String(), Tags: e.tags,
		Price: e.price, State: e.state, Reuses: v.citations(e),
	}
}

// Filter selects live public entries. Zero fields do not filter.
type Filter struct {
	Team    change.Space // only entries of this team; without it none of any
	Types   []string
	Domains []string
	Tag     string
	Agent   change.AgentID
	Since   uint64 // lowest hlc, inclusive
	Until   uint64 // highest hlc, exclusive; 0 is none
	Premium *bool
	Intro   bool // include introductions
}

func (f *Filter) match(e *entry) bool {
	return (len(f.Types) == 0 || slices.Contains(f.Types, e.kind.String())) &&
		(len(f.Domains) == 0 || slices.Contains(f.Domains, e.place.domain)) &&
		(f.Tag == "" || slices.Contains(e.tags, f.Tag)) &&
		(f.Agent.IsZero() || e.agent.id == f.Agent) &&
		e.hlc >= f.Since && (f.Until == 0 || e.hlc < f.Until) &&
		(f.Premium == nil || *f.Premium == (e.price > 0)) &&
		(f.Intro || !e.intro())
}

// Match reports whether an entry is live and passes the filter.
func (v *entryQueries) Match(id change.ID, f Filter) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	e := v.entries[id]
	return e != nil && e.state == Live && (!e.private() || e.place.space == f.Team) && f.match(e)
}

// Newest calls yield for the entries that pass f, newest first, beginning
// strictly before the place (hlc, id); a zero place begins at the newest. It
// ends when yield returns false. Yield must not call Views.
func (v *entryQueries) Newest(f Filter, hlc uint64, id change.ID, yield func(Entry) bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	list := v.list(&f)
	end := len(list)
	if hlc != 0 {
		end, _ = slices.BinarySearchFunc(list, &entry{hlc: hlc, id: id}, compareEntries)
	}
	for i := end - 1; i >= 0 && list[i].hlc >= f.Since; i-- {
		if e := list[i]; f.match(e) && !yield(v.describe(e)) {
			return
		}
	}
}

// Count is the number of entries that pass f. A filter of time, of introductions and
// of one domain or none costs no more with many entries than with few.
func (v *entryQueries) Count(f Filter) (n int) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	list := v.list(&f)
	if f.Team == "" && len(f.Types) == 0 && len(f.Domains) <= 1 && f.Tag == "" && f.Premium == nil &&
		(f.Agent.IsZero() || f.Intro && len(f.Domains) == 0) {
		n = list.within(f.Since, f.Until)
		if !f.Intro {
			n -= v.introsOf(&f).within(f.Since, f.Until)
		}
		return n
	}
	for _, e := range list {
		if f.match(e) {
			n++
		}
	}
	return n
}

// introsOf are the introductions of the list of a filter of one domain or none.
func (v *entryFold) introsOf(f *Filter) timeline {
	if len(f.Domains) == 0 {
		return v.intros
	}
	if d := v.domains[f.Domains[0]]; d != nil {
		return d.intros
	}
	return nil
}

// list is the shortest timeline that contains everything f can pass.
func (v *entryFold) list(f *Filter) timeline {
	switch {
	case f.Team != "":
		if t := v.teams[f.Team]; t != nil {
			return *t
		}
		return nil
	case !f.Agent.IsZero():
		if a := v.agents[f.Agent]; a != nil {
			return a.live
		}
		return nil
	case len(f.Domains) == 1:
		if d := v.domains[f.Domains[0]]; d != nil {
			return d.live
		}
		return nil
	}
	return v.live
}
