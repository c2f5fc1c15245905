package lsp

import (
	"encoding/json"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/token"
)

// Kinds of symbols of the protocol.
var symbolKinds = map[check.SymbolKind]int{
	check.Node: 19, check.Template: 5, check.Module: 2, check.Function: 12, check.State: 8, check.Computed: 7, check.Variable: 13,
	check.TypeDecl: 23, check.Member: 8, check.Stage: 19,
}

// documentSymbols is the outline: declarations within those around them.
func (s *Server) documentSymbols(d *document, _ json.RawMessage) (any, error) {
	out := []*documentSymbol{}
	made := map[*check.Symbol]*documentSymbol{}
	for _, sym := range s.judged(d).Symbols {
		kind, ok := symbolKinds[sym.Kind]
		if !ok || sym.File != d.path || sym.Name == "" || sym.At.End == sym.At.Start {
			continue
		}
		one := &documentSymbol{Name: sym.Name, Detail: sym.Detail, Kind: kind, Range: d.tokenSpan(sym.Full), Selection: d.tokenSpan(sym.At)}
		made[sym] = one
		if parent := made[sym.Parent]; sym.Parent != nil && parent != nil {
			parent.Children = append(parent.Children, one)
			continue
		}
		out = append(out, one)
	}
	return out, nil
}

// foldingRanges are bodies, lists and comments over several lines, and the row
// of imports at the top.
func (s *Server) foldingRanges(d *document, _ json.RawMessage) (any, error) {
	out := []foldingRange{}
	f := d.parsed()
	toks := f.Stream.Tokens
	for i, t := range toks {
		if !t.Kind.Opens() || !f.Stream.Closed(i) {
			continue
		}
		start, end := d.position(int(t.Start)).Line, d.position(int(toks[f.Stream.Partner[i]].Start)).Line
		if end > start+1 || end == start+1 && t.Kind == token.LBrace {
			out = append(out, foldingRange{StartLine: start, EndLine: end - 1})
		}
	}
	for _, c := range f.Stream.Comments {
		start, end := d.position(int(c.Start)).Line, d.position(int(c.End)).Line
		if c.Style == token.Block && end > start {
			out = append(out, foldingRange{start, end, "comment"})
		}
	}
	first, last := -1, -1
	for _, n := range f.Items() {
		if _, ok := n.(*ast.Import); !ok {
			break
		}
		if first < 0 {
			first = d.position(int(n.Span().Start)).Line
		}
		last = d.position(int(n.Span().End)).Line
	}
	if last > first {
		out = append(out, foldingRange{first, last, "imports"})
	}
	return out, nil
}
