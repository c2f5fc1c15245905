package log

import (
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// refusedDamage gives every DamageError its code, on whatever face it ends.
var refusedDamage = reason.Refuse(reason.StoreDamaged, "what this needs is damaged on the disk of this node")

// register is what reads have found damaged since the log was opened, or since
// Verify last looked at everything.
type register struct {
	mu     sync.Mutex
	byID   map[change.ID]string // part
	parts  map[string]bool      // what is about no one change
	report func(error)
}

// note remembers a damage; the first of a change is reported.
func (r *register) note(id change.ID, part string, err error) {
	r.mu.Lock()
	known := r.parts[part]
	if !id.IsZero() {
		_, known = r.byID[id]
	}
	switch {
	case known || len(r.byID)+len(r.parts) >= maxDamaged:
		r.mu.Unlock()
		return
	case id.IsZero():
		r.parts = grown(r.parts)
		r.parts[part] = true
	default:
		r.byID = grown(r.byID)
		r.byID[id] = part
	}
	report := r.report
	r.mu.Unlock()
	if report != nil {
		report(err)
	}
}

func grown[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (r *register) forget(id change.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byID, id)
}

// replace forgets all but what a look at everything has found.
func (r *register) replace(found []Problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byID, r.parts = map[change.ID]string{}, map[string]bool{}
	for _, p := range found {
		if len(r.byID)+len(r.parts) >= maxDamaged {
			return
		}
		if p.ID.IsZero() {
			r.parts[p.Part] = true
		} else {
			r.byID[p.ID] = p.Part
		}
	}
}

// Damaged returns how many changes are known to be damaged, and how many other
// parts of the store, at most 65,536 together: by reads since Open, or by the last
// Verify that looked at everything.
func (l *records) Damaged() (changes, parts int) {
	l.damaged.mu.Lock()
	defer l.damaged.mu.Unlock()
	return len(l.damaged.byID), len(l.damaged.parts)
}

// OnDamage has f called with each damage that is found for the first time. f is
// called by whoever reads: it must be quick and must not use the log. Call
// OnDamage once, before the log is shared.
func (l *records) OnDamage(f func(error)) { l.damaged.report = f }

// NoteDamage has the log count a damage that its engine found by itself.
func (l *records) NoteDamage(err error) { l.damaged.note(change.ID{}, "files", err) }
