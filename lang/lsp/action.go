package lsp

import (
	"encoding/json"
	"strings"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/format"
)

// formatting is the edit that brings a document to its canonical form. Damaged
// parts are left as they are.
func (s *Server) formatting(d *document, _ json.RawMessage) (any, error) {
	text := format.File(d.parsed())
	if text == d.text {
		return []textEdit{}, nil
	}
	from, to, end := 0, len(d.text), len(text) // what differs
	for from < to && from < end && d.text[from] == text[from] {
		from++
	}
	for to > from && end > from && d.text[to-1] == text[end-1] {
		to, end = to-1, end-1
	}
	for from > 0 && from < len(d.text) && (d.text[from]&0xc0 == 0x80 || d.text[from-1] == '\r') { // whole characters and line ends
		from--
	}
	for to < len(d.text) && (d.text[to]&0xc0 == 0x80 || to > 0 && d.text[to-1] == '\r') {
		to, end = to+1, end+1
	}
	return []textEdit{{d.span(from, to), text[from:end]}}, nil
}

// codeActions are the fixes of what is found in a range, and one that applies
// the first fix of everything.
func (s *Server) codeActions(d *document, params json.RawMessage) (any, error) {
	var p struct {
		Range   span `json:"range"`
		Context struct {
			Only []string `json:"only"`
		} `json:"context"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	wanted := func(kind string) bool {
		for _, only := range p.Context.Only {
			if kind == only || strings.HasPrefix(kind, only+".") {
				return true
			}
		}
		return len(p.Context.Only) == 0
	}
	start, end := d.offset(p.Range.Start), d.offset(p.Range.End)
	out := []codeAction{}
	found := s.findings(d)
	if wanted("quickfix") {
		for _, f := range found {
			if f.Offset > end || f.EndOffset < start {
				continue
			}
			for i, fix := range f.Fixes {
				out = append(out, codeAction{Title: fix.Title, Kind: "quickfix", Diagnostics: []diagnostic{s.diagnostic(d, f)}, IsPreferred: i == 0 && len(f.Fixes) == 1, Edit: s.fixEdit(d, fix)})
			}
		}
	}
	if wanted("source.fixAll") {
		if edits := s.fixAll(d, found); len(edits) > 0 {
			out = append(out, codeAction{Title: "Fix all", Kind: "source.fixAll", Edit: workspaceEdit{map[string][]textEdit{d.uri: edits}}})
		}
	}
	return out, nil
}

func (s *Server) fixEdit(d *document, fix diag.Fix) workspaceEdit {
	edit := workspaceEdit{map[string][]textEdit{}}
	for _, e := range fix.Edits {
		if e.File == d.path {
			edit.Changes[d.uri] = append(edit.Changes[d.uri], textEdit{d.span(e.Offset, e.EndOffset), e.Text})
		}
	}
	return edit
}

// fixAll are the only fixes of warnings and errors that do not overlap.
func (s *Server) fixAll(d *document, found []diag.Diagnostic) []textEdit {
	var out []textEdit
	last := -1
next:
	for _, f := range found {
		if len(f.Fixes) != 1 || f.Severity > diag.Warning {
			continue
		}
		for _, e := range f.Fixes[0].Edits {
			if e.File != d.path || e.Offset <= last {
				continue next
			}
		}
		for _, e := range f.Fixes[0].Edits {
			out = append(out, textEdit{d.span(e.Offset, e.EndOffset), e.Text})
			last = max(last, e.EndOffset)
		}
	}
	return out
}
