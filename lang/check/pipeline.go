package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// The functions of a field map and the checks of a validator (language.md §8.6).
var (
	fieldFunctions = strings.Fields(`trim lowercase uppercase titleCase split join replace multiply add round truncate hash toISO toEpoch base64
parseNumber default`)
	fieldChecks = strings.Fields(`required optional string integer float boolean array min max minLength maxLength matches oneOf startsWith
equals gte lte in`)
	// alsoChecks are words that a validator may use and that are no slips.
	alsoChecks = set("number null object date email url uuid")
)

// pipeline judges the stages of a pipeline against each other.
func (c *checker) pipeline(b *ast.Block, p place) {
	c.schedule(b)
	var sources, sinks int
	var stages []*ast.Block
	var sinkNames []string
	whole := true
	for _, n := range b.Body.Items {
		s, ok := n.(*ast.Block)
		if !ok {
			switch n.Kind() {
			case ast.KindBad, ast.KindSpread, ast.KindCondBlock, ast.KindAttribute:
				whole = whole && n.Kind() == ast.KindAttribute
			}
			continue
		}
		switch {
		case s.BlockKind == "source":
			sources++
		case s.BlockKind == "sink":
			sinks++
			sinkNames = append(sinkNames, s.NameText())
		}
		if ast.StageKinds[s.BlockKind] {
			stages = append(stages, s)
		}
	}
	if !b.Flows() {
		return
	}
	name := b.NameText()
	if whole && sources == 0 {
		c.add("FLO003", c.kindSpan(b), name)
	}
	if whole && sinks == 0 {
		c.add("FLO004", c.kindSpan(b), name)
	}
	for _, s := range stages {
		if s.BlockKind == "branch" {
			c.routes(s, sinkNames, whole, p)
		}
	}
	c.stageOrder(stages)
	c.fields(stages, p)
}

// schedule judges the five fields of a schedule.
func (c *checker) schedule(b *ast.Block) {
	v, ok := valueAt(b.Body, "schedule").(*ast.String)
	if !ok || strings.Contains(v.Value(), "${") || validSchedule(v.Value()) {
		return
	}
	c.add("FLO009", v.At, v.Value())
}

// cronFields are the ranges of minute, hour, day, month and weekday.
var cronFields = [5][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}}

var cronNames = [5]string{3: "jan feb mar apr may jun jul aug sep oct nov dec", 4: "sun mon tue wed thu fri sat"}

// validSchedule says whether a text is a cron line of five fields or one of the
// short forms.
func validSchedule(text string) bool {
	switch text {
	case "@hourly", "@daily", "@weekly", "@monthly", "@yearly", "@annually", "@midnight":
		return true
	}
	fields := strings.Fields(text)
	if len(fields) != len(cronFields) {
		return false
	}
	for i, f := range fields {
		for _, part := range strings.Split(f, ",") {
			if !validCronPart(part, i) {
				return false
			}
		}
	}
	return true
}

func validCronPart(part string, field int) bool {
	span, step, stepped := strings.Cut(part, "/")
	if stepped {
		if n, err := strconv.Atoi(step); err != nil || n < 1 {
			return false
		}
	}
	if span == "*" {
		return true
	}
	low, high, ranged := strings.Cut(span, "-")
	a, ok := cronValue(low, field)
	if !ok {
		return false
	}
	if ranged {
		b, ok := cronValue(high, field)
		return ok && a <= b
	}
	return true
}

func cronValue(text string, field int) (int, bool) {
	if i := slices.Index(strings.Fields(cronNames[field]), strings.ToLower(text)); i >= 0 {
		return cronFields[field][0] + i, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= cronFields[field][0] && n <= cronFields[field][1]
}

// routes judges the targets of a branch.
func (c *checker) routes(b *ast.Block, sinks []string, whole bool, p place) {
	for _, n := range b.Body.Items {
		r, ok := n.(*ast.Route)
		if !ok || r.Sink == nil || r.Is(ast.Broken) {
			continue
		}
		name := nameOf(r.Sink)
		i := slices.IndexFunc(p.o.children, func(o *owner) bool { return o.name == name && name != "" })
		if i >= 0 {
			c.refer(r.Sink.Span(), p.o.children[i].sym)
			continue
		}
		if name == "" || !whole {
			continue
		}
		near, ok := c.nearest(name, slices.Clone(sinks))
		if !ok {
			c.add("FLO005", r.Sink.Span(), name, "")
			continue
		}
		c.respell(c.add("FLO005", r.Sink.Span(), name, hint(near)), r.Sink, near)
	}
}

// stageOrder reports stages that feed each other: from names an earlier stage.
func (c *checker) stageOrder(stages []*ast.Block) {
	from := map[string][]string{}
	at := map[string]token.Span{}
	var order []string
	for _, s := range stages {
		name := s.NameText()
		if name == "" {
			continue
		}
		order = append(order, name)
		at[name] = s.Name.Span()
		if f := s.Heading().From; f != nil {
			from[name] = append(from[name], nameOf(f))
		}
		for _, key := range []string{"from", "with", "sources", "inputs"} {
			switch v := valueAt(s.Body, key).(type) {
			case *ast.Array:
				for _, e := range v.Elements {
					from[name] = append(from[name], nameOf(e))
				}
			case nil:
			default:
				from[name] = append(from[name], nameOf(v))
			}
		}
	}
	for _, cycle := range cycles(order, from) {
		if span, ok := at[cycle[0]]; ok {
			c.add("FLO008", span, circle(cycle))
		}
	}
}

// circle shows a cycle: a → b → a, cut when it is long.
func circle(names []string) string {
	const most = 8
	shown := slices.Clone(names[:min(len(names), most)])
	if len(names) > most {
		shown = append(shown, "…")
	}
	return strings.Join(append(shown, names[0]), " → ")
}

// cycles finds ways from a name back to itself, in linear time: at least one of
// every group of names that lead to each other, and no name in two of them.
func cycles(order []string, next map[string][]string) [][]string {
	const (
		under = 1 + iota // on the way
		done
	)
	var out [][]string
	colour := map[string]int{}
	type step struct {
		name string
		edge int
	}
	for _, start := range order {
		if colour[start] != 0 {
			continue
		}
		way := []step{{start, 0}}
		place := map[string]int{start: 0}
		colour[start] = under
		for len(way) > 0 {
			at := &way[len(way)-1]
			if at.edge == len(next[at.name]) {
				colour[at.name] = done
				delete(place, at.name)
				way = way[:len(way)-1]
				continue
			}
			name := next[at.name][at.edge]
			at.edge++
			switch colour[name] {
			case 0:
				colour[name] = under
				place[name] = len(way)
				way = append(way, step{name, 0})
			case under:
				var cycle []string
				for _, s := range way[place[name]:] {
					cycle = append(cycle, s.name)
				}
				out = append(out, cycle)
				for i := place[name]; i < len(way); i++ { // reported once
					colour[way[i].name] = done
					way[i].edge = len(next[way[i].name])
				}
			}
		}
	}
	return out
}

// fields follows the fields of records through the stages, from sources that
// declare them.
func (c *checker) fields(stages []*ast.Block, p place) {
	var have map[string]bool // nil: not known
	for i, s := range stages {
		switch s.BlockKind {
		case "source":
			declared := declaredFields(s.Body)
			if i > 0 && have == nil && stages[0].BlockKind == "source" {
				continue // of several sources one is open
			}
			if declared == nil {
				have = nil
				continue
			}
			if have == nil {
				have = map[string]bool{}
			}
			for _, f := range declared {
				have[f] = true
			}
		case "transform":
			next := map[string]bool{}
			open := false
			for _, n := range s.Body.Items {
				switch n := n.(type) {
				case *ast.Mapping:
					if n.From != nil && !n.Is(ast.Broken) {
						c.field(n.From, have)
					}
					if to := firstOf(n.To); to != "" {
						next[to] = true
					}
					if n.Both {
						next[firstOf(n.From)] = true
					}
				case *ast.Property:
					next[n.Key.Parts()[0]] = true
				default:
					open = true
				}
			}
			if open || len(next) == 0 {
				continue
			}
			if have != nil {
				have = next
			} else if len(next) > 0 {
				have = next
			}
		case "filter":
			if w := valueAt(s.Body, "where"); w != nil {
				c.whereFields(w, have)
			}
		case "validate":
			for _, n := range s.Body.Items {
				if r, ok := n.(*ast.Rule); ok && !r.Is(ast.Broken) {
					if call, ok := r.Subject.(*ast.Call); ok {
						for _, a := range call.Args {
							c.field(a, have)
						}
						continue
					}
					c.field(r.Subject, have)
				}
			}
		case "branch":
			for _, n := range s.Body.Items {
				if r, ok := n.(*ast.Route); ok && r.When != nil && !r.Is(ast.Broken) {
					c.whereFields(r.When, have)
				}
			}
		case "merge":
			have = nil
		}
	}
}

// declaredFields are the fields that a source says its records have.
func declaredFields(body *ast.Body) []string {
	var out []string
	take := func(b *ast.Body) {
		for _, n := range b.Items {
			if p, ok := n.(*ast.Property); ok && len(p.Key.Parts()) > 0 {
				out = append(out, p.Key.Parts()[0])
			}
		}
	}
	for _, key := range []string{"fields", "schema"} {
		switch v := valueAt(body, key).(type) {
		case *ast.Array:
			for _, e := range v.Elements {
				out = append(out, nameOf(e))
			}
		case *ast.Object:
			take(&v.Body)
		}
	}
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Block:
			if n.BlockKind == "fields" || n.BlockKind == "schema" {
				take(n.Body)
			}
		case *ast.List:
			if n.ListKind == "fields" {
				for _, e := range n.Elements.Elements {
					out = append(out, nameOf(e))
				}
			}
		}
	}
	return out
}

func firstOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Path:
		return strings.TrimSuffix(n.Segments()[0], "[]")
	case *ast.Ident:
		return n.Name
	case *ast.String:
		first, _, _ := strings.Cut(n.Value(), ".")
		return strings.TrimSuffix(first, "[]")
	}
	return ""
}

// roots are the names of an expression of a pipeline that are no fields.
var pipelineRoots = set("env params previous batch source result record now true false null undefined event this")

// field reports a field that no earlier stage produces.
func (c *checker) field(n ast.Node, have map[string]bool) {
	name := firstOf(n)
	if have == nil || name == "" || have[name] || pipelineRoots[name] || name == "_" {
		return
	}
	at := n.Span()
	if w := c.wordIn(at, name, 0); w.End > w.Start {
		at = w
	}
	known := make([]string, 0, len(have))
	for k := range have {
		known = append(known, k)
	}
	near, ok := c.nearest(name, known)
	if !ok {
		c.add("FLO006", at, name, "")
		return
	}
	text := near
	if c.f.Text()[at.Start] == '"' {
		text = `"` + near + `"`
	}
	c.add("FLO006", at, name, hint(near)).Suggest(near).Fix("Replace with '"+near+"'", int(at.Start), int(at.End), text)
}

// whereFields judges the fields in a condition.
func (c *checker) whereFields(n ast.Node, have map[string]bool) {
	if n.HasError() {
		return
	}
	switch n := n.(type) {
	case *ast.Ident:
		if !standard[n.Name] || have[n.Name] {
			c.field(n, have)
		}
	case *ast.Path:
		if !standard[n.Segments()[0]] {
			c.field(n, have)
		}
	case *ast.Number:
		c.unit(n)
	case *ast.Call:
		for _, a := range n.Args {
			c.whereFields(a, have)
		}
	case *ast.Binary:
		if n.Op == "in" {
			c.whereFields(n.X, have)
			return // a set of the author's
		}
		c.whereFields(n.X, have)
		if _, word := n.Y.(*ast.Ident); word && (n.Op == "==" || n.Op == "!=" || n.Op == "===" || n.Op == "!==") {
			return // a word of an enum
		}
		c.whereFields(n.Y, have)
	case *ast.Property:
	default:
		ast.Children(n, func(child ast.Node) { c.whereFields(child, have) })
	}
}

// stage looks at the inside of a stage.
func (c *checker) stage(b *ast.Block, p place) {
	p.in = stage
	switch b.BlockKind {
	case "transform":
		for _, n := range b.Body.Items {
			if m, ok := n.(*ast.Mapping); ok && !m.Is(ast.Broken) {
				for _, call := range m.Calls {
					c.fieldFunction(call)
				}
			}
		}
	case "validate":
		for _, n := range b.Body.Items {
			r, ok := n.(*ast.Rule)
			if !ok || r.Is(ast.Broken) {
				continue
			}
			for _, check := range r.Checks {
				switch check := check.(type) {
				case *ast.Check:
					c.fieldCheck(check)
				case *ast.Choice:
					for _, one := range check.Checks {
						c.fieldCheck(one)
					}
				}
			}
		}
	case "branch", "filter":
	default:
		p.data = true
		c.judgeBody(b.Body, p)
	}
}

func (c *checker) fieldFunction(n ast.Node) {
	name, at := nameOf(n), n.Span()
	if call, ok := n.(*ast.Call); ok {
		name, at = nameOf(call.Fn), call.Fn.Span()
	}
	if name == "" || slices.Contains(fieldFunctions, name) {
		return
	}
	if s := c.top.names[name]; s != nil && (s.Kind == Function || s.Kind == Imported) {
		c.refer(at, s)
		return
	}
	c.unknownFunction(at, name, fieldFunctions)
}

func (c *checker) fieldCheck(n *ast.Check) {
	if slices.Contains(fieldChecks, n.Name) || alsoChecks[n.Name] {
		return
	}
	at := token.Span{Start: n.At.Start, End: n.At.Start + uint32(len(n.Name))}
	c.unknownFunction(at, n.Name, fieldChecks)
}

func (c *checker) unknownFunction(at token.Span, name string, known []string) {
	near, ok := c.nearest(name, slices.Clone(known))
	if !ok {
		c.add("FLO007", at, name, "")
		return
	}
	replace(c.add("FLO007", at, name, hint(near)), at, near)
}
