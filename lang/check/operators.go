package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// unary looks at an operator with one operand.
func (c *checker) unary(n *ast.Unary, p place) *Type {
	if n.Op == "await" && (p.fn == nil || !p.fn.awaits) && !p.data {
		c.add("BLK009", token.Span{Start: n.At.Start, End: n.At.Start + 5}, "await", "a function or a handler")
	}
	t := c.expr(n.X, p)
	switch n.Op {
	case "!", "not":
		return booleanT
	case "typeof":
		return stringT
	case "-", "+":
		if t != nil && t.form == literal {
			return &Type{form: literal, name: n.Op + t.name, base: t.base}
		}
		return t
	case "await":
		return t
	}
	return numberT
}

// unit reports a unit that nobody knows.
func (c *checker) unit(n *ast.Number) {
	unit := n.Unit()
	if unit == "" || symbolic[strings.ToLower(unit)] {
		return
	}
	if _, ok := trait.Dimension(unit); ok {
		return
	}
	at := token.Span{Start: n.At.End - uint32(len(unit)), End: n.At.End}
	near, ok := c.nearest(unit, units)
	if !ok {
		c.add("TYP006", at, unit, "")
		return
	}
	replace(c.add("TYP006", at, unit, hint(near)), at, near)
}

// symbolic are the units that stay as they are written.
var symbolic = set("px em rem pt vh vw")

var units = strings.Fields("ms s min h d mm cm m km in ft deg rad turn hz khz fps g kg px em rem pt vh vw db b kb mb gb k v a w n pa lux lm m/s km/h")

// binary looks at an operator with two operands.
func (c *checker) binary(n *ast.Binary, p place) *Type {
	var x, y *Type
	switch n.Op {
	case "==", "!=", "===", "!==", "is", "??", "in", "instanceof":
		x, y = c.value(n.X, p, nil), c.value(n.Y, p, nil)
	default:
		x, y = c.expr(n.X, p), c.expr(n.Y, p)
	}
	switch n.Op {
	case "+", "-", "<", ">", "<=", ">=", "==", "!=", "===", "!==":
		a, b := dimension(x), dimension(y)
		if a != "" && b != "" && a != b {
			c.add("TYP007", n.At, a, b)
		}
	}
	switch n.Op {
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "is", "in", "instanceof":
		return booleanT
	case "&&", "||", "and", "or", "??":
		return c.both(x, y)
	case "..":
		return &Type{form: listType, elem: numberT}
	case "+":
		if isText(x) || isText(y) {
			return stringT
		}
		if isNumber(x) && isNumber(y) {
			return dimensioned(x, y)
		}
		return nil
	case "-":
		return dimensioned(x, y)
	}
	return numberT
}

func plainType(t *Type) *Type {
	if t != nil && t.form == literal {
		return t.base
	}
	return t
}

func isText(t *Type) bool { t = plainType(t); return t != nil && t.form == textType }

func isNumber(t *Type) bool { t = plainType(t); return t != nil && t.form == numberType }

func dimension(t *Type) string {
	if t = plainType(t); t != nil && t.form == numberType {
		return t.dim
	}
	return ""
}

func dimensioned(x, y *Type) *Type {
	d := dimension(x)
	if d == "" {
		d = dimension(y)
	}
	if d == "" {
		return numberT
	}
	return &Type{form: numberType, dim: d}
}

// both is the type of a value that is one or the other.
func (c *checker) both(x, y *Type) *Type {
	if x == nil || y == nil {
		return nil
	}
	if x.form == literal && y.form == literal && x.base.form == y.base.form && x.name == y.name {
		return x
	}
	return &Type{form: unionType, alts: []*Type{x, y}}
}
