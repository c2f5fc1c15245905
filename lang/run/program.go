// Package run defines the compiled form of the behaviour of a source, program/1,
// and the interpreter for it. Compile makes a Program of a scene; Read takes one
// from elsewhere and refuses whatever an interpreter could stumble over; New
// makes a Machine that runs it.
//
// The package is pure: time is a count of steps, chance comes from a seed, and
// what the world outside does is an answer of a Host. The same program, seed,
// host and events give the same trace.
package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Version is the form of a program. A reader refuses every other.
const Version = "program/1"

// SceneOwner owns what stands at the top of a source.
const SceneOwner = "scene"

// Program is the behaviour of a source. Functions, constants and slots are named
// by their index; -1 is none.
type Program struct {
	V             string         `json:"v"`
	Seed          [4]uint32      `json:"seed"`
	Rates         Rates          `json:"rates"`
	Consts        []any          `json:"consts"`
	Host          []string       `json:"host"`
	State         []Slot         `json:"state"`
	Functions     []Function     `json:"functions"`
	Computed      []Computed     `json:"computed"`
	Watches       []Watch        `json:"watches"`
	Binds         []Bind         `json:"binds"`
	Handlers      []Handler      `json:"handlers"`
	Subscriptions []Subscription `json:"subscriptions"`
	Wires         []Wire         `json:"wires"`
	Schedules     []Schedule     `json:"schedules"`
	Timelines     []Timeline     `json:"timelines"`
	Machines      []StateMachine `json:"machines"`
	Trees         []Tree         `json:"trees"`
	Templates     []Template     `json:"templates,omitempty"`
}

// Rates are steps in a second.
type Rates struct {
	Spatial   int `json:"spatial"`
	Cognitive int `json:"cognitive"`
}

// Slot is a state key. Init is a constant, or a function when it is worked out.
type Slot struct {
	Owner   string `json:"owner"`
	Key     string `json:"key"`
	Init    Init   `json:"init"`
	Persist bool   `json:"persist,omitempty"`
}

// Init is the index of a constant, or {"fn": n}.
type Init struct {
	Const int
	Fn    int // -1: Const counts
}

// MarshalJSON implements json.Marshaler.
func (i Init) MarshalJSON() ([]byte, error) {
	if i.Fn >= 0 {
		return json.Marshal(map[string]int{"fn": i.Fn})
	}
	return json.Marshal(i.Const)
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *Init) UnmarshalJSON(data []byte) error {
	i.Fn = -1
	if len(data) > 0 && data[0] != '{' {
		return json.Unmarshal(data, &i.Const)
	}
	var f struct {
		Fn *int `json:"fn"`
	}
	if err := strict(data, &f); err != nil {
		return err
	}
	if err := spelled(data, reflect.TypeOf(f)); err != nil {
		return err
	}
	if f.Fn == nil || *f.Fn < 0 {
		return fmt.Errorf("an init without a function")
	}
	i.Fn = *f.Fn
	return nil
}

// Function is code. Its parameters are its first locals, then come the boxes it
// closes over. With Rest the last parameter is the list of all arguments that the
// others leave.
type Function struct {
	Name   string   `json:"name"`
	Owner  string   `json:"owner"`
	Params int      `json:"params"`
	Rest   bool     `json:"rest,omitempty"`
	Locals int      `json:"locals"`
	Code   []int    `json:"code"`
	Lines  [][3]int `json:"lines"`

	in *instance // that a running machine made it for
}

// Computed is a value that follows from state.
type Computed struct {
	Owner string `json:"owner"`
	Key   string `json:"key"`
	Fn    int    `json:"fn"`
}

// Watch calls a function with the new and the old value of a slot.
type Watch struct {
	State int `json:"state"`
	Fn    int `json:"fn"`
}

// Bind keeps a property of a node equal to what a function gives.
type Bind struct {
	Node     string `json:"node"`
	Property string `json:"property"`
	Fn       int    `json:"fn"`
}

// Handler runs when an event reaches its node.
type Handler struct {
	Node  string `json:"node"`
	Event string `json:"event"`
	Fn    int    `json:"fn"`
}

// Subscription runs when another node raises an event.
type Subscription struct {
	From  string `json:"from"`
	Event string `json:"event"`
	Owner string `json:"owner"`
	Fn    int    `json:"fn"`
}

// Wire calls Fn with constants and then the payload; with Set, what Fn makes of
// the payload goes into a slot.
type Wire struct {
	From  string `json:"from"`
	Event string `json:"event"`
	Set   *int   `json:"set,omitempty"`
	Fn    int    `json:"fn"`
	Args  []int  `json:"args,omitempty"`
}

// Schedule runs a function after so many seconds, and again every so many.
type Schedule struct {
	Fn      int     `json:"fn"`
	After   float64 `json:"after"`
	Every   float64 `json:"every"`
	Forever bool    `json:"forever"`
}

// Timeline runs functions at times; a step is a time and a function.
type Timeline struct {
	ID       string       `json:"id"`
	Loop     bool         `json:"loop"`
	Autoplay bool         `json:"autoplay"`
	Steps    [][2]float64 `json:"steps"`
}

// StateMachine belongs to a node. Transitions of the state named * apply in all.
type StateMachine struct {
	Node    string  `json:"node"`
	Initial int     `json:"initial"`
	States  []State `json:"states"`
}

// State is one of a machine. After is the time until the event timeout, and the
// state that it leads to when no transition takes it; empty for none.
type State struct {
	Name   string       `json:"name"`
	Parent int          `json:"parent"`
	Entry  int          `json:"entry"`
	Exit   int          `json:"exit"`
	After  []float64    `json:"after,omitempty"`
	On     []Transition `json:"on"`
}

// Transition leads to another state.
type Transition struct {
	Event  string `json:"event"`
	To     int    `json:"to"`
	Guard  int    `json:"guard"`
	Action int    `json:"action"`
}

// Tree is a behaviour tree, ticked Rate times in a second.
type Tree struct {
	Node    string   `json:"node"`
	Rate    float64  `json:"rate"`
	Restart bool     `json:"restart"`
	Root    TreeNode `json:"root"`
}

// TreeNode is a node of a behaviour tree.
type TreeNode struct {
	Type     string     `json:"type"`
	Params   TreeParams `json:"params"`
	Fn       int        `json:"fn"`
	Children []TreeNode `json:"children"`
}

// TreeParams are the settings of a tree node.
type TreeParams struct {
	Times    int     `json:"times,omitempty"`    // of repeater and retry; 0 has no end
	Duration float64 `json:"duration,omitempty"` // seconds, of wait, cooldown and timeout
	Policy   string  `json:"policy,omitempty"`   // of parallel: all or any
}

// Empty says whether nothing of the program would ever run.
func (p *Program) Empty() bool {
	return len(p.Functions) == 0 && len(p.State) == 0 && len(p.Machines) == 0 && len(p.Trees) == 0
}

// Encode is the canonical form of a program.
func (p *Program) Encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Read takes a program from JSON. It refuses other versions, unknown keys, wrong
// indices, and code that could leave its stack, its locals or its bounds.
func Read(data []byte) (*Program, error) {
	if len(data) > MaxDocument {
		return nil, fmt.Errorf("program is larger than %d bytes", MaxDocument)
	}
	var version struct {
		V string `json:"v"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("read program: %w", err)
	}
	if version.V != Version {
		return nil, fmt.Errorf("program is %.40q; this reader knows %s", version.V, Version)
	}
	p := &Program{}
	if err := strict(data, p); err != nil {
		return nil, fmt.Errorf("read program: %w", err)
	}
	if err := spelled(data, reflect.TypeFor[Program]()); err != nil {
		return nil, fmt.Errorf("read program: %w", err)
	}
	if err := p.Verify(); err != nil {
		return nil, fmt.Errorf("program refused: %w", err)
	}
	return p, nil
}

// strict decodes a document whose keys are all known, in any case.
func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("text behind the document")
	}
	return nil
}

// spelled refuses a key of a document that strict took for another: one in
// capitals, which readers in other languages do not know.
func spelled(data []byte, t reflect.Type) error {
	switch {
	case len(data) == 0: // left out
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return nil // it has looked itself
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return err
		}
		for _, e := range list {
			if err := spelled(e, t.Elem()); err != nil {
				return err
			}
		}
	case t.Kind() == reflect.Struct:
		var object map[string]json.RawMessage
		if err := json.Unmarshal(data, &object); err != nil {
			return err
		}
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				continue
			}
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if err := spelled(object[key], t.Field(i).Type); err != nil {
				return err
			}
			delete(object, key)
		}
		for key := range object {
			return fmt.Errorf("unknown key %.40q", key)
		}
	}
	return nil
}
