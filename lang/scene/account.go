package scene

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// Every setting of a node or the scene knows where it stands and whether
// something asked for it (trait.Origin). What nothing asked for is kept as data,
// and a finding says so: a scene that misses what its author wrote never does so
// without a word.

// originBytes are kept of each place of a setting.
const originBytes = 40

// origin is the place of a setting.
func (b *builder) origin(f *ast.File, n ast.Node) *trait.Origin {
	if n == nil || b.peeking {
		return nil
	}
	if len(b.origins) == cap(b.origins) {
		b.origins = make([]trait.Origin, 0, 64)
	}
	b.held += originBytes
	at := headSpan(n)
	b.origins = append(b.origins, trait.Origin{File: b.files[f], Start: int(at.Start), End: int(at.End)})
	return &b.origins[len(b.origins)-1]
}

// headSpan is the part of a syntax node that names what it sets.
func headSpan(n ast.Node) token.Span {
	at := n.Span()
	switch n := n.(type) {
	case *ast.Property:
		return n.Key.Span()
	case *ast.Block:
		if n.BlockKind != "" {
			at.End = at.Start + uint32(len(n.BlockKind))
		}
	}
	return at
}

// modelKeys are settings that the model has a place for on some kinds of nodes, beside
// those of consumed.
var modelKeys = map[string]bool{
	"target": true, "intensity": true, "fov": true, "direction": true, "range": true, "angle": true, "penumbra": true, "near": true, "far": true, "content": true,
	"font_size": true, "align": true, "volume": true, "loop": true, "autoplay": true,
}

// unasked is a setting that nothing asked for.
type unasked struct {
	code diag.Code
	key  string
	of   string // the kind of node or the setting it stands in
}

type place struct{ file, start, end int }

// account notes which settings of a declaration nothing asked for. It is called
// when all that could ask has been there.
func (b *builder) account(d *decl, kind string) {
	for i := range d.props {
		p := &d.props[i]
		b.accountField(p.key, p.v, p.from, kind, p.dyn && kind != "composition") // bound: the program has it
	}
}

func (b *builder) accountField(key string, v Value, from *trait.Origin, of string, dyn bool) {
	if b.tick(1 + len(v.List)); b.stopped {
		return
	}
	if from != nil {
		at := place{from.File, from.Start, from.End}
		if b.asked == nil {
			b.asked, b.missed = map[place]bool{}, map[place]unasked{}
		}
		if !from.Used && !dyn {
			code := diag.Code("BLK002")
			if consumed[trait.FoldKey(key)] && placedKinds[of] {
				code = "BLK006"
			}
			b.missed[at] = unasked{code, key, of}
			return // what is in it goes with it
		}
		b.asked[at] = true
		if v.Kind == trait.Unknown && v.Str != "" && !dyn {
			b.unknowable(from, v.Str)
		}
	}
	switch v.Kind {
	case trait.Map:
		for _, f := range v.Fields {
			b.accountField(f.Key, f.Value, f.From, key, false)
		}
	case trait.List:
		for _, e := range v.List {
			if e.Kind == trait.Unknown && e.Str != "" {
				b.unknowable(from, e.Str)
			} else if e.Kind == trait.Map || e.Kind == trait.List {
				b.accountField(key, e, nil, of, dyn)
			}
		}
	}
}

// unknowable reports a value that is only known while the scene runs, where nothing
// asks for it then.
func (b *builder) unknowable(from *trait.Origin, text string) {
	if from == nil {
		return
	}
	text, _, _ = strings.Cut(text, "\n")
	if r := []rune(text); len(r) > 40 {
		text = string(r[:39]) + "…"
	}
	b.bag(b.order[from.File]).Add("BLK011", from.Start, from.End, "'"+text+"'")
}

// wholeOf notes that the fields of some keys are used with all that is in them.
func (b *builder) wholeOf(v Value, keys map[string]bool) Value {
	b.tick(len(v.Fields))
	for _, f := range v.Fields {
		if keys[trait.FoldKey(f.Key)] {
			f.From.Use()
			b.whole(f.Value)
		}
	}
	return v
}

// whole notes that a value is used with all that is in it. What it looks through
// counts as work: a loop may ask for one long value in every turn.
func (b *builder) whole(v Value) Value {
	if b.tick(len(v.Fields) + len(v.List)); b.stopped {
		return v
	}
	for _, f := range v.Fields {
		f.From.Use()
		b.whole(f.Value)
	}
	for _, e := range v.List {
		if e.Kind == trait.Map || e.Kind == trait.List {
			b.whole(e)
		}
	}
	return v
}

// reportUnasked reports each setting that nothing asked for in any turn of a loop
// or instance, unless code reads a property of its name.
func (b *builder) reportUnasked() {
	if len(b.missed) == 0 || b.stopped {
		return
	}
	var all []place
	for at := range b.missed {
		if !b.asked[at] {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(x, y place) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.start, y.start))
	})
	read := b.readNames()
	for _, at := range all {
		m := b.missed[at]
		if key := trait.FoldKey(m.key); read[key] && !consumed[key] && !modelKeys[key] {
			continue
		}
		f := b.order[at.file]
		if m.code == "BLK006" {
			b.bag(f).Add(m.code, at.start, at.end, "'"+m.key+"'", m.of)
		} else {
			b.bag(f).Add(m.code, at.start, at.end, m.key, m.of, "")
		}
	}
}

// readNames are the names of members and properties that code and values of the
// files ask for.
func (b *builder) readNames() map[string]bool {
	read := map[string]bool{}
	for _, f := range b.order {
		code := uint32(0) // the end of the function around
		ast.Walk(f, func(n ast.Node) bool {
			if b.inactive[n] {
				return false
			}
			switch n := n.(type) {
			case *ast.Func, *ast.Arrow, *ast.FuncLit, *ast.Template, *ast.Binary, *ast.Ternary, *ast.Wire:
				code = max(code, n.Span().End)
			case *ast.Attribute:
				if n.Name == "test" {
					code = max(code, n.Span().End)
				}
			case *ast.Member:
				if n.Span().Start < code {
					read[trait.FoldKey(n.Name)] = true
				}
			case *ast.Path:
				if n.Span().Start >= code || n.Segments()[0] == "Math" {
					return true
				}
				for _, s := range n.Segments()[1:] {
					read[trait.FoldKey(s)] = true
				}
			case *ast.Ident:
				if n.Span().Start < code {
					read[trait.FoldKey(n.Name)] = true
				}
			case *ast.StateRef:
				read[trait.FoldKey(n.Name)] = true
			}
			return true
		})
	}
	return read
}
