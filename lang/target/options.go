package target

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// option is an option of a target.
type option struct {
	name string
	kind string // boolean, string, number
	enum []string
	def  any
	help string
}

// common are the options of every target.
var common = []option{
	{"strict", "boolean", nil, false, "Fail when anything is left out."},
	{"quality", "string", []string{"draft", "production", "archival"}, "production", "How fine round solids are."},
	{"node", "string", nil, "", "Id or path of the one node to export, with what is below it."},
}

// MaxOptions is the most bytes that the options of a compile have as JSON.
const MaxOptions = 16 << 10

// Schema is the JSON Schema of the options of a target.
type Schema struct {
	Type                 string              `json:"type"`
	Properties           map[string]Property `json:"properties"`
	AdditionalProperties bool                `json:"additionalProperties"`
}

// Property is one option in a Schema.
type Property struct {
	Type        string   `json:"type"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitempty"`
	Minimum     *float64 `json:"minimum,omitempty"`
	Maximum     *float64 `json:"maximum,omitempty"`
	Description string   `json:"description,omitempty"`
}

func schema(options []option) Schema {
	s := Schema{Type: "object", Properties: map[string]Property{}}
	for _, o := range options {
		s.Properties[o.name] = Property{Type: o.kind, Enum: o.enum, Default: o.def, Description: o.help}
	}
	return s
}

// OptionsError says which option a target does not take, and why.
type OptionsError struct {
	Name, Reason string
	Nearest      string // of an unknown one, the option that it most likely means
}

// Error implements error.
func (e *OptionsError) Error() string { return fmt.Sprintf("option %q %s", e.Name, e.Reason) }

// unknown is the error of an option that t does not have.
func (t *Target) unknown(name string) *OptionsError {
	var known []string
	for _, o := range t.options {
		known = append(known, o.name)
	}
	e := &OptionsError{Name: name, Reason: "is not known to " + t.ID}
	if near, ok := trait.Nearest(name, known); ok {
		e.Nearest = near
		e.Reason += fmt.Sprintf("; the nearest is %q", near)
	}
	return e
}

// check takes the given options and fills the defaults in.
func (t *Target) check(given map[string]any) (artefact.Options, error) {
	if len(given) > 0 {
		if raw, err := json.Marshal(given); err != nil || len(raw) > MaxOptions {
			return nil, &OptionsError{Name: "options", Reason: fmt.Sprintf("is larger than %d bytes", MaxOptions)}
		}
	}
	out := artefact.Options{}
	for _, o := range t.options {
		out[o.name] = o.def
	}
	names := make([]string, 0, len(given))
	for n := range given {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		i := slices.IndexFunc(t.options, func(o option) bool { return o.name == n })
		if i < 0 {
			return nil, t.unknown(n)
		}
		o := t.options[i]
		v := given[n]
		fits := false
		switch o.kind {
		case "boolean":
			_, fits = v.(bool)
		case "number":
			if k, ok := v.(int); ok {
				v = float64(k)
			}
			number, ok := v.(float64)
			fits = ok && !math.IsNaN(number) && !math.IsInf(number, 0)
			if b, bounded := t.bounds[n]; fits && bounded && (number < b[0] || number > b[1]) {
				return nil, &OptionsError{Name: n, Reason: fmt.Sprintf("is not from %v to %v", b[0], b[1])}
			}
		case "string":
			text, ok := v.(string)
			fits = ok && (o.enum == nil || slices.Contains(o.enum, text))
		}
		if !fits {
			want := "is no " + o.kind
			if o.enum != nil {
				want = "is none of " + strings.Join(o.enum, ", ")
			}
			return nil, &OptionsError{Name: n, Reason: want}
		}
		out[n] = v
	}
	return out, nil
}

// ParseOption reads name=value from a command line, by the type of the option.
func (t *Target) ParseOption(text string) (string, any, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return "", nil, &OptionsError{Name: text, Reason: "needs a value: name=value"}
	}
	i := slices.IndexFunc(t.options, func(o option) bool { return o.name == name })
	if i < 0 {
		return "", nil, t.unknown(name)
	}
	if t.options[i].kind == "string" {
		return name, value, nil
	}
	var v any
	if err := json.Unmarshal([]byte(value), &v); err != nil {
		return "", nil, &OptionsError{Name: name, Reason: "is no " + t.options[i].kind}
	}
	return name, v, nil
}

// Option is an option with its name.
type Option struct {
	Name string
	Property
}

// Options are the options of a target that not every target has, in their order.
func (t *Target) Options() []Option {
	var out []Option
	for _, o := range t.options[:len(t.options)-len(common)] {
		out = append(out, Option{o.name, t.OptionsSchema.Properties[o.name]})
	}
	return out
}
