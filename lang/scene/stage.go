package scene

import (
	"github.com/meshd/meshd/lang/ast"
)

// stageBytes are kept for a byte of the source of a stage, at most: the names,
// calls and operators of its rules are lists and maps.
const stageBytes = 3 * fieldBytes

// stage is a stage of a pipeline as data.
func (g *gathering) stage(n *ast.Block) Value {
	fs := []field{{Key: "stage", Value: textOf(n.BlockKind)}, {Key: "name", Value: textOf(g.name(n, g.s))}}
	if from := n.Heading().From; from != nil {
		fs = append(fs, field{Key: "from", Value: textOf(referenceName(from))})
	}
	if n.Body == nil {
		return mapOf(fs...)
	}
	var mappings, rules, routes []Value
	for _, it := range n.Body.Items {
		if sp := it.Span(); !g.reserve(int(sp.End-sp.Start) * stageBytes) {
			break
		}
		switch it := it.(type) {
		case *ast.Property:
			key := g.keyName(it.Key, g.s)
			if key == "where" { // an expression on the record
				fs = append(fs, field{Key: key, Value: g.exprData(it.Value)})
				continue
			}
			fs = append(fs, field{Key: key, Value: g.kept(g.propertyValue(it, g.s).v)})
		case *ast.Block:
			fs = append(fs, field{Key: it.BlockKind, Value: g.kept(g.evalBody(it.Body, g.s).v)})
		case *ast.Func:
			if h := settingsOf(it); h != nil {
				fs = append(fs, field{Key: "on_" + it.More.Event, Value: g.kept(g.evalBody(h, g.s).v)})
				continue
			}
			g.inert(it)
		case *ast.Mapping:
			mappings = append(mappings, g.mapping(it))
		case *ast.Rule:
			rules = append(rules, g.rule(it))
		case *ast.Route:
			r := []field{{Key: "sink", Value: textOf(referenceName(it.Sink))}}
			if it.When != nil {
				r = append([]field{{Key: "when", Value: g.exprData(it.When)}}, r...)
			}
			routes = append(routes, mapOf(r...))
		}
	}
	for _, l := range []struct {
		key  string
		list []Value
	}{{"mappings", mappings}, {"rules", rules}, {"routes", routes}} {
		if l.list != nil {
			fs = append(fs, field{Key: l.key, Value: listOf(l.list)})
		}
	}
	return mapOf(fs...)
}

// settingsOf is the body of an on-word block that has settings: on_error { action: "skip" }.
func settingsOf(f *ast.Func) *ast.Body {
	body, ok := f.Body.(*ast.Body)
	if !ok || f.More == nil || f.More.Event == "" || len(body.Items) == 0 {
		return nil
	}
	for _, it := range body.Items {
		if it.Kind() != ast.KindProperty {
			return nil
		}
	}
	return body
}

// mapping is from -> to : f() as data.
func (g *gathering) mapping(m *ast.Mapping) Value {
	var calls []Value
	for _, c := range m.Calls {
		calls = append(calls, g.callData(c))
	}
	return mapOf(
		field{Key: "from", Value: textOf(referenceName(m.From))}, field{Key: "to", Value: textOf(referenceName(m.To))},
		field{Key: "both", Value: boolOf(m.Both)}, field{Key: "calls", Value: listOf(calls)},
	)
}

func (g *gathering) callData(n ast.Node) Value {
	switch n := n.(type) {
	case *ast.Ident:
		return mapOf(field{Key: "fn", Value: textOf(n.Name)}, field{Key: "args", Value: listOf(nil)})
	case *ast.Call:
		var args []Value
		for _, a := range n.Args {
			args = append(args, g.kept(g.eval(a, g.s).v))
		}
		return mapOf(field{Key: "fn", Value: textOf(referenceName(n.Fn))}, field{Key: "args", Value: listOf(args)})
	}
	return mapOf(field{Key: "fn", Value: textOf(referenceName(n))}, field{Key: "args", Value: listOf(nil)})
}

// rule is a line of a validator: all of a list, each one of several.
func (g *gathering) rule(r *ast.Rule) Value {
	check := func(c *ast.Check) Value {
		var args []Value
		for _, a := range c.Args {
			args = append(args, g.checkArg(a))
		}
		if c.Literal != nil {
			args = append(args, g.checkArg(c.Literal))
		}
		return mapOf(field{Key: "check", Value: textOf(c.Name)}, field{Key: "args", Value: listOf(args)})
	}
	var all []Value
	for _, c := range r.Checks {
		switch c := c.(type) {
		case *ast.Check:
			all = append(all, listOf([]Value{check(c)}))
		case *ast.Choice:
			var any []Value
			for _, o := range c.Checks {
				any = append(any, check(o))
			}
			all = append(all, listOf(any))
		}
	}
	subject := mapOf(field{Key: "path", Value: textOf(referenceName(r.Subject))})
	if c, ok := r.Subject.(*ast.Call); ok {
		subject = mapOf(field{Key: "call", Value: g.callData(c)})
		if len(c.Args) > 0 {
			subject.Fields = append(subject.Fields, field{Key: "path", Value: textOf(referenceName(c.Args[0]))})
		}
	}
	return mapOf(field{Key: "subject", Value: subject}, field{Key: "checks", Value: listOf(all)})
}

// checkArg keeps a pattern as its text.
func (g *gathering) checkArg(n ast.Node) Value {
	if r, ok := n.(*ast.Regex); ok {
		return mapOf(field{Key: "regex", Value: textOf(r.Raw)})
	}
	return g.kept(g.eval(n, g.s).v)
}
