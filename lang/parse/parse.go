// Package parse turns source text into the tree of package ast: one grammar for
// .holo, .hs and .hsplus.
//
// The parser accepts every text. It never parses a stretch of tokens twice:
// every choice is made from a bounded look-ahead, in which a group in brackets
// is one step through the partner table of package token. What cannot be read
// is reported once, kept as a Bad node, and parsing goes on behind it. Time and
// memory are linear in the text; the height of the tree is bounded.
//
// Everything here is pure and safe for concurrent use on different texts.
package parse

import (
	"fmt"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// MaxDepth is the deepest nesting of brackets, operators and statements, and the
// longest chain of links in one expression (a.b().c(), 1 + 2 + 3). Deeper parts
// are LIM002 and become Bad. A path of words, a.b.c, is one node of any length.
const MaxDepth = 256

// File parses the bytes of a file. The path names it in diagnostics. There is
// always a tree; it covers all that could be read. A fault of the parser itself
// is caught and becomes INT001 with an empty tree.
func File(path string, raw []byte, format ast.Format) (*ast.File, []diag.Diagnostic) {
	r := Read(path, raw, format)
	return r.File, r.Found
}

// Text is File for a text without a path: it is called main and its
// format is guessed from its first word.
func Text(raw []byte) (*ast.File, []diag.Diagnostic) {
	format := ast.GuessFormat(token.Decode("", raw).Text)
	return File("main."+format.String(), raw, format)
}

func internalFault(src *token.Source, format ast.Format, r any) *Reading {
	bag := diag.NewBag(src.Path, src)
	bag.Add(diag.INT001, 0, 0, fmt.Sprintf("parsing (%v)", r))
	end := uint32(len(src.Text))
	f := &ast.File{Stream: &token.Stream{Source: src, Tokens: []token.Token{{Start: end, End: end}}, Partner: []int32{0}}, Format: format}
	f.At.End, f.Body.At.End = end, end
	f.Flags |= ast.Damaged
	return &Reading{File: f, Found: bag.All()}
}

// parseSource is File without the net: tests and fuzzing use it.
func parseSource(src *token.Source, format ast.Format) (*ast.File, []diag.Diagnostic) {
	r := readSource(src, format)
	return r.File, r.Found
}

// mode is what an expression may not use where it stands. Every bracket pair
// starts anew.
type mode uint8

const (
	noBrace     mode = 1 << iota // { ends the expression
	command                      // an operand of a command
	noAs                         // as is not a cast
	pipes                        // | word operand is a binding pipe
	noArrowType                  // ): is not the result of an arrow
	inParens                     // new lines do not count
	inElements                   // directly in [ ]: white space before [ starts a new element
)

// rule is what the items of a body are.
type rule uint8

const (
	anyItem rule = iota
	typeItems
	schemaItems
	ruleItems
	routeItems
	enumItems
	nameItems
	caseItems
)

func ruleOf(w token.Word) rule {
	switch w {
	case token.WStruct, token.WInterface, token.WClass:
		return typeItems
	case token.WProps, token.WEvents, token.WSchema:
		return schemaItems
	case token.WValidate:
		return ruleItems
	case token.WBranch:
		return routeItems
	case token.WEnum:
		return enumItems
	case token.WExports, token.WPersist:
		return nameItems
	}
	return anyItem
}

type parser struct {
	stream  *token.Stream
	src     string // what the strings of nodes are pieces of
	srcAt   int    // where that begins in the text
	toks    []token.Token
	partner []int32
	bag     *diag.Bag
	file    *ast.File

	pos    int
	half   bool // the first character of >> or >= is taken
	mode   mode
	rule   rule // of the body under way
	limit  int  // the token that ends the group under way
	depth  int
	deep   bool // LIM002 was reported
	failed bool // the item under way cannot go on; the nearest list recovers
	bads   int  // damages so far
	own    int  // damages so far that are not inside a body below the item under way

	scan      failedScan
	branch    bool // in a statement without braces, which else may follow
	dash      int  // 1 + indentation of the hyphens of the list under way, 0 outside of one
	condParen int  // token of the ) that closes the first primary of a condition

	noted  int   // comments before it have their node
	loose  []int // comments inside of the items under way, at no list
	stack  []ast.Node
	base   int    // where the items of the body under way begin on the stack
	looks  int    // at tokens: what the time grows with
	near   int    // up to where tokens were looked at one by one
	kept   int    // up to where peeks says so
	far    []peek // what was looked at behind a group, since the last item began
	peeks  []peek
	line   lineCache
	slabs  slabs
	eof    int
	joined []byte
}

func newParser(stream *token.Stream, bag *diag.Bag) *parser {
	p := &parser{
		stream: stream, src: stream.Source.Text, toks: stream.Tokens, partner: stream.Partner, bag: bag,
		file: &ast.File{Stream: stream}, eof: len(stream.Tokens) - 1,
	}
	p.scan.stop = -1
	p.limit = p.eof
	p.condParen = -1
	return p
}

// parseFile reads the whole file.
func (p *parser) parseFile() {
	f := p.file
	f.At = token.Span{End: uint32(len(p.stream.Source.Text))}
	f.Body.At = f.At
	f.Doc = p.doc()
	if k := p.k(); k == token.LBrace || k == token.LBracket {
		p.valueDocument()
	} else {
		p.items(&f.Body, p.eof, anyItem)
	}
	if p.bads > 0 || p.bag.HasErrors() {
		markDamage(f)
	}
}

// doc is the /** … */ comment before the first item.
func (p *parser) doc() string {
	for _, c := range p.stream.Comments {
		if c.Start > p.toks[0].Start {
			break
		}
		if text := p.slice(c.Start, c.End); c.Style == token.Block && len(text) > 4 && text[2] == '*' {
			return text
		}
	}
	return ""
}

// valueDocument reads a file that is one object or array.
func (p *parser) valueDocument() {
	f := p.file
	f.IsValueDocument = true
	im := p.beginItem()
	n := p.primary()
	if p.failed {
		p.failed = false
		n = p.badFrom(0)
	}
	f.Body.Items = []ast.Node{n}
	p.leadWith(n, im)
	p.endItem(n, im)
	p.mark(n, im)
	p.trail(n)
	if p.pos < p.eof {
		if k := p.k(); k != token.Stray {
			p.report(diag.SYN015, p.pos)
		}
		im := p.beginItem()
		start := p.pos
		p.pos = p.eof
		bad := p.badFrom(start)
		f.Body.Items = append(f.Body.Items, bad)
		p.leadWith(bad, im)
		p.endItem(bad, im)
	}
	p.inner(&f.Body, p.eof)
}

// markDamage sets HasError on every node above a damage.
func markDamage(n ast.Node) bool {
	damaged := n.HasError() || n.Kind() == ast.KindBad
	ast.Children(n, func(c ast.Node) {
		if markDamage(c) {
			damaged = true
		}
	})
	if damaged {
		n.Common().Flags |= ast.Damaged
	}
	return damaged
}
