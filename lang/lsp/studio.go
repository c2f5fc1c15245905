package lsp

import (
	"encoding/json"
	"errors"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/edit"
	"github.com/meshd/meshd/lang/scene"
)

// The requests of the studio: the editor's own panels work on the scene, the
// text stays the truth. They name the document as studio/edit does:
// {"uri": …} or {"textDocument": {"uri": …}}.
var studioAnswers = map[string]func(*Server, *document, json.RawMessage) (any, error){
	"studio/edit":      (*Server).studioEdit,
	"studio/scene":     (*Server).studioScene,
	"studio/source_of": (*Server).studioSource,
}

// studio answers a request of the studio.
func (s *Server) studio(method string, params json.RawMessage) (any, error) {
	var ref struct {
		URI      string      `json:"uri"`
		Document documentRef `json:"textDocument"`
		Version  *int        `json:"version"`
	}
	if json.Unmarshal(params, &ref) != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	uri := ref.URI
	if uri == "" {
		uri = ref.Document.URI
	}
	d := s.docs[uri]
	if d == nil {
		return nil, &rpcError{Code: codeParams, Message: "the document is not open"}
	}
	if ref.Version != nil && *ref.Version != d.version {
		return nil, &rpcError{Code: codeModified, Message: "the document is at another version", Data: map[string]any{"code": edit.Moved, "version": d.version}}
	}
	return studioAnswers[method](s, d, params)
}

// modules are the files that a document imports, each after those that it
// imports itself.
func (s *Server) modules(d *document) []*ast.File {
	if s.project == nil || !d.inside {
		return nil
	}
	var out []*ast.File
	seen := map[string]bool{d.path: true}
	var visit func(from string, f *ast.File)
	visit = func(from string, f *ast.File) {
		for _, it := range f.Items() {
			im, ok := it.(*ast.Import)
			if !ok {
				continue
			}
			text, ok := im.Source.(*ast.String)
			if !ok || len(out) >= maxModules {
				continue
			}
			name, _, problem := s.project.Resolve(from, text.Value())
			if problem != nil || seen[name] {
				continue
			}
			seen[name] = true
			if m, err := s.project.Read(name); err == nil && m.Tree != nil {
				visit(name, m.Tree)
				out = append(out, m.Tree)
			}
		}
	}
	visit(d.path, d.parsed())
	return out
}

// studioEdit turns operations into text edits of a document. The client applies
// them; the document here changes when the client says so.
func (s *Server) studioEdit(d *document, params json.RawMessage) (any, error) {
	var p struct {
		Ops json.RawMessage `json:"ops"`
	}
	if json.Unmarshal(params, &p) != nil || p.Ops == nil {
		return nil, &rpcError{Code: codeParams, Message: "studio/edit takes uri, version and ops"}
	}
	ops, err := edit.ReadOps(p.Ops)
	if err != nil {
		return nil, &rpcError{Code: codeParams, Message: err.Error()}
	}
	src := edit.Source{Path: d.path, Text: d.text, Format: d.format, More: s.modules(d)}
	if d.inside && s.project != nil {
		src.Check = check.Options{Project: s.project}
	}
	r, err := edit.Apply(src, ops)
	if err != nil {
		var refusal *edit.Refusal
		if errors.As(err, &refusal) {
			return nil, &rpcError{Code: codeFailed, Message: refusal.Message, Data: refusal}
		}
		return nil, err
	}
	edits := make([]textEdit, 0, len(r.Edits))
	for _, e := range r.Edits {
		edits = append(edits, textEdit{d.span(e.Offset, e.EndOffset), e.Text})
	}
	after := &document{uri: d.uri, path: d.path, utf8: d.utf8}
	after.set(r.Text)
	found := make([]diagnostic, 0, len(r.Diagnostics))
	for _, f := range r.Diagnostics {
		found = append(found, s.diagnostic(after, f))
	}
	links := make([]related, 0, len(r.Related))
	for _, l := range r.Related {
		links = append(links, related{location{d.uri, after.span(l.Offset, l.EndOffset)}, l.Message})
	}
	return map[string]any{"edits": edits, "diagnostics": found, "related": links, "inverse": r.Inverse}, nil
}

// model is the scene of a document; one that does not parse has none.
func (s *Server) model(d *document) (*scene.Scene, error) {
	f := d.parsed()
	for _, found := range d.read().Found {
		if found.Severity == diag.Error {
			return nil, &rpcError{Code: codeFailed, Message: "the source has errors", Data: map[string]any{"code": edit.Unreadable}}
		}
	}
	m, _ := scene.Build(f, s.modules(d), scene.Options{Limits: scene.Limits{Nodes: scene.ServerNodes, Depth: scene.ServerDepth}})
	return m, nil
}

// studioScene is the scene of a document as scene/1.
func (s *Server) studioScene(d *document, _ json.RawMessage) (any, error) {
	return s.model(d)
}

// studioSource is the place of a node in its document: null for one that is
// written in a file that is not open.
func (s *Server) studioSource(d *document, params json.RawMessage) (any, error) {
	var p struct {
		Node string `json:"node"`
	}
	if json.Unmarshal(params, &p) != nil || p.Node == "" {
		return nil, &rpcError{Code: codeParams, Message: "studio/source_of takes uri and node"}
	}
	m, err := s.model(d)
	if err != nil {
		return nil, err
	}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.ID != p.Node && n.Path != p.Node {
			continue
		}
		at := position{n.Src[1] - 1, n.Src[2] - 1}
		if n.Src[0] != 0 {
			return location{s.uriOf(m.Files[n.Src[0]]), span{at, at}}, nil
		}
		offset := min(d.starts[at.Line]+at.Character, len(d.text))
		best := d.span(offset, offset)
		for _, on := range d.nodesAt(offset) {
			if b, ok := on.(*ast.Block); ok && int(b.At.Start) == offset {
				best = d.tokenSpan(b.At)
			}
		}
		return location{d.uri, best}, nil
	}
	return nil, &rpcError{Code: codeFailed, Message: "there is no node " + p.Node, Data: map[string]any{"code": edit.NotFound}}
}
