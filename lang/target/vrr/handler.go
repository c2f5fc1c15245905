package vrr

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// event is the name of the event that brings the values of a binding.
func event(i int) string { return "live_data_" + strconv.Itoa(i) }

// hole is where a format has its value: {}, {value}, {value:1} with digits.
var hole = regexp.MustCompile(`\{(?:value)?(?::(\d{1,2}))?\}`)

// source is the handler of a binding in the source language: it becomes part of
// the program of the page, so that a value is written as any handler writes it
// and all that follows from it runs.
func (b *binding) source() string {
	now, place := "value", "this."+b.Key
	if b.transform != "" {
		now = "(" + b.transform + ")"
	}
	if b.state {
		place = "state." + b.Key
	}
	steps := []string{"const live_now = " + now}
	step := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	if b.divergence > 0 {
		step("const live_was = %s", place)
		step("if (live_was != null && Math.abs(live_now - live_was) > %s) { emit(\"divergence\", { field: %s, was: live_was, now: live_now }) }",
			number(b.divergence), quote(b.Key))
	}
	step("%s = live_now", place)
	var out []string
	if b.low != nil {
		out = append(out, "live_now < "+number(*b.low))
	}
	if b.high != nil {
		out = append(out, "live_now > "+number(*b.high))
	}
	if out != nil {
		step("if (%s) { emit(\"alert\", { field: %s, value: live_now }) }", strings.Join(out, " || "), quote(b.Key))
	}
	var colours []string
	for _, t := range b.thresholds { // the highest first
		colours = append(colours, fmt.Sprintf("if (live_now >= %s) { this.color = %s }", number(t.from), quote(t.color)))
	}
	if colours != nil && b.base != "" {
		colours = append(colours, fmt.Sprintf("{ this.color = %s }", quote(b.base)))
	}
	if colours != nil {
		step("%s", strings.Join(colours, " else "))
	}
	if b.format != "" {
		step("this.text = %s", b.said())
	}
	return "function live(value) { " + strings.Join(steps, "; ") + " }"
}

// said is the expression of a format.
func (b *binding) said() string {
	parts, at := []string{`""`}, 0
	for _, m := range hole.FindAllStringSubmatchIndex(b.format, -1) {
		if m[0] > at {
			parts = append(parts, quote(b.format[at:m[0]]))
		}
		if m[2] >= 0 && b.Kind == "number" {
			parts = append(parts, fmt.Sprintf("live_now.toFixed(%s)", b.format[m[2]:m[3]]))
		} else {
			parts = append(parts, "live_now")
		}
		at = m[1]
	}
	if at < len(b.format) {
		parts = append(parts, quote(b.format[at:]))
	}
	return strings.Join(parts, " + ")
}

// quote writes a text of the source language.
func quote(s string) string { return trait.Value{Kind: trait.Text, Str: s}.Source() }

// number is wrapped, for a sign may stand before it.
func number(n float64) string { return "(" + strconv.FormatFloat(n, 'f', -1, 64) + ")" }

// code is the handler, compiled from its source. Its lines are numbered as the
// one of the node that has the binding.
func (b *binding) code(in *artefact.Input, i int) (scene.Code, error) {
	text := strings.Repeat("\n", max(0, b.src[1]-1)) + b.source()
	f, found := parse.File(in.File(b.src), []byte(text), ast.Holo)
	for _, d := range found {
		if d.Severity == diag.Error {
			return scene.Code{}, artefact.Unfit(in.Target, fmt.Sprintf("that the binding of %s can be compiled: %s", b.name, d.Message))
		}
	}
	k := slices.IndexFunc(f.Items(), func(n ast.Node) bool { fn, ok := n.(*ast.Func); return ok && fn.Name == "live" })
	if k < 0 {
		return scene.Code{}, artefact.Unfit(in.Target, "that the binding of "+b.name+" is an expression")
	}
	return scene.Code{Name: event(i), Node: f.Items()[k], File: f}, nil
}

// wired is the input with the handlers of the bindings in its behaviour.
func wired(in *artefact.Input, list []*binding) (*artefact.Input, error) {
	if len(list) == 0 {
		return in, nil
	}
	s := *in.Scene
	var behaviour scene.Behaviour
	if s.Behaviour != nil {
		behaviour = *s.Behaviour
	}
	behaviour.Owners = slices.Clone(behaviour.Owners)
	for i, b := range list {
		c, err := b.code(in, i)
		if err != nil {
			return nil, err
		}
		n := &s.Nodes[b.node]
		at := slices.IndexFunc(behaviour.Owners, func(o scene.Owner) bool { return o.Node == n.ID })
		if at < 0 {
			o := scene.Owner{Node: n.ID, Name: n.Name}
			if n.Parent >= 0 {
				o.Parent = s.Nodes[n.Parent].ID
			}
			behaviour.Owners = append(behaviour.Owners, o)
			at = len(behaviour.Owners) - 1
		}
		o := &behaviour.Owners[at]
		o.Handlers = append(slices.Clone(o.Handlers), c)
	}
	s.Behaviour = &behaviour
	out := *in
	out.Scene = &s
	return &out, nil
}
