package lsp

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/ast"
)

func (s *Server) didOpen(params json.RawMessage) error {
	var p struct {
		Document struct {
			URI        string `json:"uri"`
			LanguageID string `json:"languageId"`
			Version    int    `json:"version"`
			Text       string `json:"text"`
		} `json:"textDocument"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	if len(s.docs) >= MaxDocuments && s.docs[p.Document.URI] == nil {
		s.notify("window/showMessage", map[string]any{"type": 2, "message": fmt.Sprintf("more than %d documents are open; this one is not judged", MaxDocuments)})
		return nil
	}
	d := &document{uri: p.Document.URI, version: p.Document.Version, utf8: s.utf8}
	d.path = p.Document.URI
	if file, ok := filePath(p.Document.URI); ok {
		d.path = path.Base(file)
		if below, ok := strings.CutPrefix(file, s.root); ok && s.root != "" {
			d.path, d.inside = below, true
		}
	}
	format, ok := ast.FormatOf(d.path)
	if !ok {
		if format, ok = ast.ParseFormat(p.Document.LanguageID); !ok {
			format = ast.GuessFormat(p.Document.Text)
		}
	}
	d.format = format
	s.docs[d.uri] = d
	s.change(d, p.Document.Text)
	s.publish(d)
	return nil
}

func (s *Server) didChange(params json.RawMessage) error {
	var p struct {
		Document documentRef `json:"textDocument"`
		Changes  []struct {
			Range *span  `json:"range"`
			Text  string `json:"text"`
		} `json:"contentChanges"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	d := s.docs[p.Document.URI]
	if d == nil || len(p.Changes) > MaxChanges {
		return nil
	}
	text := d.text
	for i, ch := range p.Changes {
		if ch.Range == nil {
			text = ch.Text
		} else {
			if i > 0 {
				d.set(text)
			}
			from := d.offset(ch.Range.Start)
			to := max(from, d.offset(ch.Range.End))
			text = text[:from] + ch.Text + text[to:]
		}
	}
	if p.Document.Version != nil {
		d.version = *p.Document.Version
	}
	s.change(d, text)
	d.waits = true
	return nil
}

// change gives a document its text. Other open documents may import it: they are
// judged when they are asked about.
func (s *Server) change(d *document, text string) {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	d.set(text)
	if d.inside {
		s.texts[d.path] = []byte(text)
		if s.project != nil {
			s.project.Forget(d.path)
		}
		for _, other := range s.docs {
			if other != d {
				other.forget()
			}
		}
	}
}

func (s *Server) didClose(params json.RawMessage) error {
	var p struct {
		Document documentRef `json:"textDocument"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	d := s.docs[p.Document.URI]
	if d == nil {
		return nil
	}
	delete(s.docs, d.uri)
	if d.inside {
		delete(s.texts, d.path)
		if s.project != nil {
			s.project.Forget(d.path)
			s.reread(d.path)
		}
	}
	s.notify("textDocument/publishDiagnostics", map[string]any{"uri": d.uri, "diagnostics": []diagnostic{}})
	return nil
}
