package scene

import (
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// scope is what names mean where a value stands: parameters of templates,
// counters of loops, first values of computed names and of state.
type scope struct {
	parent   *scope
	file     *ast.File
	vars     map[string]Value
	computed map[string]bool          // which of vars may change while the scene runs
	from     map[string]*trait.Origin // where vars that are settings stand
	state    map[string]Value
	node     bool            // the scope of a node,
	settings map[string]bool // which of vars are the node's own settings, and
	id       string          // the node, when it is in the scene
}

func (s *scope) inner() *scope { return &scope{parent: s, file: s.file} }

func (s *scope) set(name string, v Value) {
	if s.vars == nil {
		s.vars = map[string]Value{}
	}
	s.vars[name] = v
}

// compute makes a name one that is computed, with its first value.
func (s *scope) compute(name string, v Value) {
	s.set(name, v)
	if s.computed == nil {
		s.computed = map[string]bool{}
	}
	s.computed[name] = true
}

// read is the value of a name, whether it may change, and where it stands.
func (s *scope) read(name string) (result, *trait.Origin, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			return result{v, s.computed[name]}, s.from[name], true
		}
	}
	return result{}, nil, false
}

// has says whether a name means something, without asking for it.
func (s *scope) has(name string) bool {
	_, _, ok := s.read(name)
	return ok
}

func (s *scope) lookup(name string) (Value, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.vars[name]; ok {
			s.from[name].Use()
			return v, true
		}
	}
	return Value{}, false
}

// owner is the node that a name means a setting of.
func (s *scope) owner(name string) (id string, ok bool) {
	for ; s != nil; s = s.parent {
		if _, known := s.vars[name]; known {
			return s.id, s.settings[name] && s.id != ""
		}
	}
	return "", false
}

// param says whether a name is known of the nearest node around and no setting of it.
func (s *scope) param(name string) bool {
	for ; s != nil; s = s.parent {
		if _, known := s.vars[name]; known || s.node {
			return known && !s.settings[name]
		}
	}
	return false
}

// read is the value of a name in a scope, or of one that its file imports.
func (b *builder) read(s *scope, name string) (result, bool) {
	if r, from, ok := s.read(name); ok {
		if !b.idle {
			from.Use()
		}
		return r, true
	}
	im, ok := b.options.Imports[s.file.Path()][name]
	return still(im.Value), ok && im.File == ""
}

// initial is the first value of a state key, of the nearest owner that has it.
func (s *scope) initial(key string) (Value, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.state[key]; ok {
			return v, true
		}
	}
	return Value{}, false
}

// result is a value and whether it may change at run time; then the value is
// what it begins with, Unknown when that cannot be known.
type result struct {
	v   Value
	dyn bool
}

func still(v Value) result { return result{v: v} }

func textOf(s string) Value   { return Value{Kind: trait.Text, Str: s} }
func wordOf(s string) Value   { return Value{Kind: trait.Word, Str: s} }
func numOf(n float64) Value   { return Value{Kind: trait.Number, Num: zero(n)} }
func boolOf(b bool) Value     { return Value{Kind: trait.Bool, Bool: b} }
func listOf(vs []Value) Value { return Value{Kind: trait.List, List: vs} }
func mapOf(fs ...field) Value { return Value{Kind: trait.Map, Fields: fs} }
func known(v Value) bool      { return v.Kind != trait.Unknown }

type field = trait.Field

// zero turns -0 and what is no number into 0 and brings infinities back.
func zero(n float64) float64 {
	switch {
	case n == 0 || math.IsNaN(n):
		return 0
	case math.IsInf(n, 1):
		return math.MaxFloat64
	case math.IsInf(n, -1):
		return -math.MaxFloat64
	}
	return n
}

// eval works a value out as far as it is known before the scene runs.
func (b *builder) eval(n ast.Node, s *scope) result {
	if b.tick(1); b.stopped {
		return result{}
	}
	switch n := n.(type) {
	case nil:
		return still(Value{Kind: trait.Null})
	case *ast.Number:
		return still(Value{Kind: trait.Number, Num: zero(n.Value()), Unit: n.Unit()})
	case *ast.String:
		return still(textOf(b.text(n)))
	case *ast.Template:
		return b.evalTemplate(n, s)
	case *ast.Bool:
		return still(boolOf(n.Value))
	case *ast.Null:
		return still(Value{Kind: trait.Null})
	case *ast.Colour:
		return still(Value{Kind: trait.Color, Str: n.Raw})
	case *ast.Ident:
		if r, ok := b.read(s, n.Name); ok {
			return r
		}
		return still(wordOf(n.Name))
	case *ast.EnumWord:
		return still(wordOf(n.Name))
	case *ast.AxisWord:
		return still(wordOf(n.Name))
	case *ast.StateRef:
		v, ok := s.initial(n.Name)
		if !ok { // $name of a parameter or a computed value (M06)
			if r, known := b.read(s, n.Name); known {
				return r
			}
		}
		return result{v, true}
	case *ast.NameRef:
		return b.eval(n.X, s)
	case *ast.Path:
		return b.evalPath(n, s)
	case *ast.Array:
		return b.evalArray(n, s)
	case *ast.Object:
		return b.evalBody(&n.Body, s)
	case *ast.Body:
		return b.evalBody(n, s)
	case *ast.Constructor:
		r := b.evalBody(n.Body, s)
		r.v.Fields = append([]field{{Key: "type", Value: wordOf(n.Name)}}, r.v.Fields...)
		return r
	case *ast.Block:
		return b.evalBlock(n, s)
	case *ast.AttrValue:
		use, dyn := b.use(n.Attr, s)
		return result{mapOf(append([]field{{Key: "trait", Value: textOf(use.Name)}}, use.fields()...)...), dyn}
	case *ast.Cast:
		return b.eval(n.X, s)
	case *ast.Unary, *ast.Binary, *ast.Ternary, *ast.Call, *ast.Member, *ast.Index, *ast.Pipe, *ast.Sequence:
		return b.evalExpr(n, s)
	case *ast.Arrow, *ast.FuncLit, *ast.Func:
		return result{Value{Kind: trait.Handler, Str: b.slice(s, n)}, true}
	case *ast.Command:
		return b.evalCommand(n, s)
	case *ast.Emit:
		fs := []field{{Key: "action", Value: textOf("emit")}}
		for i, a := range n.Args {
			key := "event"
			if i > 0 {
				key = "payload"
			}
			fs = append(fs, field{Key: key, Value: b.eval(a, s).v})
		}
		return still(mapOf(fs...))
	}
	return result{Value{Str: b.slice(s, n)}, true}
}

func (b *builder) slice(s *scope, n ast.Node) string { return s.file.Slice(n.Span()) }

func (b *builder) run(s *scope, n ast.Node) result { return result{Value{Str: b.slice(s, n)}, true} }

func (b *builder) evalTemplate(n *ast.Template, s *scope) result {
	var text strings.Builder
	dyn := false
	for i, t := range n.Texts {
		text.WriteString(t)
		if i >= len(n.Exprs) {
			break
		}
		r := b.eval(n.Exprs[i], s)
		dyn = dyn || r.dyn
		part, ok := plainText(r.v)
		if !ok {
			return b.run(s, n)
		}
		if text.Len()+len(part) > maxText || !b.reserve(len(part)) {
			return b.run(s, n)
		}
		text.WriteString(part)
	}
	return result{textOf(text.String()), dyn}
}

// maxText is the longest text that is put together before the scene runs.
const maxText = 1 << 20

// plainText is a value as a template shows it.
func plainText(v Value) (string, bool) {
	switch v.Kind {
	case trait.Number:
		return formatNumber(v.Num) + v.Unit, true
	case trait.Text, trait.Word, trait.Color:
		return v.Str, true
	case trait.Bool:
		return strconv.FormatBool(v.Bool), true
	case trait.Null:
		return "null", true
	}
	return "", false
}

// formatNumber prints a number as ECMAScript does for usual sizes.
func formatNumber(n float64) string {
	if n == 0 {
		return "0"
	}
	if abs := math.Abs(n); abs >= 1e21 || abs < 1e-6 {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func (b *builder) evalPath(n *ast.Path, s *scope) result {
	segments := n.Segments()
	if len(segments) < 2 {
		return still(wordOf(n.Raw))
	}
	if segments[0] == "state" || segments[0] == "this" || segments[0] == "self" {
		rest := segments[1:]
		if segments[0] != "state" && len(rest) > 1 && rest[0] == "state" {
			rest = rest[1:]
		}
		v, ok := s.initial(rest[0])
		if ok {
			v, ok = b.member(v, rest[1:])
		}
		if !ok {
			return b.run(s, n)
		}
		return result{v, true}
	}
	if r, ok := b.read(s, segments[0]); ok {
		if v, ok := b.member(r.v, segments[1:]); ok {
			return result{v, r.dyn}
		}
		return b.run(s, n)
	}
	if segments[0] == "Math" && len(segments) == 2 {
		if c, ok := mathConstants[segments[1]]; ok {
			return still(numOf(c))
		}
	}
	if len(segments) > 2 && segments[1] == "state" {
		if b.peeking { // a state that begins with another's
			return b.run(s, n)
		}
		if of := b.named(segments[0]); of != nil { // what another node keeps
			if v, ok := b.member(b.firstState(of, s), segments[2:]); ok {
				return result{v, true}
			}
			return b.run(s, n)
		}
	}
	return still(wordOf(n.Raw))
}

// named is the first block of the files that has a name, nil for none.
func (b *builder) named(name string) *ast.Block {
	if b.names == nil {
		b.names = map[string]*ast.Block{}
		for _, f := range b.order {
			ast.Walk(f, func(n ast.Node) bool {
				if block, ok := n.(*ast.Block); ok && b.names[block.NameText()] == nil {
					b.names[block.NameText()] = block
				}
				return true
			})
		}
	}
	return b.names[name]
}

// firstState is what a block's own state begins with, as far as it is written as
// plain values.
func (b *builder) firstState(of *ast.Block, s *scope) Value {
	b.peeking = true
	defer func() { b.peeking = false }()
	var fields []field
	if of.Body != nil {
		for _, it := range of.Body.Items {
			state, ok := it.(*ast.Block)
			if !ok || state.BlockKind != "state" || state.Body == nil {
				continue
			}
			for _, it := range state.Body.Items {
				if p, ok := it.(*ast.Property); ok {
					if r := b.eval(p.Value, &scope{file: s.file}); !r.dyn {
						fields = append(fields, field{Key: p.Key.Name(), Value: r.v})
					}
				}
			}
		}
	}
	return mapOf(fields...)
}

var mathConstants = map[string]float64{"PI": math.Pi, "E": math.E, "SQRT2": math.Sqrt2, "LN2": math.Ln2}

// member follows keys into a value.
func (b *builder) member(v Value, keys []string) (Value, bool) {
	for _, k := range keys {
		b.tick(len(v.Fields))
		if v.Kind == trait.List && k == "length" {
			v = numOf(float64(len(v.List)))
			continue
		}
		f, ok := get(v, k)
		if !ok {
			return Value{}, false
		}
		v = f
	}
	return v, true
}

// get is the field of a map that a key names, whatever its spelling; the last
// one counts.
func get(v Value, key string) (Value, bool) {
	if v.Kind != trait.Map {
		return Value{}, false
	}
	fold := trait.FoldKey(key)
	for i := len(v.Fields) - 1; i >= 0; i-- {
		if trait.FoldKey(v.Fields[i].Key) == fold {
			v.Fields[i].From.Use()
			return v.Fields[i].Value, true
		}
	}
	return Value{}, false
}

func (b *builder) evalArray(n *ast.Array, s *scope) result {
	if !b.reserve(len(n.Elements) * valueBytes) {
		return result{}
	}
	out := result{v: listOf(make([]Value, 0, len(n.Elements)))}
	for _, e := range n.Elements {
		if b.stopped {
			return result{}
		}
		if sp, ok := e.(*ast.Spread); ok {
			r := b.eval(sp.X, s)
			out.dyn = out.dyn || r.dyn
			if b.reserve(len(r.v.List) * valueBytes) {
				out.v.List = append(out.v.List, r.v.List...)
			}
			continue
		}
		r := b.eval(e, s)
		out.dyn = out.dyn || r.dyn
		out.v.List = append(out.v.List, r.v)
	}
	return out
}

// evalBlock is a block as data: its body with its name.
func (b *builder) evalBlock(n *ast.Block, s *scope) result {
	r := b.evalBody(n.Body, s)
	var head []field
	if n.BlockKind != "" {
		head = append(head, field{Key: "kind", Value: textOf(n.BlockKind)})
	}
	if name := b.name(n, s); name != "" {
		head = append(head, field{Key: "name", Value: textOf(name)})
	}
	h := n.Heading()
	if h.Arrow != nil {
		head = append(head, field{Key: "target", Value: b.eval(h.Arrow, s).v})
	}
	if !b.reserve((len(r.v.Fields) + len(h.Args) + len(h.Attrs) + 3) * fieldBytes) {
		return result{}
	}
	for _, a := range h.Args {
		head = append(head, field{Key: "args", Value: b.eval(a, s).v})
	}
	for _, a := range h.Attrs {
		use, _ := b.use(a, s)
		head = append(head, field{Key: "@" + use.Name, Value: mapOf(use.fields()...)})
	}
	r.v.Fields = append(head, r.v.Fields...)
	return r
}

// evalBody is a body as data. Blocks of one kind that repeat become a list.
func (b *builder) evalBody(n *ast.Body, s *scope) result {
	out := result{v: mapOf()}
	if n == nil || !b.reserve(len(n.Items)*fieldBytes) {
		return out
	}
	put := func(key string, r result, at ast.Node) {
		out.dyn = out.dyn || r.dyn
		out.v.Fields = append(out.v.Fields, field{Key: key, Value: r.v, From: b.origin(s.file, at)})
	}
	times := map[string]int{}
	for _, it := range n.Items {
		if k, ok := it.(*ast.Block); ok {
			times[b.blockKey(k, s)]++
		}
	}
	lists := map[string]int{}
	for _, it := range n.Items {
		if b.tick(1); b.stopped {
			return result{}
		}
		switch it := it.(type) {
		case *ast.Property:
			put(b.keyName(it.Key, s), b.propertyValue(it, s), it.Key)
		case *ast.Block:
			key, r := b.blockKey(it, s), b.evalBlock(it, s)
			if times[key] == 1 {
				put(key, r, it)
				continue
			}
			at, there := lists[key]
			if !there {
				at = len(out.v.Fields)
				lists[key] = at
				put(key, still(listOf(nil)), it)
			}
			out.v.Fields[at].Value.List = append(out.v.Fields[at].Value.List, r.v)
			out.dyn = out.dyn || r.dyn
		case *ast.Mapping: // "depth:near" -> { fog: true }
			value := b.eval(it.To, s)
			if it.Body != nil {
				r := b.evalBody(it.Body, s)
				value = result{mapOf(append([]field{{Key: "to", Value: value.v}}, r.v.Fields...)...), r.dyn || value.dyn}
			}
			put(referenceName(it.From), value, it)
		case *ast.List:
			put(it.ListKind, b.evalArray(it.Elements, s), it)
		case *ast.Spread:
			if r := b.eval(it.X, s); r.v.Kind == trait.Map && b.reserve(len(r.v.Fields)*fieldBytes) {
				out.v.Fields = append(out.v.Fields, r.v.Fields...)
				out.dyn = out.dyn || r.dyn
			}
		case *ast.Attribute:
			if it.Control() == "" {
				use, dyn := b.use(it, s)
				put("@"+use.Name, result{mapOf(use.fields()...), dyn}, it)
			}
		case *ast.Func:
			put(funcKey(it), result{Value{Kind: trait.Handler, Str: b.slice(s, it)}, true}, it)
		case *ast.TypedMember:
			put(it.Name, b.eval(it.Default, s), it)
		case *ast.Command:
			r := b.evalCommand(it, s)
			put(it.Verb, result{firstOr(r.v, "args"), r.dyn}, it)
		case *ast.Ident:
			put(it.Name, still(boolOf(true)), it)
		case *ast.Bad:
		default:
			put(strings.ToLower(it.Kind().String()), result{Value{Str: b.slice(s, it)}, true}, it)
		}
	}
	return out
}

func firstOr(v Value, key string) Value {
	f, ok := get(v, key)
	if ok && f.Kind == trait.List && len(f.List) == 1 {
		return f.List[0]
	}
	return f
}

func (b *builder) evalCommand(n *ast.Command, s *scope) result {
	if !b.reserve(len(n.Args)*valueBytes + 2*fieldBytes) {
		return result{}
	}
	args := make([]Value, len(n.Args))
	dyn := false
	for i, a := range n.Args {
		r := b.eval(a, s)
		args[i], dyn = r.v, dyn || r.dyn
	}
	return result{mapOf(field{Key: "action", Value: textOf(n.Verb)}, field{Key: "args", Value: listOf(args)}), dyn}
}

func (b *builder) blockKey(n *ast.Block, s *scope) string {
	if n.BlockKind != "" {
		return n.BlockKind
	}
	return b.name(n, s)
}

func funcKey(f *ast.Func) string {
	if f.More != nil && f.More.Event != "" {
		return "on_" + f.More.Event
	}
	if f.More != nil && f.More.Label != nil {
		if s, ok := f.More.Label.(*ast.String); ok {
			return f.Name + " " + s.Value()
		}
	}
	return f.Name
}

// name is the name of a block, with what a template in it comes to.
func (b *builder) name(n *ast.Block, s *scope) string {
	if t, ok := n.Name.(*ast.Template); ok {
		text, _ := plainText(b.eval(t, s).v)
		return text
	}
	if t, ok := n.Name.(*ast.String); ok {
		return b.text(t)
	}
	return n.NameText()
}

// text is the value of a text, made once: a loop asks for it in every turn.
func (b *builder) text(n *ast.String) string {
	if len(n.Raw) < 1<<heldWork {
		return n.Value()
	}
	t, made := b.texts[n]
	if !made && b.reserve(len(n.Raw)) {
		if b.texts == nil {
			b.texts = map[*ast.String]string{}
		}
		t = n.Value()
		b.texts[n] = t
	}
	return t
}

func (b *builder) keyName(k *ast.Key, s *scope) string {
	if len(k.Raw) > 1<<heldWork && !b.reserve(len(k.Raw)) {
		return ""
	}
	if k.Computed != nil {
		text, _ := plainText(b.eval(k.Computed, s).v)
		return text
	}
	return k.Name()
}

// propertyValue is the value of a property; of a typed one its default.
func (b *builder) propertyValue(p *ast.Property, s *scope) result {
	if p.Type() != nil {
		if p.More != nil && p.More.Default != nil {
			return b.eval(p.More.Default, s)
		}
		if lit, ok := unionWord(p.Type()); ok {
			return still(lit)
		}
		return still(Value{Kind: trait.Null})
	}
	r := b.eval(p.Value, s)
	if p.More != nil && len(p.More.Extra) > 0 {
		fs := []field{{Key: "value", Value: r.v}}
		for _, x := range p.More.Extra {
			fs = append(fs, field{Key: x.Name, Value: b.eval(x.Value, s).v, From: b.origin(s.file, x.Value)})
		}
		return result{mapOf(fs...), r.dyn}
	}
	return r
}

// unionWord takes a type that is one literal as the value it looks like.
func unionWord(t ast.Node) (Value, bool) {
	if l, ok := t.(*ast.LiteralType); ok {
		if s, ok := l.X.(*ast.String); ok {
			return textOf(s.Value()), true
		}
	}
	return Value{}, false
}
