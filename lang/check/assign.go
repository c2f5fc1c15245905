package check

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// assign looks at a = b and a += b.
func (c *checker) assign(n *ast.Assign, p place) *Type {
	var want *Type
	declared := false
	switch t := n.Target.(type) {
	case *ast.Ident:
		if s := c.known(t.Name, p); s != nil {
			c.refer(t.At, s)
			want, declared = s.typ, s.declared && s.Kind != Imported
			if s.Kind == Function || s.Kind == TypeDecl || s.Kind == Template || s.Kind == Node {
				want = nil
			}
		} else if n.Op != "=" && p.fn != nil && !standard[t.Name] && !p.data {
			c.undeclaredName(t.At, t.Name, p)
		}
	case *ast.Path:
		want = c.members(t, p, true)
		declared = c.lastDeclared
	case *ast.StateRef:
		want = c.stateRef(t, p)
		declared = c.lastDeclared
	default:
		want = c.exprOf(n.Target, p, nil)
	}
	if want != nil && want.form == literal {
		want = want.base
	}
	if n.Op == "=" {
		c.assignValue(n.Value, want, declared, p)
		return want
	}
	c.value(n.Value, p, nil)
	return want
}

// assignValue checks a value against the type of what it is assigned to.
func (c *checker) assignValue(v ast.Node, want *Type, declared bool, p place) {
	found := c.value(v, p, want)
	if want == nil || c.fits(found, want) {
		return
	}
	at := v.Span()
	if a, b := dimension(found), dimension(want); a != "" && b != "" && a != b {
		c.addAs(c.enforced(declared, want), "TYP001", at, a, want.String())
		return
	}
	if c.fieldFaults(v, found, want, declared) {
		return
	}
	if words, ok := enumWords(want); ok {
		f := c.addAs(c.enforced(declared, want), "TYP001", at, found.text(0), want.String())
		if near, ok := c.nearest(found.name, words); ok && found.form != numberType {
			c.respell(f, v, near)
		}
		return
	}
	f := c.addAs(c.enforced(declared, want), "TYP001", at, found.sort(), want.String())
	c.convert(f, v, found, want)
}

// fieldFaults reports what is wrong inside an object literal, when that is all.
func (c *checker) fieldFaults(v ast.Node, found, want *Type, declared bool) bool {
	o, ok := v.(*ast.Object)
	declared = declared && !c.elsewhere([]*Type{want}, 0)
	want = c.look(want)
	if !ok || found == nil || found.form != objectType || want == nil || want.form != objectType && (want.form != namedType || !c.closed(want)) {
		return false
	}
	have := map[string]field{}
	for _, f := range found.fields {
		have[f.name] = f
	}
	reported := false
	for _, f := range c.fieldsOf(want) {
		got, ok := have[f.name]
		switch {
		case !ok && !f.optional:
			item := f.name + ": " + sampleOf(f.typ)
			at, text := c.insertion(&o.Body, item)
			c.addAs(c.enforced(declared, want), "TYP010", v.Span(), f.name, want.String()).Fix("Insert '"+item+"'", at, at, text)
			reported = true
		case ok && !c.fits(got.typ, f.typ) && got.value != nil:
			d := c.addAs(c.enforced(declared, want, f.typ), "TYP001", got.value.Span(), got.typ.sort(), f.typ.String())
			c.convert(d, got.value, got.typ, f.typ)
			reported = true
		}
	}
	return reported
}

// sampleOf is a value of a type, as a source spells it.
func sampleOf(t *Type) string {
	if t == nil {
		return "null"
	}
	switch t.form {
	case numberType:
		return "0"
	case textType, assetType:
		return `""`
	case boolType:
		return "false"
	case colorType:
		return `"#ffffff"`
	case vectorType:
		n := map[string]int{"vec2": 2, "vec3": 3, "vec4": 4, "quat": 4}[t.name]
		return "[" + strings.TrimSuffix(strings.Repeat("0, ", n), ", ") + "]"
	case listType, tupleType:
		return "[]"
	case literal:
		if t.base.form == textType {
			return strconv.Quote(t.name)
		}
		return t.name
	case unionType:
		if len(t.alts) > 0 {
			return sampleOf(t.alts[0])
		}
	case namedType:
		if words, ok := enumWords(t); ok && len(words) > 0 {
			return strconv.Quote(words[0])
		}
	case objectType, mapType:
		return "{}"
	}
	return "null"
}
