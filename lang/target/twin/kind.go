package twin

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// MaxNesting is how deep values are described; what lies deeper is any value.
// MaxFields is the most fields of an object, and MaxWords the most values of an
// enumeration, that are described one by one.
const (
	MaxNesting = 3
	MaxFields  = 30
	MaxWords   = 100
)

// kind is the type of a value, as far as it is known.
type kind struct {
	of     string // bool, number, text, list, object; empty is any
	whole  bool   // of a number: it has no fraction
	elem   *kind  // of a list, and of an object the names of whose fields are unknown; nil is any
	fields []property
	words  []string // the values that a text may have; nil is all
}

// kindOf is the type of a value.
func kindOf(v scene.Value, depth int) kind {
	if depth > MaxNesting {
		return kind{}
	}
	switch v.Kind {
	case trait.Bool:
		return kind{of: "bool"}
	case trait.Number:
		return kind{of: "number"}
	case trait.Text, trait.Word, trait.Color:
		return kind{of: "text"}
	case trait.List:
		k := kind{of: "list"}
		for i, e := range v.List {
			ek := kindOf(e, depth+1)
			if i > 0 && !equal(ek, *k.elem) {
				return kind{of: "list"}
			}
			k.elem = &ek
		}
		return k
	case trait.Map:
		if len(v.Fields) == 0 || len(v.Fields) > MaxFields {
			return kind{of: "object"}
		}
		if len(v.Fields) == 1 && v.Fields[0].Key == "expr" {
			return kind{} // known at run time only
		}
		k := kind{of: "object"}
		for _, f := range v.Fields {
			k.fields = append(k.fields, property{name: f.Key, kind: kindOf(f.Value, depth+1), value: f.Value, writable: true})
		}
		return k
	}
	return kind{}
}

// equal says whether two kinds are the same.
func equal(a, b kind) bool {
	if a.of != b.of || a.whole != b.whole || !slices.Equal(a.words, b.words) || (a.elem == nil) != (b.elem == nil) {
		return false
	}
	if a.elem != nil && !equal(*a.elem, *b.elem) {
		return false
	}
	return slices.EqualFunc(a.fields, b.fields, func(x, y property) bool { return x.name == y.name && equal(x.kind, y.kind) })
}

// kindOfLiteral is the kind of a default value.
func kindOfLiteral(n ast.Node) kind {
	switch n.(type) {
	case *ast.Number:
		return kind{of: "number"}
	case *ast.String:
		return kind{of: "text"}
	case *ast.Bool:
		return kind{of: "bool"}
	}
	return kind{}
}
