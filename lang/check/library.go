package check

import (
	"strings"

	"github.com/meshd/meshd/lang/run/table"
)

// hosted are the parameters of the functions of the library that the host answers,
// as the rows of table.Operations have them.
var hosted = []table.Operation{
	{Name: "emit", Params: "event string, payload?"},
	{Name: "spawn", Params: "template string, place list?, settings object?", Result: "node"},
	{Name: "look_at", Params: "target, …rest"},
	{Name: "play_sound", Params: "sound string, …rest"},
	{Name: "play_animation", Params: "animation string, …rest"},
	{Name: "haptic_feedback", Params: "…values"},
	{Name: "tool_call", Params: "tool string, …rest", Result: "any"},
	{Name: "track_event", Params: "event string, …rest"},
	{Name: "fetch_value", Params: "name string, …rest", Result: "any"},
}

// Call is how a function of the library is called.
type Call struct {
	Name   string
	Params []string // as a source spells them: low: number, to?: list, ...values
	Result string   // a type, empty for none
}

// String is the call in one line.
func (c Call) String() string {
	text := c.Name + "(" + strings.Join(c.Params, ", ") + ")"
	if c.Result != "" {
		text += ": " + c.Result
	}
	return text
}

// LibraryCall is how a function of the library is called, Math.max too; false for a
// name that is none of its functions.
func LibraryCall(name string) (Call, bool) {
	o := table.OperationOf(name)
	for i := range hosted {
		if o == nil && hosted[i].Name == name {
			o = &hosted[i]
		}
	}
	if o == nil {
		return Call{}, false
	}
	c := Call{Name: name, Result: o.Result}
	if c.Result == "null" {
		c.Result = ""
	}
	for _, p := range strings.Split(o.Params, ", ") {
		if p == "" {
			continue
		}
		name, kind, _ := strings.Cut(p, " ")
		optional := strings.HasSuffix(p, "?")
		name, kind = strings.TrimSuffix(name, "?"), strings.TrimSuffix(kind, "?")
		if rest, ok := strings.CutPrefix(name, "…"); ok {
			name = "..." + rest
		}
		if optional {
			name += "?"
		}
		if kind != "" {
			name += ": " + kind
		}
		c.Params = append(c.Params, name)
	}
	return c, true
}
