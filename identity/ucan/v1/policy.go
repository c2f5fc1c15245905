package v1

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/ipld/go-ipld-prime/datamodel"
)

// Policy is a predicate over the arguments of an invocation. The zero Policy is
// satisfied by everything. It is immutable.
//
// It is evaluated here and not by go-ucan, in a logic of three values: yes, no,
// and unknown, where the arguments lack what a selector names. An "and" or "all"
// needs every part, an "or" or "any" one part, "not" leaves unknown as it is, and
// only yes satisfies. A selector with "?" yields null where there is nothing, as
// the specification says; go-ucan takes it as satisfied. Selectors are fields
// and indexes; a statement with another (an iterator, a slice) is unknown, as is
// a caveat that is not understood. An empty "or" is no.
type Policy struct {
	statements []statement
	node       datamodel.Node
}

// statement is one compiled statement.
type statement struct {
	op       string
	selector selector
	value    datamodel.Node // of comparisons
	pattern  string         // of like
	parts    []statement    // of and, or, not, all, any
}

type truth int8

const (
	no truth = iota
	unknown
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

var (
	errStatement = errors.New("holds a statement of an unknown form")
	errPattern   = errors.New("holds a pattern that is too long")
)

// compile reads a policy that go-ucan has found well formed.
func compile(n datamodel.Node) (Policy, error) {
	s, err := compileList(n, 0)
	return Policy{statements: s, node: n}, err
}

func compileList(n datamodel.Node, depth int) ([]statement, error) {
	if n.Kind() != datamodel.Kind_List {
		return nil, errStatement
	}
	if depth > MaxNesting {
		return nil, errNesting
	}
	var out []statement
	for i := range n.Length() {
		part, err := n.LookupByIndex(i)
		if err != nil {
			return nil, err
		}
		s, err := compileOne(part, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func compileOne(n datamodel.Node, depth int) (s statement, err error) {
	if depth > MaxNesting {
		return s, errNesting
	}
	if n.Kind() != datamodel.Kind_List || n.Length() < 2 || n.Length() > 3 {
		return s, errStatement
	}
	if s.op, err = stringAt(n, 0); err != nil {
		return s, err
	}
	last, err := n.LookupByIndex(n.Length() - 1)
	if err != nil {
		return s, err
	}
	if n.Length() == 2 {
		switch s.op {
		case "not":
			s.parts = make([]statement, 1)
			s.parts[0], err = compileOne(last, depth+1)
		case "and", "or":
			s.parts, err = compileList(last, depth+1)
		default:
			err = errStatement
		}
		return s, err
	}
	text, err := stringAt(n, 1)
	if err != nil {
		return s, err
	}
	s.selector = parseSelector(text)
	switch s.op {
	case "==", "!=", "<", "<=", ">", ">=":
		s.value = last
	case "like":
		if s.pattern, err = stringAt(n, 2); err == nil && len(s.pattern) > MaxPattern {
			err = errPattern
		}
	case "all", "any":
		s.parts = make([]statement, 1)
		s.parts[0], err = compileOne(last, depth+1)
	default:
		err = errStatement
	}
	return s, err
}

func stringAt(n datamodel.Node, i int64) (string, error) {
	v, err := n.LookupByIndex(i)
	if err != nil {
		return "", err
	}
	if v.Kind() != datamodel.Kind_String {
		return "", errStatement
	}
	return v.AsString()
}

// IsZero reports whether p has no statements.
func (p Policy) IsZero() bool { return len(p.statements) == 0 }

// Satisfied reports whether every statement of p is true of these arguments.
func (p Policy) Satisfied(args map[string]any) bool {
	n, err := nodeOf(args)
	return err == nil && p.satisfied(n)
}

func (p Policy) satisfied(args datamodel.Node) bool {
	return allOf(p.statements, args) == yes
}

func (s statement) eval(n datamodel.Node) truth {
	switch s.op {
	case "and":
		return allOf(s.parts, n)
	case "or":
		return anyOf(s.parts, n)
	case "not":
		return yes - s.parts[0].eval(n)
	}
	v, ok := s.selector.find(n)
	if !ok {
		return unknown
	}
	switch s.op {
	case "==":
		return truthOf(datamodel.DeepEqual(s.value, v))
	case "!=":
		return truthOf(!datamodel.DeepEqual(s.value, v))
	case "like":
		text, err := v.AsString()
		return truthOf(err == nil && like(s.pattern, text))
	case "all", "any":
		return s.quantify(v)
	}
	return truthOf(s.ordered(v))
}

func allOf(parts []statement, n datamodel.Node) truth {
	out := yes
	for _, s := range parts {
		out = min(out, s.eval(n))
	}
	return out
}

func anyOf(parts []statement, n datamodel.Node) truth {
	out := no
	for _, s := range parts {
		out = max(out, s.eval(n))
	}
	return out
}

// quantify evaluates the one part for each element of a list.
func (s statement) quantify(list datamodel.Node) truth {
	if list.Kind() != datamodel.Kind_List {
		return no
	}
	out := truthOf(s.op == "all")
	for it := list.ListIterator(); !it.Done(); {
		_, v, err := it.Next()
		if err != nil {
			return unknown
		}
		if s.op == "all" {
			out = min(out, s.parts[0].eval(v))
		} else {
			out = max(out, s.parts[0].eval(v))
		}
	}
	return out
}

// ordered compares integers with integers and finite floats with such.
func (s statement) ordered(v datamodel.Node) bool {
	if v.Kind() != s.value.Kind() {
		return false
	}
	var less, equal bool
	switch v.Kind() {
	case datamodel.Kind_Int:
		a, errA := v.AsInt()
		b, errB := s.value.AsInt()
		if errA != nil || errB != nil {
			return false
		}
		less, equal = a < b, a == b
	case datamodel.Kind_Float:
		a, errA := v.AsFloat()
		b, errB := s.value.AsFloat()
		if errA != nil || errB != nil || math.IsNaN(a) || math.IsNaN(b) {
			return false
		}
		less, equal = a < b, a == b
	default:
		return false
	}
	switch s.op {
	case "<":
		return less
	case "<=":
		return less || equal
	case ">":
		return !less && !equal
	}
	return !less // ">="
}

// like matches a whole text with a pattern in which "*" stands for any text and a
// backslash makes the next byte literal.
func like(pattern, text string) bool {
	p, t := 0, 0
	star, from := -1, 0 // the last star and where what it stands for ends
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p+1 < len(pattern) && pattern[p] == '\\' && pattern[p+1] == text[t]:
			p += 2
			t++
		case p < len(pattern) && pattern[p] != '\\' && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// selector is a path of fields and indexes. One that is not understood finds
// nothing.
type selector struct {
	steps  []step
	opaque bool
}

type step struct {
	field    string
	index    int64 // when field is ""
	optional bool
}

// oneStep is one step of a path: .field, ["field"] or [index], each with "?"
// behind it or not. A dot before a bracket adds nothing.
var oneStep = regexp.MustCompile(`^(?:\.([\pL_][\pL0-9$_-]*)|\.?\["([^"\\]+)"\]|\.?\[(-?[0-9]{1,15})\])(\?)?`)

func parseSelector(s string) selector {
	if s == "." {
		return selector{}
	}
	var out selector
	for s != "" {
		m := oneStep.FindStringSubmatch(s)
		if m == nil {
			return selector{opaque: true}
		}
		st := step{field: m[1] + m[2], optional: m[4] != ""}
		if st.field == "" {
			n, err := strconv.ParseInt(m[3], 10, 64)
			if err != nil {
				return selector{opaque: true}
			}
			st.index = n
		}
		out.steps = append(out.steps, st)
		s = s[len(m[0]):]
	}
	return out
}

// find follows the path. An optional step that leads nowhere yields null.
func (s selector) find(n datamodel.Node) (datamodel.Node, bool) {
	if s.opaque {
		return nil, false
	}
	for _, st := range s.steps {
		next, ok := st.from(n)
		switch {
		case ok:
			n = next
		case st.optional:
			n = datamodel.Null
		default:
			return nil, false
		}
	}
	return n, true
}

func (st step) from(n datamodel.Node) (datamodel.Node, bool) {
	if st.field != "" {
		if n.Kind() != datamodel.Kind_Map {
			return nil, false
		}
		v, err := n.LookupByString(st.field)
		return v, err == nil
	}
	if n.Kind() != datamodel.Kind_List {
		return nil, false
	}
	i := st.index
	if i < 0 {
		i += n.Length()
	}
	if i < 0 || i >= n.Length() {
		return nil, false
	}
	v, err := n.LookupByIndex(i)
	return v, err == nil
}

// escapeLike makes a text that like takes literally.
func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`).Replace(s)
}
