package run

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Entry is something that a run did: an event that was taken, a state key that
// was set, a property, a log, a call of the host, a new node, a fault.
type Entry struct {
	At       float64
	Kind     string // event, set, property, log, host, spawn, state, fault
	Node     string
	Name     string
	Value    Value
	Function string // of a fault
	Line     int
	Column   int
}

// note appends to the trace. Values are printed at once: they may change later.
func (m *Machine) note(e Entry) {
	if len(m.trace) >= m.hosted.entries || m.hosted.noted > m.hosted.bytes || m.made > MaxAlloc {
		m.dropped++
		return
	}
	e.At = m.Time()
	switch e.Value.(type) {
	case *List, *Object, *Closure:
		e.Value = printed(short(Show(e.Value)))
	case string:
		e.Value = short(e.Value.(string))
	}
	m.hosted.noted += len(e.Node) + len(e.Name) + 64
	switch v := e.Value.(type) {
	case printed:
		m.hosted.noted += len(v)
	case string:
		m.hosted.noted += len(v)
	}
	m.trace = append(m.trace, e)
}

// printed is a value as it was when it was noted.
type printed string

func short(s string) string {
	if len(s) <= MaxNoted {
		return s
	}
	return strings.ToValidUTF8(s[:MaxNoted], "") + "…"
}

// Trace is what happened so far, and how many entries had no room.
func (m *Machine) Trace() ([]Entry, int) { return m.trace, m.dropped }

// Text is the value of an entry as JSON.
func (e *Entry) Text() string {
	if p, ok := e.Value.(printed); ok {
		return string(p)
	}
	return Show(e.Value)
}

// MarshalJSON implements json.Marshaler.
func (e Entry) MarshalJSON() ([]byte, error) {
	value := json.RawMessage(e.Text())
	switch v := e.Value.(type) {
	case float64:
		if !json.Valid(value) {
			value = json.RawMessage(quote(e.Text()))
		} else {
			value = json.RawMessage(twelve(v))
		}
	default:
		if !json.Valid(value) {
			value = json.RawMessage(quote(e.Text()))
		}
	}
	return json.Marshal(struct {
		At       json.RawMessage `json:"at"`
		Kind     string          `json:"kind"`
		Node     string          `json:"node,omitempty"`
		Name     string          `json:"name,omitempty"`
		Value    json.RawMessage `json:"value,omitempty"`
		Function string          `json:"function,omitempty"`
		Line     int             `json:"line,omitempty"`
		Column   int             `json:"column,omitempty"`
	}{json.RawMessage(twelve(e.At)), e.Kind, e.Node, e.Name, value, e.Function, e.Line, e.Column})
}

// twelve prints a number to 12 significant digits, which is how traces are
// compared.
func twelve(n float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 11, 64), 64)
	if err != nil {
		return "0"
	}
	return FormatNumber(short)
}

// Label is the name of a node for people: its path of names, else its id.
func (m *Machine) Label(id string) string {
	name := strings.TrimPrefix(id, "module:")
	if n := m.nodes[id]; n != nil && n.Name != "" {
		name = n.Name
	}
	return name
}
