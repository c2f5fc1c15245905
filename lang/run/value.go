package run

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Value is a value of a running program: nil, bool, float64, string, *List,
// *Object, Node, *Closure, or one of the inner ones that code cannot name.
type Value = any

// Node is a reference to a node, to the scene or to a module.
type Node string

// stateOf is node.state.
type stateOf Node

// List is a list. It is shared by all that reference it.
type List struct {
	Items []Value
	turn  int // in which its old items were saved
}

// Object is a map in the order in which its keys came.
type Object struct {
	Keys   []string
	Values map[string]Value
	turn   int
}

// Closure is a function with the boxes that it closes over.
type Closure struct {
	fn    int
	boxes []*box
	in    *instance // whose function it is, nil for the scene's own
}

// dead says whether what the function belongs to has ended.
func (c *Closure) dead() bool { return c.in != nil && c.in.gone }

type box struct {
	v    Value
	turn int
}

// iterator walks over a list as it was when the walk began.
type iterator struct {
	items []Value
	at    int
}

// NewObject is an object of keys and values in turn; for hosts.
func NewObject(pairs ...any) *Object {
	o := &Object{Values: map[string]Value{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.put(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *Object) put(key string, v Value) {
	if _, there := o.Values[key]; !there {
		o.Keys = append(o.Keys, key)
	}
	o.Values[key] = v
}

func (o *Object) remove(key string) {
	if _, there := o.Values[key]; there {
		delete(o.Values, key)
		o.Keys = slices.DeleteFunc(o.Keys, func(k string) bool { return k == key })
	}
}

// Truthy says whether a value counts as true.
func Truthy(v Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case float64:
		return v != 0 && !math.IsNaN(v)
	case string:
		return v != ""
	}
	return true
}

// Equal compares by content.
func Equal(a, b Value) bool {
	left := MaxItems
	return equal(a, b, MaxDepth, &left)
}

func equal(a, b Value, depth int, left *int) bool {
	if *left--; depth < 0 || *left < 0 {
		return false
	}
	switch a := a.(type) {
	case *List:
		c, ok := b.(*List)
		if !ok || len(a.Items) != len(c.Items) {
			return false
		}
		if a == c {
			return true
		}
		for i := range a.Items {
			if !equal(a.Items[i], c.Items[i], depth-1, left) {
				return false
			}
		}
		return true
	case *Object:
		c, ok := b.(*Object)
		if !ok || len(a.Keys) != len(c.Keys) {
			return false
		}
		if a == c {
			return true
		}
		for _, k := range a.Keys {
			w, there := c.Values[k]
			if !there || !equal(a.Values[k], w, depth-1, left) {
				return false
			}
		}
		return true
	case *Closure:
		c, ok := b.(*Closure)
		return ok && a == c
	case *iterator, *box:
		return false
	case string:
		if c, ok := b.(string); ok && len(a) == len(c) {
			*left -= len(a) / ChargeBytes
		}
	}
	switch b.(type) {
	case *List, *Object, *Closure, *iterator, *box:
		return false
	}
	return a == b
}

// number is a value as a number, as far as it is one.
func number(v Value) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case nil:
		return 0, true
	}
	return 0, false
}

// FormatNumber prints a number as ECMAScript does.
func FormatNumber(n float64) string {
	switch {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	case n == 0:
		return "0"
	}
	if abs := math.Abs(n); abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	s := strconv.FormatFloat(n, 'e', -1, 64)
	if i := strings.IndexByte(s, 'e'); i >= 0 && len(s) > i+2 && s[i+2] == '0' {
		s = s[:i+2] + s[i+3:]
	}
	return s
}

// Text is a value as text: a text itself, everything else as it is printed.
func Text(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	left := MaxText
	show(&b, v, MaxDepth, &left)
	return b.String()
}

// Show is a value as JSON, for traces and messages.
func Show(v Value) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	return Text(v)
}

func show(b *strings.Builder, v Value, depth int, left *int) {
	if *left <= 0 || depth < 0 {
		b.WriteString("…")
		return
	}
	was := b.Len()
	defer func() { *left -= max(0, b.Len()-was-1) }()
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case float64:
		b.WriteString(FormatNumber(v))
	case string:
		b.WriteString(quote(v))
	case Node:
		b.WriteString(string(v))
	case stateOf:
		b.WriteString(string(v) + ".state")
	case *List:
		b.WriteByte('[')
		for i, e := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			if b.Len()-was > *left {
				b.WriteString("…")
				break
			}
			rest := *left - (b.Len() - was)
			show(b, e, depth-1, &rest)
		}
		b.WriteByte(']')
	case *Object:
		b.WriteByte('{')
		for i, k := range v.Keys {
			if i > 0 {
				b.WriteByte(',')
			}
			if b.Len()-was > *left {
				b.WriteString("…")
				break
			}
			b.WriteString(quote(k))
			b.WriteByte(':')
			rest := *left - (b.Len() - was)
			show(b, v.Values[k], depth-1, &rest)
		}
		b.WriteByte('}')
	case *Closure:
		b.WriteString("function")
	default:
		b.WriteString("null")
	}
}

const hexDigits = "0123456789abcdef"

// quote is a text as JSON.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\u00`)
			b.WriteByte(hexDigits[r>>4])
			b.WriteByte(hexDigits[r&15])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// typeName is what typeof says.
func typeName(v Value) string {
	switch v.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBoolean
	case float64:
		return kindNumber
	case string:
		return kindString
	case *List:
		return kindList
	case *Closure:
		return kindFunction
	case Node:
		return kindNode
	}
	return kindObject
}
