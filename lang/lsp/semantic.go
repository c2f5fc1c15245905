package lsp

import (
	"encoding/json"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/token"
)

// tokenTypes is the legend of semantic tokens; the numbers below are its places.
var tokenTypes = []string{"comment", "string", "number", "regexp", "keyword", "decorator", "property", "variable", "function", "class", "type", "event", "macro", "operator", "namespace", "parameter"}

const (
	semComment = iota
	semString
	semNumber
	semRegexp
	semKeyword
	semDecorator
	semProperty
	semVariable
	semFunction
	semClass
	semType
	semEvent
	semMacro
	semOperator
	semNamespace
	semParameter
)

var semOf = map[check.SymbolKind]int{
	check.Node: semVariable, check.Template: semClass, check.Module: semNamespace, check.Function: semFunction, check.State: semProperty,
	check.Computed: semProperty, check.Variable: semVariable, check.Parameter: semParameter, check.TypeDecl: semType, check.Member: semProperty,
	check.Imported: semVariable, check.Stage: semVariable,
}

// painted is a range with its place in the legend.
type painted struct {
	at       token.Span
	kind     int
	modifier int
}

// semanticTokens paints the whole document.
func (s *Server) semanticTokens(d *document, _ json.RawMessage) (any, error) {
	data := []int{}
	line, column := 0, 0
	for _, p := range s.paint(d) {
		start, end := int(p.at.Start), int(p.at.End)
		for start < end { // a token of the protocol ends at its line
			stop := end
			if i := strings.IndexAny(d.text[start:end], "\r\n"); i >= 0 {
				stop = start + i
			}
			if stop > start {
				from, to := d.position(start), d.position(stop)
				if from.Line != line {
					column = 0
				}
				data = append(data, from.Line-line, from.Character-column, to.Character-from.Character, p.kind, p.modifier)
				line, column = from.Line, from.Character
			}
			start = stop
			for start < end && (d.text[start] == '\r' || d.text[start] == '\n') {
				start++
			}
		}
	}
	return map[string]any{"data": data}, nil
}

// paint classes tokens and comments in order: by what names mean where that is
// known, else by their form.
func (s *Server) paint(d *document) []painted {
	f := d.parsed()
	r := s.judged(d)
	meaning := map[uint32]painted{}
	for _, ref := range r.References {
		if kind, ok := semOf[ref.Symbol.Kind]; ok {
			meaning[ref.At.Start] = painted{ref.At, kind, 0}
		}
	}
	for _, sym := range r.Symbols {
		if kind, ok := semOf[sym.Kind]; ok && sym.File == d.path {
			meaning[sym.At.Start] = painted{sym.At, kind, 1}
		}
	}
	ast.Walk(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Key:
			if _, ok := meaning[n.At.Start]; !ok {
				meaning[n.At.Start] = painted{n.At, semProperty, 0}
			}
		case *ast.Block:
			if i := kindToken(f, n); i >= 0 {
				t := f.Stream.Tokens[i]
				meaning[t.Start] = painted{token.Span{Start: t.Start, End: t.End}, semKeyword, 0}
			}
		case *ast.TypeName:
			if _, ok := meaning[n.At.Start]; !ok {
				meaning[n.At.Start] = painted{token.Span{Start: n.At.Start, End: n.At.Start + uint32(len(n.Path))}, semType, 0}
			}
		}
		return true
	})
	var out []painted
	comments := f.Stream.Comments
	for _, t := range f.Stream.Tokens {
		for len(comments) > 0 && comments[0].Start < t.Start {
			out = append(out, painted{token.Span{Start: comments[0].Start, End: comments[0].End}, semComment, 0})
			comments = comments[1:]
		}
		if kind, ok := formOf(t); ok {
			p := painted{token.Span{Start: t.Start, End: t.End}, kind, 0}
			if m, known := meaning[t.Start]; known && (t.Kind == token.Ident || t.Kind == token.String) {
				p.kind, p.modifier = m.kind, m.modifier
			}
			if p.kind >= 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

// kindToken is the token with the kind of a block, -1 for none.
func kindToken(f *ast.File, b *ast.Block) int {
	if b.BlockKind == "" || b.Body == nil {
		return -1
	}
	toks := f.Stream.Tokens
	low, high := 0, len(toks)
	for low < high {
		mid := (low + high) / 2
		if toks[mid].Start < b.At.Start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for i := low; i < len(toks) && toks[i].Start < b.Body.At.Start; i++ {
		if toks[i].Kind == token.Ident && f.Stream.Text(i) == b.BlockKind {
			return i
		}
	}
	return -1
}

// formOf classes a token by its form; -1 is a word that means nothing by itself.
func formOf(t token.Token) (int, bool) {
	switch t.Kind {
	case token.Ident:
		switch {
		case t.Word == token.OnWord:
			return semEvent, true
		case t.Word.Has(token.Statement | token.Item | token.Modifier | token.Function | token.Clause | token.Link | token.Literal | token.BodyKind | token.Operation):
			return semKeyword, true
		}
		return -1, true
	case token.StateRef:
		return semProperty, true
	case token.Number:
		return semNumber, true
	case token.String, token.BlockString, token.Template, token.TemplateHead, token.TemplateMiddle, token.TemplateTail:
		return semString, true
	case token.Colour:
		return semNumber, true
	case token.Directive:
		return semMacro, true
	case token.Trait:
		return semDecorator, true
	case token.Regex:
		return semRegexp, true
	}
	return 0, false
}
