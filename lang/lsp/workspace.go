package lsp

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/trait"
)

type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Container string   `json:"containerName,omitempty"`
	Location  location `json:"location"`
}

// workspaceSymbols finds declarations by a part of their names, in the open
// documents and in the sources below the root. The best matches come first.
func (s *Server) workspaceSymbols(params json.RawMessage) (any, error) {
	var p struct {
		Query string `json:"query"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	type match struct {
		symbolInformation
		rank int
	}
	var found []match
	add := func(symbols []symbolInformation) {
		for _, one := range symbols {
			if rank := matches(one.Name, p.Query); rank > 0 {
				found = append(found, match{one, rank})
			}
		}
	}
	for _, d := range s.sorted() {
		add(declared(d, s.around(d, len(d.text)+1).Symbols))
	}
	add(s.closedSymbols())
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.Name, b.Name), strings.Compare(a.Location.URI, b.Location.URI))
	})
	out := []symbolInformation{}
	for _, m := range found[:min(len(found), MaxWorkspaceSymbols)] {
		out = append(out, m.symbolInformation)
	}
	return out, nil
}

// matches says how well a name fits a query: 1 is best, 0 not at all. Letters of
// the query may be left out in the name's order, in any case.
func matches(name, query string) int {
	n, q := strings.ToLower(name), strings.ToLower(query)
	switch {
	case n == q:
		return 1
	case strings.HasPrefix(n, q):
		return 2
	case strings.Contains(n, q):
		return 3
	}
	for _, r := range n {
		if rest, ok := strings.CutPrefix(q, string(r)); ok {
			q = rest
		}
	}
	if q == "" {
		return 4
	}
	return 0
}

// declared are the declarations of a document that have a place in an outline.
func declared(d *document, symbols []*check.Symbol) []symbolInformation {
	var out []symbolInformation
	for _, sym := range symbols {
		kind, ok := symbolKinds[sym.Kind]
		if !ok || sym.File != d.path || sym.Name == "" || sym.At.End == sym.At.Start {
			continue
		}
		one := symbolInformation{Name: sym.Name, Kind: kind, Container: d.path, Location: location{d.uri, d.tokenSpan(sym.At)}}
		if sym.Parent != nil && sym.Parent.Name != "" {
			one.Container = sym.Parent.Name
		}
		out = append(out, one)
	}
	return out
}

// closedSymbols are the declarations of the sources below the root that are not
// open. They are read when somebody asks first, and again when files have changed.
func (s *Server) closedSymbols() []symbolInformation {
	if s.project == nil {
		return nil
	}
	if s.closed == nil {
		s.closed = map[string][]symbolInformation{}
		files, size := 0, 0
		for _, name := range s.project.Sources() {
			if files++; files > MaxWorkspaceFiles || size > MaxWorkspaceBytes {
				s.notify("window/logMessage", map[string]any{"type": 2, "message": "the folder has more sources than are searched for symbols"})
				break
			}
			f, err := s.project.Peek(name)
			if err != nil {
				continue
			}
			text := f.Tree.Text()
			size += len(text)
			s.closed[name] = s.symbolsOf(name, f.Tree)
		}
	}
	names := make([]string, 0, len(s.closed))
	for name := range s.closed {
		if _, open := s.texts[name]; !open {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []symbolInformation
	for _, name := range names {
		out = append(out, s.closed[name]...)
	}
	return out
}

// symbolsOf are the declarations of a source that is not open.
func (s *Server) symbolsOf(name string, tree *ast.File) []symbolInformation {
	d := &document{uri: s.uriOf(name), path: name, utf8: s.utf8}
	d.set(tree.Text())
	return declared(d, check.Around(tree, len(d.text)+1, check.Options{Registry: trait.Builtin()}, nil).Symbols)
}

// reread reads a source again that is not open any more.
func (s *Server) reread(name string) {
	if s.closed == nil || s.project == nil {
		return
	}
	delete(s.closed, name)
	if f, err := s.project.Peek(name); err == nil {
		s.closed[name] = s.symbolsOf(name, f.Tree)
	}
}
