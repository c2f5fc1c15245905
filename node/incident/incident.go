// Package incident records what broke on this node and when it recovered, and stops
// calls to services that do not answer.
//
// A [Book] keeps the incidents, at most 200, in memory: a restart begins a new
// one. A [Breaker] of the book guards what may fail for long, such as a service
// elsewhere: after a few failures in a row it refuses calls by itself for a while,
// lets one through to try, and opens or closes the incident as it finds it.
//
// Causes are for the operator of the node; they are clipped and never shown to others.
package incident

import (
	"cmp"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/meshd/meshd/node/events"
)

// Incident is a time in which a part of the node did not work.
type Incident struct {
	ID        uint64 // grows with each
	Component string
	Cause     string // of the newest failure
	Opened    time.Time
	Last      time.Time // the newest failure
	Closed    time.Time // zero while it goes on
	Failures  int

	passing bool // it is over when nothing failed for a while
}

// Open reports whether it goes on.
func (i Incident) Open() bool { return i.Closed.IsZero() }

// News is the event of the incident as it is: incident.opened or
// incident.closed, for admins alone, since it has the cause.
func (i Incident) News() events.Event {
	step := events.Step{Name: "incident.opened", Fields: map[string]any{"id": i.ID, "component": i.Component, "cause": i.Cause, "failures": i.Failures,
		"opened_at": i.Opened.Format(time.RFC3339)}}
	if !i.Open() {
		step.Name, step.Fields["closed_at"] = "incident.closed", i.Closed.Format(time.RFC3339)
	}
	return events.Event{Kind: events.IncidentStep, Object: i.Component, Data: step}
}

// Book keeps incidents. It is safe for concurrent use.
type Book struct {
	now     func() time.Time
	log     *slog.Logger
	changed func(Incident)

	mu       sync.Mutex // guards what follows, and every Breaker
	next     uint64
	list     []Incident // oldest first
	breakers map[string]*Breaker
	unwell   map[string]int // looks in a row that found a component unwell
}

// New returns an empty book. log may be nil.
func New(now func() time.Time, log *slog.Logger) *Book {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Book{now: now, log: log, changed: func(Incident) {}, breakers: map[string]*Breaker{}, unwell: map[string]int{}}
}

// OnChange has f called with every incident that opens or closes, as it then is, in
// that order. f is called under the book's lock: it must be quick and must not use
// the book. Call OnChange once, before the book is used.
func (b *Book) OnChange(f func(Incident)) { b.changed = f }

// Fail notes a failure of a component: it opens an incident, or counts as one
// more of that which goes on.
func (b *Book) Fail(component, cause string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail(component, cause, false)
}

// FailBriefly is Fail for what is started again by itself: the incident is over
// once Settle finds that it did not fail for a while.
func (b *Book) FailBriefly(component, cause string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail(component, cause, true)
}

func (b *Book) fail(component, cause string, passing bool) {
	cause, now := clip(cause), b.now().UTC()
	if i := b.open(component); i != nil {
		i.Cause, i.Last, i.Failures = cause, now, i.Failures+1
		return
	}
	if len(b.list) >= Kept {
		at := max(0, slices.IndexFunc(b.list, func(i Incident) bool { return !i.Open() }))
		b.list = slices.Delete(b.list, at, at+1)
	}
	b.next++
	i := Incident{ID: b.next, Component: component, Cause: cause, Opened: now, Last: now, Failures: 1, passing: passing}
	b.list = append(b.list, i)
	b.changed(i)
	b.log.Warn("incident opened", "component", component, "cause", cause)
}

// Recover ends the incident of a component, if there is one.
func (b *Book) Recover(component string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.recover(component)
}

func (b *Book) recover(component string) {
	if i := b.open(component); i != nil {
		i.Closed = b.now().UTC()
		b.changed(*i)
		b.log.Info("incident closed", "component", component, "failures", i.Failures)
	}
}

// open is the incident of a component that goes on, or nil.
func (b *Book) open(component string) *Incident {
	for i := range b.list {
		if b.list[i].Component == component && b.list[i].Open() {
			return &b.list[i]
		}
	}
	return nil
}

// Observe compares how components are with the book. A component that is degraded or
// down at two looks in a row has an incident; one that is ok or off has none any more.
func (b *Book) Observe(components map[string]string) { b.ObserveAs(components, nil) }

// ObserveAs is Observe with causes of those components of which more is known.
func (b *Book) ObserveAs(components, causes map[string]string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, is := range components {
		if is != "degraded" && is != "down" {
			delete(b.unwell, name)
			b.recover(name)
			continue
		}
		if b.unwell[name]++; b.unwell[name] == looks && b.open(name) == nil {
			b.fail(name, cmp.Or(causes[name], is), false)
		}
	}
}

// Settle ends the incidents of FailBriefly whose last failure is that long ago.
func (b *Book) Settle(quiet time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, i := range b.list {
		if i.Open() && i.passing && b.now().Sub(i.Last) >= quiet {
			b.recover(i.Component)
		}
	}
}

// All are the incidents, newest first.
func (b *Book) All() []Incident {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := slices.Clone(b.list)
	slices.Reverse(out)
	return out
}

func clip(cause string) string {
	cause = strings.ToValidUTF8(cause, "\ufffd")
	if len(cause) > maxCause {
		cause = strings.ToValidUTF8(cause[:maxCause], "")
	}
	return cause
}
