package lsp

import (
	"cmp"
	"errors"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
)

// Judging is a document that Config.Judge judges.
type Judging struct {
	Project *module.Project // what imports are read from, as the editor has it; nil for a document alone
	File    *ast.File
	Checked *check.Result
}

// ErrWaits is the error of a Config.Judge or Config.Losses that ended because a message
// waits. The document is looked at again at the next rest.
var ErrWaits = errors.New("a message waits")

// Idle says whether something is left to do when the client has rested for longer
// than Publish waits for: an open document that was not built, or whose losses are not
// known.
func (s *Server) Idle() bool { return s.unsettled() != nil || s.uncompiled() != nil }

// unsettled is a document that is to be built.
func (s *Server) unsettled() *document {
	if s.cfg.Judge == nil {
		return nil
	}
	for _, d := range s.sorted() {
		if !d.settled {
			return d
		}
	}
	return nil
}

// Rest does one piece of work that takes as long as a compile, so the caller calls it
// when nobody waits for an answer: it builds one of the open documents and returns its
// findings where there are others now, or compiles one to the target of the client's
// settings and returns what makes the client ask for hints again.
func (s *Server) Rest() [][]byte {
	s.out = nil
	if d := s.unsettled(); d != nil {
		s.settle(d)
	} else if d := s.uncompiled(); d != nil {
		s.compile(d)
	}
	return s.out
}

// settle builds a document.
func (s *Server) settle(d *document) {
	checked := s.judged(d)
	j := Judging{File: d.parsed(), Checked: checked}
	if d.inside {
		j.Project = s.project
	}
	all, err := s.cfg.Judge(j)
	if errors.Is(err, ErrWaits) {
		return
	}
	if err != nil {
		s.notify("window/logMessage", map[string]any{"type": 2, "message": "only the checker judges " + d.path + ": " + err.Error()})
	}
	before := s.findings(d)
	d.settled, d.builtText = true, d.text
	d.built = slices.DeleteFunc(all, func(f diag.Diagnostic) bool {
		return f.File != d.path || contains(checked.Diagnostics, f)
	})
	if d.waits || !slices.EqualFunc(before, s.findings(d), same) {
		s.publish(d)
	}
}

// findings are what the checker finds in a document, and what building it found when
// the client last rested, which moves with the text. What stands where the text has
// changed since is left out.
func (s *Server) findings(d *document) []diag.Diagnostic {
	found := s.judged(d).Diagnostics
	if len(d.built) == 0 {
		return found
	}
	out := slices.Clone(found)
	if d.builtText == d.text {
		out = append(out, d.built...)
	} else {
		moved := difference(d.builtText, d.text)
		by := len(moved.Text) - (moved.End - moved.Start)
		for _, f := range d.built {
			switch {
			case f.Offset >= moved.End:
				f.Offset, f.EndOffset, f.Fixes, f.Related = f.Offset+by, f.EndOffset+by, nil, nil
			case f.EndOffset > moved.Start:
				continue // it is being written
			}
			if !contains(found, f) {
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code))
	})
	return out
}

func contains(found []diag.Diagnostic, f diag.Diagnostic) bool {
	return slices.ContainsFunc(found, func(o diag.Diagnostic) bool { return same(o, f) })
}

// same says whether two findings of one file are shown alike.
func same(a, b diag.Diagnostic) bool {
	return a.Code == b.Code && a.Offset == b.Offset && a.EndOffset == b.EndOffset && a.Message == b.Message
}
