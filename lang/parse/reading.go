package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// Reading is what File says of a text, kept so that the text may be edited: see
// Edit. It is not changed afterwards and may be used by several goroutines.
type Reading struct {
	File *ast.File
	// Found is what cannot be read, in source order.
	Found []diag.Diagnostic

	peeks []peek
	deep  bool // LIM002 was reported
	looks int  // at tokens, to make it
}

// peek says that the tokens from from to to have had a part in how something was
// read that stands before token at, with which an item begins.
type peek struct{ at, from, to int32 }

// stride is how many tokens may lie between two looks at what comes one by one.
const stride = 8

// Read is File with what Edit needs.
func Read(path string, raw []byte, format ast.Format) *Reading {
	return readSafely(token.Decode(path, raw), format)
}

// readSafely is readSource with a net.
func readSafely(src *token.Source, format ast.Format) (r *Reading) {
	defer func() {
		if fault := recover(); fault != nil {
			r = internalFault(src, format, fault)
		}
	}()
	return readSource(src, format)
}

func readSource(src *token.Source, format ast.Format) *Reading {
	bag := diag.NewBag(src.Path, src)
	stream := token.Lex(src, bag)
	p := newParser(stream, bag)
	p.file.Format = format
	p.parseFile()
	return &Reading{File: p.file, Found: bag.All(), peeks: p.peeks, deep: p.deep, looks: p.looks}
}

// beyond notes a look at a token that was not looked at before.
func (p *parser) beyond(i int) {
	if i <= p.near+stride {
		p.near = i
		return
	}
	if n := len(p.far); n > 0 && int(p.far[n-1].from) <= i && i <= int(p.far[n-1].to)+1 {
		p.far[n-1].to = max(p.far[n-1].to, int32(i))
		return
	}
	p.far = append(p.far, peek{from: int32(i), to: int32(i)})
}

// peek keeps what was looked at beyond the current token, with which an item begins.
func (p *parser) peek() {
	at := int32(p.pos)
	if p.near < p.pos {
		p.near = p.pos
	}
	if p.near > p.pos && p.near > p.kept {
		p.peeks = append(p.peeks, peek{at, at + 1, int32(p.near)})
		p.kept = p.near
	}
	for _, f := range p.far {
		if f.to > at {
			p.peeks = append(p.peeks, peek{at, f.from, f.to})
		}
	}
	p.far = p.far[:0]
}
