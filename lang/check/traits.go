package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// used is a trait on a node: what the registry judges and where it stands.
type used struct {
	use  trait.Use
	attr *ast.Attribute // nil for one in a list of traits
	word ast.Node       // in a list
	args []ast.Node     // the source of each argument: a Property or a value
}

// at is the name of the trait.
func (c *checker) useSpan(u used) token.Span {
	if u.attr != nil {
		return c.nameSpan(u.attr)
	}
	return u.word.Span()
}

// useOf reads a trait as the registry takes it.
func (c *checker) useOf(a *ast.Attribute, p place) used {
	u := used{use: trait.Use{Name: a.Name}, attr: a}
	for _, n := range a.Positional {
		if s, ok := n.(*ast.Spread); ok {
			u.use.Args = append(u.use.Args, trait.Arg{Spread: true})
			u.args = append(u.args, s)
			continue
		}
		u.use.Args = append(u.use.Args, trait.Arg{Value: c.valueOf(n, p)})
		u.args = append(u.args, n)
	}
	if a.Config != nil {
		for _, n := range a.Config.Items {
			switch n := n.(type) {
			case *ast.Property:
				if n.Key.Computed != nil || n.Is(ast.Broken) {
					u.use.Args = append(u.use.Args, trait.Arg{Spread: true})
					break
				}
				v := trait.Value{}
				if n.Type() == nil {
					v = c.valueOf(n.Value, p)
				}
				u.use.Args = append(u.use.Args, trait.Arg{Key: n.Key.Name(), Value: v})
			case *ast.Block: // a setting without a colon
				if n.BlockKind == "" {
					continue
				}
				u.use.Args = append(u.use.Args, trait.Arg{Key: n.BlockKind, Value: trait.Value{}})
			case *ast.Spread, *ast.Bad:
				u.use.Args = append(u.use.Args, trait.Arg{Spread: true})
			default:
				continue
			}
			u.args = append(u.args, n)
		}
	}
	if a.Value != nil && a.Config == nil && len(a.Positional) == 0 {
		u.use.Args = append(u.use.Args, trait.Arg{Spread: true}) // @t = x and @t: x, read by the trait
		u.args = append(u.args, a.Value)
	}
	return u
}

// isTrait says whether an attribute is the use of a trait and not a form of the
// language.
func isTrait(a *ast.Attribute) bool {
	switch a.Name {
	case "import", "export", "else":
		return false
	}
	return a.Control() == ""
}

// judgeAttribute looks at an attribute that stands as an item.
func (c *checker) judgeAttribute(a *ast.Attribute, p place, broken bool) {
	if a.Control() != "" {
		c.control(a, p)
		return
	}
	switch a.Name {
	case "import":
		return
	case "export":
		if a.Value != nil {
			c.judge(a.Value, p, &ast.Body{}, 0)
		}
		return
	case "trait": // a definition, which define has read
		return
	}
	if broken {
		return
	}
	c.traitBody(a, p)
}

// control looks at @if, @for and the like.
func (c *checker) control(a *ast.Attribute, p place) {
	q := p
	switch v := a.Value.(type) {
	case nil:
	case *ast.ForIn:
		c.expr(v.Subject, p)
		q.locals = &locals{q.locals, map[string]*Symbol{}}
		c.bindNames(v.Name, v.Pattern, v.At, q, nil)
	case *ast.For:
		q.locals = &locals{q.locals, map[string]*Symbol{}}
	default:
		q := p
		q.data = p.fn == nil // options of the compile are names too
		c.condition(v, q)
	}
	if a.Body != nil {
		c.judgeBody(a.Body, q)
	}
}

// traitBody looks at the arguments of a trait as values, and at what traits of
// the language contain.
func (c *checker) traitBody(a *ast.Attribute, p place) {
	c.uses++
	switch a.Name {
	case "state_machine":
		if a.Config != nil {
			c.machineBody(a.Config, c.nameSpan(a), p)
		}
	case "behavior_tree":
		if a.Config != nil {
			c.treeBody(a.Config, c.nameSpan(a), p)
		}
	case "test":
		if a.Config != nil {
			c.testBody(a.Config, p)
			return
		}
		if a.Body != nil {
			c.testBody(a.Body, p)
			return
		}
	case "state":
		if a.Config != nil {
			q := p
			q.in, q.kind = cells, "state"
			c.judgeBody(a.Config, q)
			return
		}
	}
	if strings.HasPrefix(a.Name, "on_") {
		c.traitHandler(a, p)
		return
	}
	q := p
	q.in, q.kind = ignored, "@"+a.Name
	for _, n := range a.Positional {
		c.value(n, q, nil)
	}
	if a.Config != nil {
		q.data = a.Name != "state_machine"
		for _, n := range a.Config.Items {
			if prop, ok := n.(*ast.Property); ok && prop.Value != nil && prop.Type() == nil && !prop.Is(ast.Broken) {
				c.secret(prop.Key.Name(), prop.Value)
				c.value(prop.Value, q, nil)
			}
		}
	}
	if a.Value != nil {
		c.value(a.Value, q, nil)
	}
	if a.Body != nil {
		q.data = false
		q.fn = &function{name: a.Name, awaits: true}
		c.judgeBody(a.Body, q)
	}
}

// traitHandler looks at @on_update: () => …, @on_event("x") { … } and the like.
func (c *checker) traitHandler(a *ast.Attribute, p place) {
	q := p
	q.fn = &function{name: a.Name, awaits: true}
	q = q.inner()
	for _, n := range a.Positional {
		if id, ok := n.(*ast.Ident); ok && a.Is(ast.ArrowForm) { // @on_pose(p) => …
			q.locals.names[id.Name] = &Symbol{Name: id.Name, Kind: Parameter, At: id.At, Full: id.At, File: c.f.Path(), decl: id}
			continue
		}
		c.value(n, p, nil)
	}
	for _, body := range []*ast.Body{a.Config, a.Body} {
		if body != nil {
			c.judgeBody(body, q)
		}
	}
	if a.Value != nil {
		c.value(a.Value, q, nil)
	}
}

// headingTraits looks at the arguments of the traits on a heading; the uses
// themselves are judged with those in the body.
func (c *checker) headingTraits(b *ast.Block, p place) {
	for _, a := range b.Heading().Attrs {
		if isTrait(a) && !a.Is(ast.Broken) {
			c.traitBody(a, p)
		}
	}
	if p.data || len(b.Heading().Attrs) == 0 || bodyJudgesTraits(b) {
		return
	}
	c.judgeUses(c.usesOf(b.Heading().Attrs, nil, p), nil, p)
}

// bodyJudgesTraits says whether bodyTraits sees the traits of the heading.
func bodyJudgesTraits(b *ast.Block) bool {
	k := words().byName[b.BlockKind]
	if k == nil {
		return false
	}
	switch k.role {
	case placed, root, holder, control:
		return b.BlockKind != "pipeline"
	}
	return false
}

// bodyTraits judges the traits of a body's owner: those of its heading and
// those on lines of their own.
func (c *checker) bodyTraits(body *ast.Body, p place) {
	var own []*ast.Attribute
	var listed []used
	if c.tooManyTraits(body) {
		return
	}
	settings := map[string][]*ast.Property{} // of the body by name; filled for a list of traits
	for i, n := range body.Items {
		switch n := n.(type) {
		case *ast.Attribute:
			if n.Name == "platform" && i+1 < len(body.Items) { // belongs to the next item
				c.judgeUses([]used{c.useOf(n, p)}, nil, p)
				continue
			}
			own = append(own, n)
		case *ast.Property:
			if a, ok := n.Value.(*ast.Array); ok && n.Key.Name() == "traits" && !n.Is(ast.Broken) {
				listed = append(listed, c.listed(a, body, settings, p)...)
			}
		case *ast.List:
			if n.ListKind == "traits" && len(n.HeadArgs) == 0 && !n.Is(ast.Broken) {
				listed = append(listed, c.listed(n.Elements, body, settings, p)...)
			}
		}
	}
	var heading []*ast.Attribute
	if o := c.owners[body]; o != nil && o.block != nil && bodyJudgesTraits(o.block) {
		heading = o.block.Heading().Attrs
	}
	c.judgeUses(append(c.usesOf(append(slices.Clone(heading), own...), body, p), listed...), body, p)
}

// tooManyTraits reports a body that gives its owner more traits than a node may
// have; they are not judged then, for each is judged beside all others.
func (c *checker) tooManyTraits(body *ast.Body) bool {
	n := 0
	var over ast.Node
	count := func(at ast.Node, more int) {
		if n += more; n > trait.MaxUses && over == nil {
			over = at
		}
	}
	for _, it := range body.Items {
		switch it := it.(type) {
		case *ast.Attribute:
			if isTrait(it) {
				count(it, 1)
			}
		case *ast.Property:
			if a, ok := it.Value.(*ast.Array); ok && it.Key.Name() == "traits" {
				count(it, len(a.Elements))
			}
		case *ast.List:
			if it.ListKind == "traits" && it.Elements != nil {
				count(it, len(it.Elements.Elements))
			}
		}
	}
	if over != nil {
		c.add("LIM007", over.Span(), "the number of traits of a node", strconv.Itoa(n), strconv.Itoa(trait.MaxUses))
	}
	return over != nil
}

func (c *checker) usesOf(attrs []*ast.Attribute, body *ast.Body, p place) []used {
	var out []used
	for _, a := range attrs {
		if isTrait(a) && !a.Is(ast.Broken) && a.Name != "" && !strings.HasPrefix(a.Name, "on_") {
			out = append(out, c.useOf(a, p))
		}
	}
	return out
}

// listed reads traits: [ a, @b(x: 1) ]. A property of the body that is named
// like a trait is its configuration; settings gets those by name, once.
func (c *checker) listed(a *ast.Array, body *ast.Body, settings map[string][]*ast.Property, p place) []used {
	var out []used
	if len(settings) == 0 {
		for _, n := range body.Items {
			if prop, ok := n.(*ast.Property); ok {
				settings[prop.Key.Name()] = append(settings[prop.Key.Name()], prop)
			}
		}
	}
	for _, e := range a.Elements {
		switch e := e.(type) {
		case *ast.AttrValue:
			if isTrait(e.Attr) {
				out = append(out, c.useOf(e.Attr, p))
			}
		case *ast.Ident, *ast.String, *ast.EnumWord, *ast.Path:
			u := used{use: trait.Use{Name: strings.TrimPrefix(nameOf(e), "@")}, word: e}
			for _, prop := range settings[u.use.Name] {
				o, ok := prop.Value.(*ast.Object)
				if !ok {
					u.use.Args = append(u.use.Args, trait.Arg{Spread: true})
					u.args = append(u.args, prop.Value)
					continue
				}
				for _, it := range o.Body.Items {
					if q, ok := it.(*ast.Property); ok && q.Key.Computed == nil && q.Type() == nil {
						u.use.Args = append(u.use.Args, trait.Arg{Key: q.Key.Name(), Value: c.valueOf(q.Value, p)})
						u.args = append(u.args, q)
					}
				}
			}
			out = append(out, u)
		}
	}
	return out
}

// listedTraits looks at the values in a list of traits.
func (c *checker) listedTraits(a *ast.Array, p place) {
	for _, e := range a.Elements {
		if v, ok := e.(*ast.AttrValue); ok {
			c.traitBody(v.Attr, p)
		}
	}
}

// judgeUses judges the traits of one owner, each by itself and all together.
func (c *checker) judgeUses(uses []used, body *ast.Body, p place) {
	if len(uses) == 0 {
		return
	}
	all := make([]trait.Use, len(uses))
	for i, u := range uses {
		all[i] = u.use
		for _, f := range c.checkUse(u.use) {
			c.traitFinding(f, u, uses, p)
		}
	}
	for _, f := range c.reg.CheckNode(all) {
		if f.Code == "TRT007" && p.o != nil && len(p.o.uses) > 0 {
			continue // its template may have the other
		}
		c.traitFinding(f, uses[f.Use], uses, p)
	}
}

// checkUse judges one use. What is said of a name that nobody knows is worked
// out once, and for the first names with a near one.
func (c *checker) checkUse(u trait.Use) []trait.Finding {
	if _, known := c.reg.Lookup(u.Name); known {
		return c.reg.Check(u)
	}
	f, ok := c.unknown[u.Name]
	switch {
	case ok:
	case len(c.unknown) >= MaxSuggestions:
		f = trait.Finding{Code: "TRT001", Severity: diag.Warning, Slots: []string{u.Name, ""}, Other: -1, Arg: -1, Item: -1}
	default:
		f = c.reg.Check(trait.Use{Name: u.Name})[0]
		c.unknown[u.Name] = f
	}
	return []trait.Finding{f}
}

// traitFinding gives a finding of the registry its place and its fix.
func (c *checker) traitFinding(f trait.Finding, u used, uses []used, p place) {
	if u.attr != nil && (f.Code == "TRT005" || f.Code == "TRT002") && (u.attr.Name == "test" || u.attr.Name == "state_machine" && statesInside(u.attr)) {
		return
	}
	at := c.useSpan(u)
	name := at
	var value ast.Node
	if f.Arg >= 0 && f.Arg < len(u.args) {
		value = u.args[f.Arg]
		at = value.Span()
		name = at
		if prop, ok := value.(*ast.Property); ok {
			name, value = prop.Key.At, prop.Value
			at = name
			switch f.Code {
			case "TRT002":
			default:
				at = value.Span()
			}
		}
		if f.Item >= 0 {
			at = c.element(value, f.Item)
		}
	}
	if f.Code == "TRT003" || f.Code == "TRT004" {
		out := c.addAs(f.Severity, f.Code, at, f.Slots...)
		if f.Remedy == trait.ReplaceValue {
			out.Suggest(f.Text).Fix("Replace with '"+f.Text+"'", int(at.Start), int(at.End), f.Text)
		}
		return
	}
	out := c.addAs(f.Severity, f.Code, at, f.Slots...)
	if f.Suggestion != "" {
		out.Suggest(f.Suggestion)
	}
	switch f.Remedy {
	case trait.ReplaceName:
		text := f.Text
		if u.attr == nil {
			text = strings.TrimPrefix(text, "@")
			if _, ok := u.word.(*ast.String); ok || !isWord(text) {
				text = `"` + text + `"`
			}
		}
		out.Fix("Replace with '"+f.Text+"'", int(at.Start), int(at.End), text)
	case trait.ReplaceKey:
		out.Fix("Replace with '"+f.Text+"'", int(name.Start), int(name.End), f.Text)
	case trait.ReplaceValue:
		out.Fix("Replace with '"+f.Text+"'", int(at.Start), int(at.End), f.Text)
	case trait.InsertParam:
		if from, to, text, ok := c.insertParam(u, f.Text); ok {
			out.Fix("Insert '"+f.Text+"'", from, to, text)
		}
	case trait.RemoveTrait:
		c.removeTrait(out, u)
		if f.Other >= 0 {
			other := uses[f.Other]
			span := c.useSpan(other)
			out.Related("The other one.", int(span.Start), int(span.End))
			c.removeTrait(out, other)
		}
	case trait.AddTrait:
		if u.attr != nil {
			at := int(u.attr.At.End)
			text := " " + f.Text
			if c.ownLine(u.attr) {
				text = "\n" + c.indentOf(u.attr.At.Start) + f.Text
			}
			out.Fix("Add '"+f.Text+"'", at, at, text)
		} else {
			end := int(u.word.Span().End)
			out.Fix("Add '"+f.Text+"'", end, end, ", "+strings.TrimPrefix(f.Text, "@"))
		}
	case trait.MergeTraits:
		c.mergeTraits(out, u, uses[f.Other])
	}
}

// removeTrait adds the fix that takes a trait out.
func (c *checker) removeTrait(out *diag.Finding, u used) {
	title := "Remove '@" + u.use.Name + "'"
	if u.attr != nil {
		at := c.lines(u.attr.At)
		out.Fix(title, int(at.Start), int(at.End), "")
		return
	}
	at := u.word.Span()
	text := c.f.Text()
	end := int(at.End)
	for end < len(text) && (text[end] == ' ' || text[end] == ',') {
		end++
	}
	out.Fix(title, int(at.Start), end, "")
}

// insertParam is the edit that gives a trait one more argument.
func (c *checker) insertParam(u used, item string) (from, to int, text string, ok bool) {
	if u.attr == nil {
		return 0, 0, "", false
	}
	a := u.attr
	end := int(a.At.End)
	src := c.f.Text()
	switch {
	case a.Form() == "bare":
		return end, end, "(" + item + ")", true
	case end > 0 && (src[end-1] == ')' || src[end-1] == '}') && a.Body == nil && a.Value == nil:
		at := end - 1
		object := a.Is(ast.ObjectForm) && src[end-1] == ')'
		if object { // @t({ … })
			at = strings.LastIndexByte(src[:end-1], '}')
		}
		for at > 0 && (src[at-1] == ' ' || src[at-1] == '\n' || src[at-1] == '\t' || src[at-1] == '\r') {
			at--
		}
		if len(u.args) > 0 {
			item = ", " + item
		} else if src[end-1] == '}' || object {
			item = " " + item
		}
		return at, at, item, true
	}
	return 0, 0, "", false
}

// mergeTraits adds the fix that moves the arguments of a trait to an earlier
// use, when all are named.
func (c *checker) mergeTraits(out *diag.Finding, u, into used) {
	if u.attr == nil || into.attr == nil || into.attr.Body != nil || u.attr.Body != nil || u.attr.At.Start < into.attr.At.End {
		return
	}
	var parts []string
	for _, n := range u.args {
		prop, ok := n.(*ast.Property)
		if !ok {
			return
		}
		parts = append(parts, strings.TrimSpace(c.f.Slice(prop.At)))
	}
	cut := c.lines(u.attr.At)
	if len(parts) == 0 {
		out.Fix("Remove it", int(cut.Start), int(cut.End), "")
		return
	}
	from, to, text, ok := c.insertParam(into, strings.Join(parts, ", "))
	if ok {
		out.Fix("Merge into the first", from, to, text).And(int(cut.Start), int(cut.End), "")
	}
}

// ownLine says whether an attribute is the first on its line.
func (c *checker) ownLine(a *ast.Attribute) bool {
	start := c.f.Stream.Source.LineStart(int(a.At.Start))
	return strings.TrimSpace(c.f.Text()[start:a.At.Start]) == ""
}

func (c *checker) indentOf(offset uint32) string {
	start := c.f.Stream.Source.LineStart(int(offset))
	line := c.f.Text()[start:offset]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// statesInside says whether the states of a @state_machine stand in it as blocks or
// lines.
func statesInside(a *ast.Attribute) bool {
	for _, body := range []*ast.Body{a.Config, a.Body} {
		if body == nil {
			continue
		}
		for _, it := range body.Items {
			switch it := it.(type) {
			case *ast.Block:
				if it.BlockKind == "state" || it.BlockKind == "transition" {
					return true
				}
			case *ast.Mapping:
				return true
			}
		}
	}
	return false
}
