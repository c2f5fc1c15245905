package check

import (
	"strings"

	"github.com/meshd/meshd/lang/trait"
)

// fits says whether a value may stand where a type is wanted. What is not known
// fits.
func (c *checker) fits(found, want *Type) bool {
	c.steps = 0
	return c.fitsIn(found, want, 0)
}

func (c *checker) fitsIn(found, want *Type, depth int) bool {
	found, want = c.look(found), c.look(want)
	if c.steps++; c.steps > MaxSteps {
		return true
	}
	if found == nil || want == nil || found.form == anyType || want.form == anyType || depth > 8 {
		return true
	}
	if want.form == unionType {
		for _, t := range want.alts {
			if c.fitsIn(found, t, depth+1) {
				return true
			}
		}
		return false
	}
	if found.form == unionType {
		for _, t := range found.alts {
			if !c.fitsIn(t, want, depth+1) {
				return false
			}
		}
		return true
	}
	if want.form == literal {
		switch found.form {
		case literal:
			return found.name == want.name && found.base.form == want.base.form
		case wordType:
			return want.base.form == textType && found.name == want.name
		}
		return found.form == want.base.form && !found.unwidens // a variable may have it
	}
	if words, ok := enumWords(want); ok {
		switch {
		case found.form == wordType, found.form == literal && found.base.form == textType:
			for _, w := range words {
				if w == found.name {
					return true
				}
			}
			return false
		case found.form == namedType:
			return found.sym == want.sym
		}
		return found.form == textType || found.form == numberType || found.form == literal
	}
	if found.form == literal {
		if want.form == colorType && found.base.form == textType {
			return trait.IsColor(found.name)
		}
		found = found.base
	}
	switch want.form {
	case numberType:
		if found.form != numberType {
			return false
		}
		return want.dim == "" || found.dim == "" || found.dim == want.dim
	case textType, assetType:
		return found.form == textType || found.form == assetType || found.form == wordType || found.form == colorType
	case colorType:
		return found.form == colorType || found.form == textType || found.form == wordType && trait.IsColor(found.name)
	case boolType:
		return found.form == boolType
	case nullType, voidType:
		return found.form == nullType || found.form == voidType
	case vectorType:
		return c.fitsVector(found, want)
	case nodeType:
		return found.form == nodeType || found.form == wordType || found.form == textType || found.form == nullType
	case listType:
		switch found.form {
		case listType:
			return c.fitsIn(found.elem, want.elem, depth+1)
		case tupleType:
			for _, t := range found.alts {
				if !c.fitsIn(t, want.elem, depth+1) {
					return false
				}
			}
			return true
		}
		return false
	case tupleType:
		if found.form == tupleType {
			if len(found.alts) != len(want.alts) {
				return false
			}
			for i := range found.alts {
				if !c.fitsIn(found.alts[i], want.alts[i], depth+1) {
					return false
				}
			}
			return true
		}
		return found.form == listType || found.form == vectorType
	case mapType:
		return found.form == mapType || found.form == objectType || found.form == namedType
	case funcType:
		return found.form == funcType || found.form == wordType
	case objectType, namedType:
		return c.fitsObject(found, want, depth)
	}
	return true
}

func (c *checker) fitsVector(found, want *Type) bool {
	n := 3
	switch want.name {
	case "vec2":
		n = 2
	case "vec4", "quat":
		n = 4
	}
	switch found.form {
	case vectorType:
		return found.name == want.name || n == 4 && (found.name == "quat" || found.name == "vec4")
	case tupleType:
		if len(found.alts) != n && !(want.name == "quat" && len(found.alts) == 3) {
			return false
		}
		for _, t := range found.alts {
			if !c.fitsIn(t, numberT, 1) {
				return false
			}
		}
		return true
	case listType:
		return c.fitsIn(found.elem, numberT, 1)
	case objectType:
		for _, f := range found.fields {
			if len(f.name) != 1 || !strings.Contains("xyzw"[:n], f.name) || !c.fitsIn(f.typ, numberT, 1) {
				return false
			}
		}
		return true
	}
	return false
}

// fitsObject is structural: the members that are required are there and fit.
func (c *checker) fitsObject(found, want *Type, depth int) bool {
	if found.form == namedType && want.form == namedType && found.sym == want.sym {
		return true
	}
	if found.form != objectType && found.form != namedType {
		return found.form == mapType || found.form == nodeType || found.form == vectorType && want.form == objectType
	}
	if found.form == namedType && !c.closed(found) || want.form == namedType && !c.closed(want) {
		return true
	}
	have := map[string]*Type{}
	for _, f := range c.fieldsOf(found) {
		have[f.name] = f.typ
	}
	for _, f := range c.fieldsOf(want) {
		t, ok := have[f.name]
		if !ok && !f.optional || ok && !c.fitsIn(t, f.typ, depth+1) {
			return false
		}
	}
	return true
}
