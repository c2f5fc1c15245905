package scene

import (
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/trait"
)

// evalExpr works operators and the pure functions of the standard library out.
// What needs the running scene stays unknown.
func (b *builder) evalExpr(n ast.Node, s *scope) result {
	switch n := n.(type) {
	case *ast.Unary:
		return b.unary(n, s)
	case *ast.Binary:
		return b.binary(n, s)
	case *ast.Ternary:
		c := b.eval(n.Cond, s)
		if !known(c.v) {
			return b.run(s, n)
		}
		branch := n.Else
		if truthy(c.v) {
			branch = n.Then
		}
		r := b.eval(branch, s)
		r.dyn = r.dyn || c.dyn
		return r
	case *ast.Call:
		return b.call(n, s)
	case *ast.Member:
		x := b.eval(n.X, s)
		if v, ok := b.member(x.v, []string{n.Name}); ok {
			return result{v, x.dyn}
		}
	case *ast.Index:
		x, i := b.eval(n.X, s), b.eval(n.I, s)
		switch {
		case x.v.Kind == trait.List && i.v.Kind == trait.Number && i.v.Num >= 0 && int(i.v.Num) < len(x.v.List):
			return result{x.v.List[int(i.v.Num)], x.dyn || i.dyn}
		case x.v.Kind == trait.Map:
			b.tick(len(x.v.Fields))
			if v, ok := get(x.v, i.v.Str); ok {
				return result{v, x.dyn || i.dyn}
			}
		}
	case *ast.Pipe:
		return b.pipe(n, s)
	case *ast.Sequence:
		if r, ok := b.coordinates(n.List, s); ok {
			return r
		}
		if len(n.List) > 0 {
			return b.eval(n.List[len(n.List)-1], s)
		}
	}
	return b.run(s, n)
}

func truthy(v Value) bool {
	switch v.Kind {
	case trait.Bool:
		return v.Bool
	case trait.Number:
		return v.Num != 0
	case trait.Text:
		return v.Str != ""
	case trait.Null, trait.Unknown:
		return false
	}
	return true
}

func (b *builder) unary(n *ast.Unary, s *scope) result {
	x := b.eval(n.X, s)
	if !known(x.v) || n.Postfix {
		return b.run(s, n)
	}
	switch n.Op {
	case "-", "+":
		if x.v.Kind == trait.Number {
			if n.Op == "-" {
				x.v.Num = zero(-x.v.Num)
			}
			return x
		}
	case "!", "not":
		return result{boolOf(!truthy(x.v)), x.dyn}
	}
	return b.run(s, n)
}

func (b *builder) binary(n *ast.Binary, s *scope) result {
	x := b.eval(n.X, s)
	if !known(x.v) {
		return b.run(s, n)
	}
	switch n.Op {
	case "&&", "and", "||", "or", "??":
		stop := !truthy(x.v)
		if n.Op == "||" || n.Op == "or" {
			stop = !stop
		} else if n.Op == "??" {
			stop = x.v.Kind != trait.Null
		}
		if stop {
			return x
		}
		y := b.eval(n.Y, s)
		y.dyn = y.dyn || x.dyn
		return y
	}
	y := b.eval(n.Y, s)
	if !known(y.v) {
		return b.run(s, n)
	}
	if !b.afford(n, s, x.v, y.v) {
		return b.run(s, n)
	}
	if v, ok := operate(n.Op, x.v, y.v); ok {
		return result{v, x.dyn || y.dyn}
	}
	return b.run(s, n)
}

// afford counts what an operator makes or looks through, before it does.
func (b *builder) afford(n *ast.Binary, s *scope, x, y Value) bool {
	switch n.Op {
	case "==", "===", "!=", "!==":
		b.tick((weight(x, b.limits.Data) + len(x.Str)) >> heldWork)
	case "+":
		if x.Kind == trait.Text || y.Kind == trait.Text {
			return len(x.Str)+len(y.Str) <= maxText && b.reserve(len(x.Str)+len(y.Str))
		}
	case "..":
		if x.Kind != trait.Number || y.Kind != trait.Number {
			return true
		}
		if to, ok := trait.Convert(y.Num, y.Unit, x.Unit); ok && x.Unit != "" && y.Unit != "" {
			y.Num = to
		}
		if turns := y.Num - x.Num; turns > MaxIterations {
			b.limit(diag.Code("LIM008"), s.file, n, "the number of turns of a range", int(min(math.Ceil(turns), 1<<53)), MaxIterations)
			b.stopped = true
			return false
		} else if turns > 0 {
			return b.reserve(int(turns) * valueBytes)
		}
	}
	return !b.stopped
}

func operate(op string, x, y Value) (Value, bool) {
	switch op {
	case "==", "===":
		return boolOf(same(x, y)), true
	case "!=", "!==":
		return boolOf(!same(x, y)), true
	case "+":
		if x.Kind == trait.Text || y.Kind == trait.Text {
			a, okA := plainText(x)
			c, okB := plainText(y)
			return textOf(a + c), okA && okB && len(a)+len(c) <= maxText
		}
	}
	if x.Kind != trait.Number || y.Kind != trait.Number {
		return Value{}, false
	}
	unit := x.Unit
	if unit == "" {
		unit = y.Unit
	} else if y.Unit != "" && y.Unit != x.Unit {
		n, ok := trait.Convert(y.Num, y.Unit, x.Unit)
		if !ok {
			return Value{}, false
		}
		y.Num = n
	}
	a, c := x.Num, y.Num
	out := 0.0
	switch op {
	case "+":
		out = a + c
	case "-":
		out = a - c
	case "*":
		out = a * c
	case "/":
		out = a / c
	case "%":
		out = math.Mod(a, c)
	case "**":
		p, ok := power(a, c)
		if !ok {
			return Value{}, false
		}
		out = p
	case "<":
		return boolOf(a < c), true
	case "<=":
		return boolOf(a <= c), true
	case ">":
		return boolOf(a > c), true
	case ">=":
		return boolOf(a >= c), true
	case "..":
		return span(a, c)
	default:
		return Value{}, false
	}
	return Value{Kind: trait.Number, Num: zero(out), Unit: unit}, true
}

// power raises to whole exponents by multiplying, and to a half by the root:
// both are the same on every machine.
func power(a, c float64) (float64, bool) {
	if c == 0.5 {
		return math.Sqrt(a), true
	}
	if c != math.Floor(c) || math.Abs(c) > 64 {
		return 0, false
	}
	out := 1.0
	for range int(math.Abs(c)) {
		out *= a
	}
	if c < 0 {
		out = 1 / out
	}
	return out, true
}

// span is the half-open list a..b.
func span(a, c float64) (Value, bool) {
	if a != math.Floor(a) || c-a > MaxIterations {
		return Value{}, false
	}
	turns := int(math.Ceil(max(c-a, 0)))
	out := make([]Value, turns)
	for i := range out { // counted whole: adding 1 to a number beyond 2^53 leaves it as it is
		out[i] = numOf(a + float64(i))
	}
	return listOf(out), true
}

// same compares by value; null equals undefined, and a word equals a text.
func same(x, y Value) bool {
	if x.Kind == trait.Word {
		x.Kind = trait.Text
	}
	if y.Kind == trait.Word {
		y.Kind = trait.Text
	}
	return x.Equal(y)
}

func (b *builder) call(n *ast.Call, s *scope) result {
	name := ""
	switch f := n.Fn.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.Path:
		name = strings.TrimPrefix(f.Raw, "Math.")
	}
	if vectorCalls[name] && !n.Tagged {
		if r, ok := b.coordinates(n.Args, s); ok {
			return r
		}
	}
	if name == "range" && !n.Tagged {
		if r, ok := b.counted(n.Args, s); ok {
			return r
		}
	}
	if (name == "hsl" || name == "hsla") && len(n.Args) > 2 && !n.Tagged {
		return b.hueCall(name, n.Args, s)
	}
	if chances[name] != 0 && !n.Tagged {
		if r, ok := b.chance(n, chances[name], s); ok {
			return r
		}
	}
	fn, ok := pureFunctions[name]
	if !ok || n.Tagged {
		return b.run(s, n)
	}
	args, dyn := make([]float64, 0, len(n.Args)), false
	for _, a := range n.Args {
		r := b.eval(a, s)
		if r.v.Kind != trait.Number {
			return b.run(s, n)
		}
		args, dyn = append(args, r.v.Num), dyn || r.dyn
	}
	out, ok := fn(args)
	if !ok {
		return b.run(s, n)
	}
	return result{numOf(out), dyn}
}

// hueCall is hsl(i * 90, 70, 60) as the text of a colour.
func (b *builder) hueCall(name string, args []ast.Node, s *scope) result {
	parts, dyn := make([]string, 0, 4), false
	for i, a := range args[:min(len(args), 4)] {
		r := b.eval(a, s)
		if r.v.Kind != trait.Number {
			return result{dyn: true}
		}
		unit := r.v.Unit
		if (i == 1 || i == 2) && unit == "" && r.v.Num > 1 {
			unit = "%"
		}
		parts, dyn = append(parts, strconv.FormatFloat(r.v.Num, 'g', -1, 64)+unit), dyn || r.dyn
	}
	return result{textOf(name + "(" + strings.Join(parts, ", ") + ")"), dyn}
}

// vectorCalls are calls that stand for coordinates or a colour (M09).
var vectorCalls = map[string]bool{
	"vec2": true, "vec3": true, "vec4": true, "Vec3": true, "Vector2": true, "Vector3": true, "Vector4": true, "vector": true, "Color": true, "rgb": true, "rgba": true, "Color3": true,
}

// counted is range(n), range(a, b) or range(a, b, step): the numbers from a up to b.
func (b *builder) counted(args []ast.Node, s *scope) (result, bool) {
	var n [3]float64
	if len(args) == 0 || len(args) > 3 {
		return result{}, false
	}
	dyn := false
	for i, a := range args {
		r := b.eval(a, s)
		if r.v.Kind != trait.Number {
			return result{}, false
		}
		n[i], dyn = r.v.Num, dyn || r.dyn
	}
	switch len(args) {
	case 1:
		n[0], n[1], n[2] = 0, n[0], 1
	case 2:
		n[2] = 1
	}
	turns := math.Ceil((n[1] - n[0]) / n[2])
	if n[2] == 0 || math.IsNaN(turns) || turns > MaxIterations || !b.reserve(int(max(turns, 0))*valueBytes) {
		return result{}, false
	}
	out := make([]Value, int(max(turns, 0)))
	for i := range out {
		out[i] = numOf(n[0] + float64(float64(i)*n[2]))
	}
	return result{listOf(out), dyn}, true
}

// coordinates are (x, y, z): two to four numbers as a list.
func (b *builder) coordinates(list []ast.Node, s *scope) (result, bool) {
	if len(list) < 2 || len(list) > 4 {
		return result{}, false
	}
	out, dyn := make([]Value, len(list)), false
	for i, e := range list {
		r := b.eval(e, s)
		if r.v.Kind != trait.Number {
			return result{}, false
		}
		out[i], dyn = r.v, dyn || r.dyn
	}
	return result{listOf(out), dyn}, true
}

func oneArg(f func(float64) float64) func([]float64) (float64, bool) {
	return func(a []float64) (float64, bool) {
		if len(a) != 1 {
			return 0, false
		}
		return f(a[0]), true
	}
}

// pureFunctions are the functions of numbers that are worked out early. All are
// equal on every machine.
var pureFunctions = map[string]func([]float64) (float64, bool){
	"abs": oneArg(math.Abs), "floor": oneArg(math.Floor), "ceil": oneArg(math.Ceil), "sqrt": oneArg(math.Sqrt),
	"round": oneArg(func(x float64) float64 { return math.Floor(x + 0.5) }),
	"sin":   oneArg(func(x float64) float64 { s, _ := vec.SinCos(x); return s }),
	"cos":   oneArg(func(x float64) float64 { _, c := vec.SinCos(x); return c }),
	"min": func(a []float64) (float64, bool) {
		if len(a) == 0 {
			return 0, false
		}
		m := a[0]
		for _, x := range a {
			m = min(m, x)
		}
		return m, true
	},
	"max": func(a []float64) (float64, bool) {
		if len(a) == 0 {
			return 0, false
		}
		m := a[0]
		for _, x := range a {
			m = max(m, x)
		}
		return m, true
	},
	"clamp": func(a []float64) (float64, bool) {
		if len(a) != 3 {
			return 0, false
		}
		return min(max(a[0], a[1]), a[2]), true
	},
	"lerp": func(a []float64) (float64, bool) {
		if len(a) != 3 {
			return 0, false
		}
		return a[0] + float64((a[1]-a[0])*a[2]), true
	},
}

// pipe works x | map [a, b] to [c, d] out; between colours the nearer end is
// taken, the running scene mixes them.
func (b *builder) pipe(n *ast.Pipe, s *scope) result {
	x := b.eval(n.X, s)
	for _, st := range n.Stages {
		var ops []Value
		for _, o := range st.Operands {
			ops = append(ops, b.eval(o, s).v)
		}
		v, ok := stage(st.Word, x.v, ops)
		if !ok {
			return b.run(s, n)
		}
		x.v = v
	}
	return x
}

func stage(word string, x Value, ops []Value) (Value, bool) {
	if word != "map" || len(ops) < 2 {
		return Value{}, false
	}
	from, to := ops[0], ops[len(ops)-1]
	if len(from.List) < 2 || len(to.List) < 2 || from.List[0].Kind != trait.Number || from.List[1].Kind != trait.Number {
		return Value{}, false
	}
	n := x.Num
	if x.Kind == trait.Bool {
		if n = 0; x.Bool {
			n = 1
		}
	} else if x.Kind != trait.Number {
		return Value{}, false
	}
	lo, hi := from.List[0].Num, from.List[1].Num
	t := 0.0
	if hi != lo {
		t = min(max((n-lo)/(hi-lo), 0), 1)
	}
	a, c := to.List[0], to.List[1]
	if a.Kind == trait.Number && c.Kind == trait.Number {
		return numOf(a.Num + float64((c.Num-a.Num)*t)), true
	}
	if t < 0.5 {
		return a, true
	}
	return c, true
}
