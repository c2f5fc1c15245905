package lsp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

// symbolAt is the declaration that the name at an offset means, and where the
// name stands.
func (s *Server) symbolAt(d *document, offset int) (*check.Symbol, token.Span) {
	r := s.judged(d)
	at := uint32(offset)
	for _, ref := range r.References {
		if ref.At.Start <= at && at <= ref.At.End {
			return ref.Symbol, ref.At
		}
	}
	for _, sym := range r.Symbols {
		if sym.At.Start <= at && at <= sym.At.End && sym.At.End > sym.At.Start {
			return sym, sym.At
		}
	}
	return nil, token.Span{}
}

// place is the location of a declaration, which may be in another file.
func (s *Server) place(d *document, sym *check.Symbol) (location, bool) {
	if sym.File == d.path {
		return location{d.uri, d.tokenSpan(sym.At)}, true
	}
	for _, other := range s.docs {
		if other.inside && other.path == sym.File {
			return location{other.uri, other.tokenSpan(sym.At)}, true
		}
	}
	if s.project == nil {
		return location{}, false
	}
	f, err := s.project.Read(sym.File)
	if err != nil {
		return location{}, false
	}
	there := &document{utf8: s.utf8}
	there.set(f.Tree.Text())
	return location{s.uriOf(sym.File), there.tokenSpan(sym.At)}, true
}

func (s *Server) definition(d *document, params json.RawMessage) (any, error) {
	var p positionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	offset := d.offset(p.Position)
	for _, n := range d.nodesAt(offset) { // the file of an import
		im, ok := n.(*ast.Import)
		if !ok || im.Source == nil || s.project == nil || !d.inside {
			continue
		}
		if at := im.Source.Span(); int(at.Start) <= offset && offset <= int(at.End) {
			if text, ok := im.Source.(*ast.String); ok {
				if name, _, problem := s.project.Resolve(d.path, text.Value()); problem == nil {
					return location{s.uriOf(name), span{}}, nil
				}
			}
		}
	}
	sym, _ := s.symbolAt(d, offset)
	if sym == nil {
		return nil, nil
	}
	if at, ok := s.place(d, sym); ok {
		return at, nil
	}
	return nil, nil
}

// uses are the places in a document that mean a declaration, in order, that of
// the declaration too.
func (s *Server) uses(d *document, sym *check.Symbol) []token.Span {
	var out []token.Span
	same := func(other *check.Symbol) bool { return other.File == sym.File && other.At == sym.At }
	r := s.judged(d)
	if sym.File == d.path {
		out = append(out, sym.At)
	}
	for _, ref := range r.References {
		if same(ref.Symbol) {
			out = append(out, ref.At)
		}
	}
	slices.SortFunc(out, func(a, b token.Span) int { return int(a.Start) - int(b.Start) })
	return slices.Compact(out)
}

func (s *Server) references(d *document, params json.RawMessage) (any, error) {
	var p struct {
		positionParams
		Context struct {
			Declaration bool `json:"includeDeclaration"`
		} `json:"context"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	out := []location{}
	sym, _ := s.symbolAt(d, d.offset(p.Position))
	if sym == nil {
		return out, nil
	}
	for _, other := range s.sorted() {
		for _, at := range s.uses(other, sym) {
			if !p.Context.Declaration && other.path == sym.File && at == sym.At {
				continue
			}
			out = append(out, location{other.uri, other.tokenSpan(at)})
		}
	}
	return out, nil
}

// inner is a name without its quotes.
func inner(d *document, at token.Span) token.Span {
	text := d.text[at.Start:at.End]
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') {
		return token.Span{Start: at.Start + 1, End: at.End - 1}
	}
	return at
}

func (s *Server) prepareRename(d *document, params json.RawMessage) (any, error) {
	var p positionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	sym, at := s.symbolAt(d, d.offset(p.Position))
	if sym == nil || sym.At.End == sym.At.Start {
		return nil, &rpcError{Code: codeFailed, Message: "there is no name here that can be changed"}
	}
	return map[string]any{"range": d.tokenSpan(inner(d, at)), "placeholder": sym.Name}, nil
}

// rename changes a name everywhere in the open documents. A name that would then
// mean something else, or nothing, is refused.
func (s *Server) rename(d *document, params json.RawMessage) (any, error) {
	var p struct {
		positionParams
		NewName string `json:"newName"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	sym, _ := s.symbolAt(d, d.offset(p.Position))
	if sym == nil || sym.At.End == sym.At.Start {
		return nil, &rpcError{Code: codeFailed, Message: "there is no name here that can be changed"}
	}
	if p.NewName == "" || strings.ContainsAny(p.NewName, "\"'\\\n\r\t$") || len(p.NewName) > 256 {
		return nil, &rpcError{Code: codeFailed, Message: "a name is a text without quotes, backslashes and line ends"}
	}
	if !s.opened(sym.File) {
		return nil, &rpcError{Code: codeFailed, Message: "'" + sym.Name + "' is declared in " + sym.File + "; open it to rename it"}
	}
	edit := workspaceEdit{map[string][]textEdit{}}
	for _, other := range s.sorted() {
		spans := s.uses(other, sym)
		if len(spans) == 0 {
			continue
		}
		text, edits, err := renamed(other, spans, sym, p.NewName)
		if err != nil {
			return nil, err
		}
		tree, found := parse.File(other.path, []byte(text), other.format)
		after := check.File(tree, found, check.Options{}).Diagnostics
		before := check.File(other.parsed(), other.read().Found, check.Options{}).Diagnostics
		if worse(before, after) {
			return nil, &rpcError{Code: codeFailed, Message: "'" + p.NewName + "' would mean something else here, or leave a use of '" + sym.Name + "' behind"}
		}
		edit.Changes[other.uri] = edits
	}
	return edit, nil
}

// opened says whether a file is open.
func (s *Server) opened(name string) bool {
	for _, d := range s.docs {
		if d.path == name {
			return true
		}
	}
	return false
}

// renamed is the text of a document with another name at some places.
func renamed(d *document, spans []token.Span, sym *check.Symbol, name string) (string, []textEdit, error) {
	var b strings.Builder
	var edits []textEdit
	last := 0
	for _, at := range spans {
		in := inner(d, at)
		old := d.text[in.Start:in.End]
		if old != sym.Name {
			return "", nil, &rpcError{Code: codeFailed, Message: "'" + sym.Name + "' goes by another name here"}
		}
		text := name
		if in == at && !isWord(name) {
			if !quotable(d, at) {
				return "", nil, &rpcError{Code: codeFailed, Message: "'" + name + "' is no word, and a path cannot hold it"}
			}
			text = `"` + name + `"`
		}
		b.WriteString(d.text[last:in.Start] + text)
		last = int(in.End)
		edits = append(edits, textEdit{d.tokenSpan(in), text})
	}
	b.WriteString(d.text[last:])
	return b.String(), edits, nil
}

// quotable says whether a quoted text may stand in the place of a word: not in
// the middle of a path.
func quotable(d *document, at token.Span) bool {
	before, after := byte(' '), byte(' ')
	if at.Start > 0 {
		before = d.text[at.Start-1]
	}
	if int(at.End) < len(d.text) {
		after = d.text[at.End]
	}
	return !strings.ContainsRune(".$:@#", rune(before)) && !strings.ContainsRune(".:(", rune(after))
}

func isWord(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// worse says whether a text has findings about names or syntax that it had not.
func worse(before, after []diag.Diagnostic) bool {
	count := func(found []diag.Diagnostic) (n int) {
		for _, d := range found {
			switch d.Code[:3] {
			case "SYN", "NAM", "FLO":
				n++
			}
			if d.Code == "LNT001" || d.Code == "STM002" || d.Code == "TYP009" {
				n++
			}
		}
		return n
	}
	return count(after) > count(before)
}
