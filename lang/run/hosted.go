package run

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// hosting is what differs between a run for its author and one for a stranger.
type hosting struct {
	interrupted    func() bool
	polls          int
	stopped        bool
	init, held     int
	rows           int // of what is spawned
	entries, bytes int // of the trace
	noted          int // bytes of it so far
}

// hostFor sets the limits of a run.
func (m *Machine) hostFor(o Options) error {
	m.hosted = hosting{interrupted: o.Interrupted, init: MaxInit, held: MaxHeld, rows: MaxRows, entries: MaxTrace, bytes: math.MaxInt}
	if o.Hosted {
		m.stepLimit = MaxHosted
		if o.Long {
			m.stepLimit = MaxLong
		}
		m.hosted.init, m.hosted.held, m.hosted.rows, m.hosted.entries, m.hosted.bytes = hostedInit, hostedHeld, hostedRows, hostedEntries, hostedTrace
	}
	if o.Hz == 0 {
		return nil
	}
	if (o.Hz < 60 || o.Hz > 90) && (o.Hz < 2 || o.Hz > 10) {
		return fmt.Errorf("%d steps a second", o.Hz)
	}
	p := *m.p
	p.Rates.Spatial = o.Hz
	m.p = &p
	return nil
}

// halted reports whether the run was stopped from outside.
func (m *Machine) halted() bool {
	h := &m.hosted
	if h.interrupted == nil || h.stopped {
		return h.stopped
	}
	if h.polls++; h.polls%pollEvery == 0 {
		h.stopped = h.interrupted()
	}
	return h.stopped
}

// Stopped reports whether Options.Interrupted has stopped the run; it goes no
// further, and its state is of no use.
func (m *Machine) Stopped() bool { return m.hosted.stopped }

// Steps says how many steps the run has made.
func (m *Machine) Steps() int { return m.steps }

// Setting is a state key with its value.
type Setting struct {
	Owner string
	Key   string
	Value Value
}

// State is the state of the program in the order of its declaration, then that of
// what was spawned. The values belong to the machine.
func (m *Machine) State() []Setting {
	out := make([]Setting, 0, len(m.p.State))
	for i, s := range m.p.State {
		if s.Owner != "" && m.inert[s.Owner] == nil {
			out = append(out, Setting{s.Owner, s.Key, m.slots[i]})
		}
	}
	return out
}

// ErrLongValue says that a value of the state is longer than a text may be.
var ErrLongValue = errors.New("a value of the state is too long to be written")

// StateHash is the SHA-256 of the state: of each key in the order of State a line
// of JSON, [owner, key, value] without spaces, ended by a line feed. The owner is
// as Label has it, the value as Show writes it, as a text where that is no JSON. A
// value that Show has to cut is ErrLongValue. step is called with the bytes of each value,
// and its error ends the work: keys that share a value write it each.
func (m *Machine) StateHash(step func(bytes int) error) ([sha256.Size]byte, error) {
	h := sha256.New()
	for _, x := range m.State() {
		text := Show(x.Value)
		if err := step(len(text)); err != nil {
			return [sha256.Size]byte{}, err
		}
		if len(text) >= MaxText {
			return [sha256.Size]byte{}, ErrLongValue
		}
		if !json.Valid([]byte(text)) {
			text = quote(text)
		}
		fmt.Fprintf(h, "[%s,%s,%s]\n", quote(m.Label(x.Owner)), quote(x.Key), text)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// JSON is a value as JSON. What JSON cannot say, or what is longer than traces
// show, is a text.
func JSON(v Value) json.RawMessage {
	text := Show(v)
	if len(text) <= MaxNoted && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return json.RawMessage(quote(short(text)))
}
