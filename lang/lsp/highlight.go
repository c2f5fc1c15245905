package lsp

import (
	"encoding/json"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// Kinds of highlights of the protocol.
const (
	highlightText  = 1
	highlightRead  = 2
	highlightWrite = 3
)

type documentHighlight struct {
	Range span `json:"range"`
	Kind  int  `json:"kind"`
}

// highlight marks the places of a document that mean the same as the name at a
// place: its declaration and what assigns to it are written, the rest is read. A
// trait is marked wherever it is used.
func (s *Server) highlight(d *document, params json.RawMessage) (any, error) {
	var p positionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	out := []documentHighlight{}
	offset := d.offset(p.Position)
	if i := d.tokenAt(offset); i >= 0 {
		toks := d.parsed().Stream.Tokens
		if name := d.text[toks[i].Start:toks[i].End]; toks[i].Kind == token.Trait {
			for _, t := range toks {
				if t.Kind == token.Trait && d.text[t.Start:t.End] == name {
					out = append(out, documentHighlight{d.span(int(t.Start), int(t.End)), highlightText})
				}
			}
			return out, nil
		}
	}
	sym, _ := s.symbolAt(d, offset)
	if sym == nil {
		return out, nil
	}
	written := d.writes()
	for _, at := range s.uses(d, sym) {
		kind := highlightRead
		if written[at.End] || sym.File == d.path && at == sym.At {
			kind = highlightWrite
		}
		out = append(out, documentHighlight{d.tokenSpan(at), kind})
	}
	return out, nil
}

// writes are the ends of the names that a document assigns to.
func (d *document) writes() map[uint32]bool {
	out := map[uint32]bool{}
	ast.Walk(d.parsed(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			if n.Target != nil {
				out[n.Target.Span().End] = true
			}
		case *ast.Unary:
			if n.Op == "++" || n.Op == "--" {
				out[n.X.Span().End] = true
			}
		}
		return true
	})
	return out
}
