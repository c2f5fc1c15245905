package run

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/run/table"
)

// library are the operations that the interpreter answers itself, one for each row of
// the table. All others go to the host.
var library map[string]func(m *Machine, owner string, a []Value) (Value, *Fault)

func init() { // the functions refer to the table through calls of values
	library = map[string]func(m *Machine, owner string, a []Value) (Value, *Fault){
		"log": logged, "print": logged, "console.log": logged,
		"lerp":       lerped,
		"ease":       eased,
		"tween":      tweened,
		"move_to":    movedTo,
		"transition": changedState,
		"play":       func(m *Machine, owner string, a []Value) (Value, *Fault) { return m.play(owner, "play", a) },
		"stop":       func(m *Machine, owner string, a []Value) (Value, *Fault) { return m.play(owner, "stop", a) },
		"llm_call":   model,
		"instances": func(m *Machine, _ string, a []Value) (Value, *Fault) {
			return m.spawnedOf(m.printed(first(a)))
		},
		"random":       randomized,
		"choose":       chosen,
		"now":          func(m *Machine, _ string, _ []Value) (Value, *Fault) { return m.Time(), nil },
		"current_time": func(m *Machine, _ string, _ []Value) (Value, *Fault) { return m.Time(), nil },
		"wait":         func(_ *Machine, _ string, a []Value) (Value, *Fault) { return first(a), nil },
		"generate_id":  freshID,
		"distance":     distance,
		"typeof":       func(_ *Machine, _ string, a []Value) (Value, *Fault) { return typeName(first(a)), nil },
		"set_timeout":  later,
		"get_node":     nodeNamed,
		"find_all":     nodesNamed,
		"show":         shown(true),
		"hide":         shown(false),
		"set_text":     func(m *Machine, owner string, a []Value) (Value, *Fault) { return setOf(m, owner, "text", a) },
		"destroy":      destroyed,
		"calls": func(m *Machine, _ string, a []Value) (Value, *Fault) {
			return float64(m.calls[m.printed(first(a))]), nil
		},
		"JSON.stringify": func(m *Machine, _ string, a []Value) (Value, *Fault) { return m.text(m.shown(first(a))) },
		"JSON.parse":     parseJSON,
		"Object.keys":    func(m *Machine, _ string, a []Value) (Value, *Fault) { return m.method(first(a), "keys", nil) },
		"Object.values":  func(m *Machine, _ string, a []Value) (Value, *Fault) { return m.method(first(a), "values", nil) },
		"Object.entries": func(m *Machine, _ string, a []Value) (Value, *Fault) { return m.method(first(a), "entries", nil) },
		"Number":         toNumber, "parseFloat": toNumber, "parseInt": toInt, "parse_number": toNumber,
		"String":  func(m *Machine, _ string, a []Value) (Value, *Fault) { return m.text(m.printed(first(a))) },
		"Boolean": func(_ *Machine, _ string, a []Value) (Value, *Fault) { return Truthy(first(a)), nil },
		"Math.min": func(_ *Machine, _ string, a []Value) (Value, *Fault) {
			return fold(a, math.Inf(1), least)
		},
		"Math.max": func(_ *Machine, _ string, a []Value) (Value, *Fault) {
			return fold(a, math.Inf(-1), most)
		},
		"Math.random": func(m *Machine, _ string, _ []Value) (Value, *Fault) { return m.random.Float(), nil },
		"Math.hypot":  hypot,
	}
	for name, fn := range numeric {
		n := numbersOf(name)
		library[name] = func(m *Machine, _ string, a []Value) (Value, *Fault) {
			x, f := numbers(a, n)
			return fn(m, x), f
		}
	}
}

// numeric are the operations of numbers alone, which come as many as the row of the
// operation has parameters.
var numeric = map[string]func(m *Machine, x []float64) float64{
	"clamp": func(_ *Machine, x []float64) float64 { return most(x[1], least(x[2], x[0])) },
	"map_range": func(_ *Machine, x []float64) float64 {
		if x[2] == x[1] {
			return x[3]
		}
		return x[3] + float64((x[4]-x[3])*((x[0]-x[1])/(x[2]-x[1])))
	},
	"random_int": func(m *Machine, x []float64) float64 {
		lo, hi := math.Ceil(x[0]), math.Floor(x[1])
		return lo + math.Floor(float64(m.random.Float()*(hi-lo+1)))
	},
	"Math.pow":   func(_ *Machine, x []float64) float64 { return power(x[0], x[1]) },
	"Math.atan2": func(_ *Machine, x []float64) float64 { return math.Atan2(x[0], x[1]) },
	"Math.abs":   one(math.Abs), "Math.floor": one(math.Floor), "Math.ceil": one(math.Ceil), "Math.trunc": one(math.Trunc),
	"Math.sqrt": one(math.Sqrt), "Math.cbrt": one(math.Cbrt), "Math.exp": one(math.Exp),
	"Math.log": one(math.Log), "Math.log2": one(math.Log2), "Math.log10": one(math.Log10),
	"Math.sin": one(math.Sin), "Math.cos": one(math.Cos), "Math.tan": one(math.Tan),
	"Math.asin": one(math.Asin), "Math.acos": one(math.Acos), "Math.atan": one(math.Atan),
	"Math.round": one(func(n float64) float64 { return math.Floor(n + 0.5) }),
	"Math.sign": one(func(n float64) float64 {
		switch {
		case n > 0:
			return 1
		case n < 0:
			return -1
		}
		return n
	}),
}

func one(fn func(float64) float64) func(*Machine, []float64) float64 {
	return func(_ *Machine, x []float64) float64 { return fn(x[0]) }
}

// numbersOf is how many numbers an operation of numbers takes.
func numbersOf(name string) int {
	o := table.OperationOf(name)
	if o == nil || o.Numbers() == 0 {
		panic("run: " + name + " is no operation of numbers in the table")
	}
	return o.Numbers()
}

// IsLibrary says whether the interpreter answers an operation itself.
func IsLibrary(name string) bool { _, ok := library[name]; return ok }

func first(a []Value) Value {
	if len(a) > 0 {
		return a[0]
	}
	return nil
}

// numbers are the first arguments as numbers; those that are not given are 0.
func numbers(a []Value, n int) ([]float64, *Fault) {
	out := make([]float64, n)
	for i := range min(n, len(a)) {
		v, ok := number(a[i])
		if !ok {
			return out, fault(FaultKind, "argument %d is %s, not a number", i+1, typeName(a[i]))
		}
		out[i] = v
	}
	return out, nil
}

func fold(a []Value, start float64, with func(x, y float64) float64) (Value, *Fault) {
	n, f := numbers(a, len(a))
	for _, v := range n {
		start = with(start, v)
	}
	return start, f
}

func logged(m *Machine, owner string, a []Value) (Value, *Fault) {
	var words []string
	size := 0
	for _, v := range a {
		words = append(words, short(m.printed(v)))
		size += len(words[len(words)-1])
	}
	m.note(Entry{Kind: "log", Node: owner, Value: strings.Join(words, " ")})
	return nil, m.alloc(size)
}

// target is the node that a call is about, and the arguments behind it.
func target(owner string, a []Value) (string, []Value) {
	if n, ok := first(a).(Node); ok {
		return string(n), a[1:]
	}
	return owner, a
}

func shown(yes bool) func(m *Machine, owner string, a []Value) (Value, *Fault) {
	return func(m *Machine, owner string, a []Value) (Value, *Fault) {
		node, _ := target(owner, a)
		return nil, m.setProperty(node, "visible", yes)
	}
}

func setOf(m *Machine, owner, name string, a []Value) (Value, *Fault) {
	node, rest := target(owner, a)
	return nil, m.setProperty(node, name, first(rest))
}

// distance is between two places: lists of numbers, or nodes with a position.
func distance(m *Machine, _ string, a []Value) (Value, *Fault) {
	if len(a) < 2 {
		return nil, fault(FaultKind, "distance needs two places")
	}
	var at [2][]Value
	for i := range at {
		v := a[i]
		if n, ok := v.(Node); ok {
			v = m.props[slotKey{string(n), "position"}]
		}
		l, ok := v.(*List)
		if !ok {
			return nil, fault(FaultKind, "distance needs places, not %s", typeName(v))
		}
		at[i] = l.Items
	}
	sum := 0.0
	for i := range min(len(at[0]), len(at[1])) {
		n, f := numbers([]Value{at[0][i], at[1][i]}, 2)
		if f != nil {
			return nil, f
		}
		sum += float64((n[0] - n[1]) * (n[0] - n[1]))
	}
	return math.Sqrt(sum), nil
}

var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

func toNumber(_ *Machine, _ string, a []Value) (Value, *Fault) {
	if s, ok := first(a).(string); ok {
		s = strings.TrimSpace(s)
		if !decimal.MatchString(s) {
			return math.NaN(), nil
		}
		n, _ := strconv.ParseFloat(s, 64) // what is too large is infinite
		return n, nil
	}
	if n, ok := number(first(a)); ok {
		return n, nil
	}
	return math.NaN(), nil
}

func toInt(m *Machine, owner string, a []Value) (Value, *Fault) {
	v, f := toNumber(m, owner, a)
	return math.Trunc(v.(float64)), f
}

func parseJSON(m *Machine, _ string, a []Value) (Value, *Fault) {
	s, ok := first(a).(string)
	if !ok {
		return nil, fault(FaultKind, "JSON.parse needs a text")
	}
	v, err := ParseValue(s)
	if err != nil {
		return nil, fault(FaultKind, "this is not JSON")
	}
	return v, m.alloc(len(s))
}

// ParseValue reads a value from JSON, the keys of objects in their order.
func ParseValue(s string) (Value, error) {
	if len(s) > MaxText {
		return nil, strconv.ErrRange
	}
	if !json.Valid([]byte(s)) {
		return nil, strconv.ErrSyntax
	}
	d := json.NewDecoder(strings.NewReader(s))
	v, err := decodeValue(d, MaxDepth)
	if err != nil {
		return nil, err
	}
	return v, nil
}

func decodeValue(d *json.Decoder, depth int) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	mark, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth == 0 {
		return nil, strconv.ErrRange
	}
	if mark == '[' {
		l := &List{}
		for d.More() {
			v, err := decodeValue(d, depth-1)
			if err != nil {
				return nil, err
			}
			if l.Items = append(l.Items, v); len(l.Items) > MaxItems {
				return nil, strconv.ErrRange
			}
		}
		_, err = d.Token()
		return l, err
	}
	if mark != '{' {
		return nil, strconv.ErrSyntax
	}
	o := NewObject()
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decodeValue(d, depth-1)
		if err != nil {
			return nil, err
		}
		if o.put(k.(string), v); len(o.Keys) > MaxItems {
			return nil, strconv.ErrRange
		}
	}
	_, err = d.Token()
	return o, err
}

// hostCall is a call of an operation by name.
func (m *Machine) hostCall(fn *Function, name string, a []Value) (Value, *Fault) {
	m.calls[name]++
	if f, ok := library[name]; ok {
		v, err := f(m, fn.Owner, a)
		if n, isNumber := v.(float64); isNumber && math.IsNaN(n) && err != nil {
			v = nil
		}
		return v, err
	}
	args := make([]Value, len(a))
	copy(args, a)
	return m.outside(fn, name, args)
}

// outside asks the host.
func (m *Machine) outside(fn *Function, name string, a []Value) (Value, *Fault) {
	m.note(Entry{Kind: "host", Node: fn.Owner, Name: name, Value: &List{Items: a}})
	if m.host == nil {
		return nil, nil
	}
	v, known := m.host.Call(name, a)
	if !known && !m.unknown[name] {
		m.unknown[name] = true
		m.note(Entry{Kind: "fault", Node: fn.Owner, Name: FaultHost, Value: "the host has no operation '" + clip(name) + "'", Function: fn.Name})
	}
	return v, nil
}
