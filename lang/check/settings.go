package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// settings looks at the plain settings of a block: are they known, of the right
// type, in range.
func (c *checker) settings(b *ast.Block, k *kind, p place) {
	if k == nil || k.role == cells || k.role == nameList || k.role == typed || k.role == ignored || k.role == data || p.data {
		return
	}
	entry, _ := words().settings.Lookup(k.name)
	kindName := b.BlockKind
	if kindName == "transform" && p.o != nil && p.o.parent != nil && p.o.parent.is("pipeline") {
		return
	}
	given := map[string]string{}
	for _, n := range b.Body.Items {
		prop, ok := n.(*ast.Property)
		if !ok || prop.Key.Computed != nil {
			continue
		}
		key := prop.Key.Name()
		if s, ok := prop.Value.(*ast.String); ok {
			given[key] = s.Value()
		} else {
			given[key] = nameOf(prop.Value)
		}
		if prop.Is(ast.Broken) || token.IsOnWord(key) || len(prop.Key.Parts()) != 1 {
			continue
		}
		if entry == nil {
			continue
		}
		if _, known := entry.Param(key); !known {
			c.unknownSetting(prop, key, k, entry)
			continue
		}
		if prop.Type() == nil {
			c.setting(prop, entry, p)
		}
	}
	c.required(b, kindName, given, p)
}

// unknownSetting reports a key that a kind does not have: for the kinds that
// take any key only one that looks like a slip.
func (c *checker) unknownSetting(prop *ast.Property, key string, k *kind, entry *trait.Entry) {
	near, ok := words().keys[entry.Name].Nearest(key)
	if _, other := idiom.Spelling(trait.FoldKey(key), k.name); other { // another word for one that it has
		return
	}
	if ok && k.is("open") && (len(key) < 5 || key[0] != near[0]) {
		ok = false // rate is no slip for range; a name of the author's
	}
	if !ok {
		if !k.is("open") {
			c.add("BLK002", prop.Key.At, key, k.name, "")
		}
		return
	}
	replace(c.addAs(diag.Warning, "BLK002", prop.Key.At, key, k.name, hint(near)), prop.Key.At, near)
}

// writtenVectors are settings whose coordinates may be a text (M09).
var writtenVectors = map[string]bool{"position": true, "rotation": true, "scale": true, "size": true, "direction": true, "target": true, "look_at": true}

// setting judges the value of a known setting.
func (c *checker) setting(prop *ast.Property, entry *trait.Entry, p place) {
	param, _ := entry.Param(prop.Key.Name())
	if param.Name == "geometry" {
		c.geometry(prop.Value)
		return
	}
	v := c.valueOf(prop.Value, p)
	if v.Kind == trait.Text && writtenVectors[param.Name] {
		if list, ok := trait.Coordinates(v.Str); ok {
			v = list
		}
	}
	use := trait.Use{Name: entry.Name, Args: []trait.Arg{{Key: prop.Key.Name(), Value: v}}}
	key := prop.Key.Name()
	for _, f := range words().settings.Check(use) {
		at := prop.Value.Span()
		if f.Item >= 0 {
			at = c.element(prop.Value, f.Item)
		}
		var out *diag.Finding
		switch f.Code {
		case "TRT003":
			out = c.add("TYP004", at, key, f.Slots[2], f.Slots[3])
		case "TRT004":
			out = c.add("TYP008", at, key, f.Slots[2], f.Slots[3])
		case "TRT009":
			out = c.add("TYP004", at, key, "one of "+f.Slots[2], "'"+f.Slots[0]+"'")
		case "TYP005":
			out = c.add("TYP005", at, f.Slots...)
		default:
			continue
		}
		if f.Remedy == trait.ReplaceValue {
			out.Suggest(strings.Trim(f.Text, `"`)).Fix("Replace with '"+f.Text+"'", int(at.Start), int(at.End), f.Text)
		}
	}
	if param.Type.Has(trait.TypeDuration) {
		c.bareDuration(prop)
	}
}

// bareDuration reports how a duration without a unit is read.
func (c *checker) bareDuration(prop *ast.Property) {
	n, ok := prop.Value.(*ast.Number)
	key := prop.Key.Name()
	if !ok || n.Unit() != "" || strings.HasSuffix(key, "_ms") || strings.HasSuffix(key, "_s") || n.Value() == 0 {
		return
	}
	text := n.Raw + "s"
	if n.Value() >= 20 {
		text = n.Raw + "ms"
	}
	c.add("LNT004", n.At, key, text).Suggest(text).Fix("Write '"+text+"'", int(n.At.Start), int(n.At.End), text)
}

// geometry judges the name of a shape.
func (c *checker) geometry(v ast.Node) {
	name := nameOf(v)
	if name == "" || strings.ContainsAny(name, "./:${") {
		return
	}
	for _, g := range geometries {
		if g == name {
			return
		}
	}
	if _, ok := v.(*ast.Ident); ok && c.top.names[name] != nil {
		return
	}
	near, ok := trait.Nearest(name, geometries)
	if !ok {
		c.add("BLK005", v.Span(), name, "")
		return
	}
	c.respell(c.add("BLK005", v.Span(), name, hint(near)), v, near)
}

// needs are the settings that a kind cannot do without, given another one.
var needs = []struct {
	kind, key, is string // key: is decides; an empty key is always true
	any           []string
	text          string
}{
	{"sink", "", "", []string{"type"}, `type: "stdout"`},
	{"source", "", "", []string{"type"}, `type: "list"`},
	{"sink", "type", "filesystem", []string{"path"}, `path: ""`},
	{"source", "type", "filesystem", []string{"path"}, `path: ""`},
	{"sink", "type", "webhook", []string{"url", "endpoint"}, `url: ""`},
	{"sink", "type", "rest", []string{"endpoint", "url"}, `endpoint: ""`},
	{"source", "type", "rest", []string{"endpoint", "url"}, `endpoint: ""`},
	{"filter", "", "", []string{"where"}, "where: true"},
	{"animation", "", "", []string{"property"}, `property: "position"`},
	{"image", "", "", []string{"src", "source", "url"}, `src: ""`},
}

// required reports settings that are missing.
func (c *checker) required(b *ast.Block, kindName string, given map[string]string, p place) {
	if b.HasError() && !b.Is(ast.Broken) {
		for _, n := range b.Body.Items {
			if n.Kind() == ast.KindBad {
				return
			}
		}
	}
	stageKind := kindName == "sink" || kindName == "source" || kindName == "filter"
	if stageKind && (p.o == nil || p.o.parent == nil || !p.o.parent.is("pipeline")) {
		return
	}
next:
	for _, need := range needs {
		if need.kind != kindName {
			continue
		}
		if need.key != "" && given[need.key] != need.is {
			continue
		}
		for _, key := range need.any {
			if _, ok := given[key]; ok {
				continue next
			}
		}
		at, text := c.insertion(b.Body, need.text)
		c.add("BLK007", c.kindSpan(b), kindName, need.any[0]).Fix("Insert '"+need.text+"'", at, at, text)
	}
}

// element is the place of an element of a list, or of the whole value.
func (c *checker) element(v ast.Node, i int) token.Span {
	if a, ok := v.(*ast.Array); ok && i < len(a.Elements) {
		return a.Elements[i].Span()
	}
	return v.Span()
}

// valueOf is what is known of a value before run time.
func (c *checker) valueOf(n ast.Node, p place) trait.Value {
	switch n := n.(type) {
	case *ast.Number:
		return trait.Value{Kind: trait.Number, Num: n.Value(), Unit: n.Unit()}
	case *ast.Unary:
		if v := c.valueOf(n.X, p); v.Kind == trait.Number && !n.Postfix && (n.Op == "-" || n.Op == "+") {
			if n.Op == "-" {
				v.Num = -v.Num
			}
			return v
		}
	case *ast.String:
		return trait.Value{Kind: trait.Text, Str: n.Value()}
	case *ast.EnumWord:
		return trait.Value{Kind: trait.Word, Str: n.Name}
	case *ast.AxisWord:
		return trait.Value{Kind: trait.Word, Str: n.Name}
	case *ast.Ident:
		if c.known(n.Name, p) != nil || n.Name == "Infinity" || n.Name == "NaN" {
			return trait.Value{}
		}
		return trait.Value{Kind: trait.Word, Str: n.Name}
	case *ast.Colour:
		return trait.Value{Kind: trait.Color, Str: n.Raw}
	case *ast.Bool:
		return trait.Value{Kind: trait.Bool, Bool: n.Value}
	case *ast.Null:
		return trait.Value{Kind: trait.Null}
	case *ast.Arrow, *ast.FuncLit:
		return trait.Value{Kind: trait.Handler}
	case *ast.Array:
		v := trait.Value{Kind: trait.List, List: make([]trait.Value, 0, len(n.Elements))}
		for _, e := range n.Elements {
			if e.Kind() == ast.KindSpread {
				return trait.Value{}
			}
			v.List = append(v.List, c.valueOf(e, p))
		}
		return v
	case *ast.Object:
		return c.mapOf(&n.Body, p)
	}
	return trait.Value{}
}

// mapOf is valueOf for a body of properties.
func (c *checker) mapOf(body *ast.Body, p place) trait.Value {
	v := trait.Value{Kind: trait.Map}
	for _, it := range body.Items {
		prop, ok := it.(*ast.Property)
		switch {
		case ok && prop.Key.Computed == nil && prop.Type() == nil:
			v.Fields = append(v.Fields, trait.Field{Key: prop.Key.Name(), Value: c.valueOf(prop.Value, p)})
		case it.Kind() == ast.KindSpread:
			return trait.Value{}
		default:
			v.Fields = append(v.Fields, trait.Field{Key: "", Value: trait.Value{}})
		}
	}
	return v
}

// judgeProperty looks at a property: its value, and what kind of thing the key
// makes of it.
func (c *checker) judgeProperty(n *ast.Property, p place) {
	if n.Key.Computed != nil {
		c.expr(n.Key.Computed, p)
	}
	key := n.Key.Name()
	c.secret(key, n.Value)
	if n.More != nil {
		for _, e := range n.More.Extra {
			c.value(e.Value, p, nil)
		}
	}
	if t := n.Type(); t != nil {
		want := c.typeOf(t)
		if n.More != nil && n.More.Default != nil {
			c.assignValue(n.More.Default, want, true, p)
		}
		return
	}
	switch {
	case p.data:
		c.value(n.Value, p, nil)
		return
	case key == "state" || key == "children" || key == "entities" || key == "objects" || key == "nodes":
		c.nested(n.Value, key, p)
		return
	case key == "traits":
		if a, ok := n.Value.(*ast.Array); ok {
			c.listedTraits(a, p)
			return
		}
	case key == "metadata" || key == "config" || key == "props" || key == "events" || key == "schema":
		p.data = true
	}
	if token.IsOnWord(key) && p.fn == nil {
		c.handlerProperty(n, key, p)
		return
	}
	if p.in == cells {
		c.cell(n, p)
		return
	}
	if k := words().byName[key]; k != nil && !p.data {
		if o, ok := n.Value.(*ast.Object); ok && (k.role == part || k.role == machine || k.role == tree) {
			c.colonBlock(n, o, k, p)
			return
		}
	}
	q := p
	if p.in == placed || p.in == part {
		q.data = p.data
	}
	c.value(n.Value, q, nil)
	c.assetExists(key, n.Value)
}

// nested looks at blocks in an array and at the cells of an object.
func (c *checker) nested(v ast.Node, key string, p place) {
	switch v := v.(type) {
	case *ast.Array:
		body := &ast.Body{Base: ast.Base{At: v.At}, Items: v.Elements}
		c.siblings(body, p)
		for i, e := range v.Elements {
			if _, ok := e.(*ast.Block); ok {
				c.judge(e, p, body, i)
			} else {
				c.value(e, p, nil)
			}
		}
	case *ast.Object:
		q := p
		if key == "state" {
			q.in, q.kind = cells, "state"
		}
		c.judgeBody(&v.Body, q)
	default:
		c.value(v, p, nil)
	}
}

// colonBlock looks at a setting written with a colon: fog: { density: 1 }.
func (c *checker) colonBlock(n *ast.Property, o *ast.Object, k *kind, p place) {
	b := &ast.Block{BlockKind: k.name, Body: &o.Body}
	b.At = n.At
	q := p
	q.kind, q.in = k.name, k.role
	switch k.role {
	case machine:
		c.machineBody(&o.Body, n.Key.At, q)
	case tree:
		c.treeBody(&o.Body, n.Key.At, q)
	default:
		c.settings(b, k, q)
	}
	c.judgeBody(&o.Body, q)
}

// cell looks at a member of state, computed, watch or bind.
func (c *checker) cell(n *ast.Property, p place) {
	switch p.kind {
	case "computed":
		q := p
		q.fn = &function{name: n.Key.Name()}
		t := c.expr(n.Value, q.inner())
		if s := p.o.names[n.Key.Name()]; s != nil && s.typ == nil {
			s.typ = t
		}
	case "state":
		t := c.value(n.Value, p, nil)
		if s := p.o.state[n.Key.Name()]; s != nil {
			s.typ = widen(t)
		}
	case "watch":
		if owner, s := c.stateKey(p.o, n.Key.Parts()[0]); owner == nil && s == nil && c.anyState(p.o) {
			c.noState(n.Key.At, n.Key.Parts()[0], p)
		} else {
			c.refer(n.Key.At, s)
		}
		c.value(n.Value, p, nil)
	default:
		c.expr(n.Value, p)
	}
}

// handlerProperty looks at onX: value, which is a handler when its value is a
// function or contains statements.
func (c *checker) handlerProperty(n *ast.Property, key string, p place) {
	event := eventName(key)
	switch v := n.Value.(type) {
	case *ast.Arrow, *ast.FuncLit:
		c.judgeEvent(event, n.Key.At, p)
		c.expr(v, p)
	case *ast.Object:
		for _, it := range v.Body.Items {
			if it.Kind().IsStatement() {
				c.judgeEvent(event, n.Key.At, p)
				q := p
				q.fn = &function{name: key, awaits: true}
				q.in, q.kind = ignored, ""
				c.judgeBody(&v.Body, q)
				return
			}
		}
		c.value(v, p, nil)
	default:
		c.value(v, p, nil)
	}
}

// judgeMember looks at a typed declaration.
func (c *checker) judgeMember(n *ast.TypedMember, p place) {
	t := c.typeOf(n.Type)
	for _, s := range []*Symbol{p.o.names[n.Name], p.o.state[n.Name]} {
		if s != nil && s.decl == ast.Node(n) {
			s.typ, s.declared = t, true
		}
	}
	if n.Default != nil {
		c.assignValue(n.Default, t, true, p)
	}
}
