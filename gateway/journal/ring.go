package journal

import (
	"slices"

	"github.com/meshd/meshd/gateway/state"
)

// ring keeps the newest events for readers who come back: after a restart all
// of them do at once. It keeps every event after floor.
type ring struct {
	floor  uint64
	events []*Event
	bytes  int
}

// push adds an event and forgets the oldest beyond the bounds.
func (r *ring) push(e *Event) {
	r.events = append(r.events, e)
	r.bytes += weight(e)
	n := 0
	for n < len(r.events)-1 && (len(r.events)-n > ringEvents || r.bytes > ringBytes) {
		r.bytes -= weight(r.events[n])
		r.floor = r.events[n].Seq
		n++
	}
	if n > 0 {
		r.events = slices.Delete(r.events, 0, n)
	}
}

func weight(e *Event) int { return 256 + len(e.Body) + len(e.Open) }

// after returns the events that follow a place and that a view wants.
func (r *ring) after(seq uint64, v *View) (out []*Event) {
	i, _ := slices.BinarySearchFunc(r.events, seq+1, func(e *Event, at uint64) int {
		if e.Seq < at {
			return -1
		}
		return 1
	})
	for _, e := range r.events[i:] {
		if v.wants(e) {
			out = append(out, e)
		}
	}
	return out
}

// hide leaves of the events about an object their open form.
func (r *ring) hide(object string) {
	for i, e := range r.events {
		if e.Object == object && e.Body != e.Open {
			r.events[i] = opened(e.Event)
		}
	}
}

func opened(e state.Event) *Event {
	e.Body = e.Open
	return &Event{Event: e}
}
