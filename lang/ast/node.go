// Package ast is the syntax tree of the source language, one for .holo, .hs and
// .hsplus. It is lossless together with its Source: every node has its bytes,
// comments hang on the nodes they stand at, author order is kept, and what could
// not be read is a Bad node over the bytes it covers.
//
// A tree comes from package parse and is not changed afterwards; it may be read
// by several goroutines. Its height is bounded (parse.MaxDepth), so that a
// consumer may recurse.
//
// Each node type lists its fields once, in the order of the specification, in
// its method fields; Walk, Equal, AppendJSON and the checks of the tests all
// read that one list.
package ast

import (
	"github.com/meshd/meshd/lang/token"
)

// Node is a node of the tree: a pointer to one of the structs of this package.
type Node interface {
	// Kind names the type of the node. It is stable: it appears in JSON.
	Kind() Kind
	// Span is where the node stands, parentheses of an expression included.
	Span() token.Span
	// HasError says that the node covers a Bad node or a damaged text.
	HasError() bool
	// Common is the part that all nodes have.
	Common() *Base
	fields(v visitor)
	// moved is a copy in its new place, with copies of the children that have one.
	moved(m *mover) Node
}

// Flags are facts that a node of any type may have.
type Flags uint16

// The flags of nodes.
const (
	Damaged       Flags = 1 << iota // HasError
	Broken                          // an item whose damage is not only inside of a body below it
	BlankBefore                     // the author left an empty line before an item
	Detached                        // an empty line stands between an item and the comments before it
	ParenForm                       // written with parentheses: @t(…), emit(…), a.f()
	ObjectForm                      // @t({ … })
	ColonForm                       // with a colon: @t: …
	ArrowForm                       // with an arrow: => …
	AssignForm                      // with an equals sign: @t = …
	WordForm                        // with a word where a mark would do: to, sink, of
	BeforeHeading                   // an attribute written before the heading it belongs to
	SameLine                        // a body whose first comment stands on the line of its brace
	NoBraces                        // a body that is not written: what a heading alone says
	LambdaForm                      // a handler whose parameters stand behind its arrow: on x => (e) { }
	Begins                          // an item with which the reading of a new one began; others were read along with the one before
)

// Base is the common part of all nodes.
type Base struct {
	At     token.Span
	note   uint32 // 1 + index of the comments in the file
	Flags  Flags
	Parens uint8 // pairs of author parentheses around an expression or a type, at most 255
	// Depth is how deep in brackets and statements the items of a body were read, where
	// they fill a pair of braces and follow no rule of their own; else 0.
	Depth uint8
}

// Span implements Node.
func (b *Base) Span() token.Span { return b.At }

// HasError implements Node.
func (b *Base) HasError() bool { return b.Flags&Damaged != 0 }

// Common implements Node.
func (b *Base) Common() *Base { return b }

// Is says whether all of the flags are set.
func (b *Base) Is(f Flags) bool { return b.Flags&f == f }

// visitor receives the fields of a node in order. Empty texts, false flags, nil
// nodes and empty lists are passed too; it is the visitor that leaves them out.
type visitor interface {
	text(name, value string)
	texts(name string, values []string)
	flag(name string, value bool)
	node(name string, n Node)
	begin(name string, n int) // a list of n nodes; item is called for each, then end
	item(n Node)
	end()
	// form is a presentation field, which structural equality ignores.
	form(name, value string)
}

// one passes a pointer that may be nil.
func one[P interface {
	*T
	Node
}, T any](v visitor, name string, p P) {
	if p != nil {
		v.node(name, p)
	}
}

// list passes nodes of one type.
func list[N Node](v visitor, name string, nodes []N) {
	v.begin(name, len(nodes))
	for _, n := range nodes {
		v.item(n)
	}
	v.end()
}

func flagForm(v visitor, name string, b *Base, f Flags) {
	if b.Is(f) {
		v.form(name, "true")
	}
}

// walker visits children.
type walker struct{ visit func(Node) }

func (w walker) text(string, string)    {}
func (w walker) texts(string, []string) {}
func (w walker) flag(string, bool)      {}
func (w walker) form(string, string)    {}
func (w walker) begin(string, int)      {}
func (w walker) end()                   {}
func (w walker) item(n Node)            { w.visit(n) }
func (w walker) node(_ string, n Node) {
	if n != nil {
		w.visit(n)
	}
}

// Children calls visit for each child of a node in the order of its fields,
// which is mostly but not always the order of the source.
func Children(n Node, visit func(Node)) {
	switch n := n.(type) { // most nodes: without working out the texts of their fields
	case *Number, *String, *Ident, *Path, *Bool, *Colour, *StateRef, *EnumWord:
	case *Key:
		if n.Computed != nil {
			visit(n.Computed)
		}
	case *Body:
		for _, one := range n.Items {
			visit(one)
		}
	default:
		n.fields(walker{visit})
	}
}

// Walk calls visit for a node and, where that returns true, for its children.
func Walk(n Node, visit func(Node) bool) {
	if visit(n) {
		Children(n, func(c Node) { Walk(c, visit) })
	}
}
