package check

import (
	"strings"
)

// String is the type as a source spells it, cut when it is long.
func (t *Type) String() string {
	s := t.text(0)
	if len(s) > MaxTypeText {
		s = strings.ToValidUTF8(s[:MaxTypeText-3], "") + "..."
	}
	return s
}

func (t *Type) text(depth int) string {
	if t == nil || t.form == anyType || depth > 3 {
		return "any"
	}
	list := func(ts []*Type, sep string) string {
		parts := make([]string, min(len(ts), 12))
		for i := range parts {
			parts[i] = ts[i].text(depth + 1)
		}
		return strings.Join(parts, sep)
	}
	switch t.form {
	case nullType:
		return "null"
	case voidType:
		return "void"
	case boolType:
		return "boolean"
	case numberType:
		switch {
		case t.dim == "time":
			return "duration"
		case t.dim != "":
			return t.dim
		case t.integer:
			return "integer"
		}
		return "number"
	case textType:
		return "string"
	case colorType:
		return "color"
	case vectorType, namedType:
		return t.name
	case wordType:
		return "'" + t.name + "'"
	case nodeType:
		return "node"
	case assetType:
		return "asset"
	case listType:
		if e := t.elem.text(depth + 1); !strings.ContainsAny(e, " |") {
			return e + "[]"
		}
		return "(" + t.elem.text(depth+1) + ")[]"
	case mapType:
		return "Map<string, " + t.elem.text(depth+1) + ">"
	case tupleType:
		return "[" + list(t.alts, ", ") + "]"
	case unionType:
		return list(t.alts, " | ")
	case literal:
		if t.base == stringT {
			return `"` + t.name + `"`
		}
		return t.name
	case funcType:
		var parts []string
		for i, p := range t.params {
			if i == 12 {
				break
			}
			s := p.name
			if p.rest {
				s = "..." + s
			}
			if p.optional {
				s += "?"
			}
			parts = append(parts, s+": "+p.typ.text(depth+1))
		}
		return "(" + strings.Join(parts, ", ") + ") => " + t.result.text(depth+1)
	case objectType:
		var parts []string
		for i, f := range t.fields {
			if i == 12 {
				break
			}
			s := f.name
			if f.optional {
				s += "?"
			}
			parts = append(parts, s+": "+f.typ.text(depth+1))
		}
		if len(parts) == 0 {
			return "object"
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return "any"
}

// sort is the type in a message about a literal: string, not "a".
func (t *Type) sort() string {
	switch {
	case t != nil && t.form == literal && t.base.form == numberType && t.base.dim == "":
		return "number"
	case t != nil && t.form == literal:
		return t.base.String()
	case t != nil && t.form == tupleType:
		return "list"
	case t != nil && t.form == objectType:
		return "object"
	case t != nil && t.form == listType:
		return "list"
	}
	return t.String()
}

// widen is the type of a variable that begins with a value: string for "a",
// anything for null.
func widen(t *Type) *Type {
	if t == nil {
		return nil
	}
	switch t.form {
	case literal:
		return t.base
	case nullType, voidType, wordType, objectType, tupleType, funcType:
		return nil
	case listType:
		return &Type{form: listType, elem: nil}
	case numberType:
		if t.dim == "" {
			return numberT
		}
	}
	return t
}
