package world

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// timetable is what a world still has to do, in the time of its plan.
type timetable struct {
	*chronicle
	paused time.Duration // spent healing

	noting sync.Mutex // guards agenda
	agenda []event
}

// event is something the world does at a time.
type event struct {
	at time.Duration
	do func()
}

// now is the time of the plan: healing stands still in it.
func (w *timetable) now() time.Duration { return time.Since(w.began) - w.paused }

// later does something at a time of the plan, between acts.
func (w *timetable) later(at time.Duration, do func()) {
	w.noting.Lock()
	defer w.noting.Unlock()
	w.agenda = append(w.agenda, event{at, do})
}

// drop forgets what was still to be done.
func (w *timetable) drop() {
	w.noting.Lock()
	defer w.noting.Unlock()
	w.agenda = nil
}

// next takes the earliest event before end.
func (w *timetable) next(end time.Duration) (event, bool) {
	w.noting.Lock()
	defer w.noting.Unlock()
	slices.SortStableFunc(w.agenda, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	if len(w.agenda) == 0 || w.agenda[0].at >= end {
		return event{}, false
	}
	e := w.agenda[0]
	w.agenda = w.agenda[1:]
	return e, true
}
