package parse

import (
	"slices"
	"sort"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// found are the findings of the new text: those before the part and behind it, and
// between them what was found in it now. It says whether they are known.
func (t *part) found(bag *diag.Bag, src *token.Source, c *ast.Change) ([]diag.Diagnostic, bool) {
	now := bag.All()
	old := t.r.Found
	at := func(offset uint32) int {
		return sort.Search(len(old), func(i int) bool { return old[i].Offset >= int(offset) })
	}
	before, behind := old[:at(c.From)], old[at(c.To):]
	if t.to == len(t.r.File.Stream.Tokens)-1 {
		behind = nil
	}
	if len(now) > 0 && now[0].Offset < int(c.From) {
		return nil, false
	}
	errors := 0
	for _, list := range [][]diag.Diagnostic{before, now, behind} {
		for _, d := range list {
			if d.Severity == diag.Error {
				errors++
			}
		}
	}
	out := slices.Concat(before, now, behind)
	if errors > diag.MaxErrors || len(out)-errors >= diag.MaxNotes {
		return nil, false
	}
	m := places{src: src, c: c, ok: true}
	for i := range out[:len(before)] {
		m.diagnostic(&out[i])
	}
	for i := range out[len(before)+len(now):] {
		m.diagnostic(&out[len(before)+len(now)+i])
	}
	return out, m.ok
}

// places brings findings to where they are in the new text.
type places struct {
	src *token.Source
	c   *ast.Change
	ok  bool
}

func (m *places) offset(at int) int {
	switch {
	case at >= int(m.c.To):
		return at + m.c.By
	case at > int(m.c.From):
		m.ok = false
	}
	return at
}

func (m *places) diagnostic(d *diag.Diagnostic) {
	d.Offset, d.EndOffset = m.offset(d.Offset), m.offset(d.EndOffset)
	if !m.ok {
		return
	}
	d.Line, d.Column = m.src.Position(d.Offset)
	d.EndLine, d.EndColumn = m.src.Position(d.EndOffset)
	d.Related, d.Fixes = slices.Clone(d.Related), slices.Clone(d.Fixes)
	for i := range d.Related {
		r := &d.Related[i]
		r.Offset, r.EndOffset = m.offset(r.Offset), m.offset(r.EndOffset)
		if m.ok {
			r.Line, r.Column = m.src.Position(r.Offset)
		}
	}
	for i := range d.Fixes {
		edits := slices.Clone(d.Fixes[i].Edits)
		for j := range edits {
			edits[j].Offset, edits[j].EndOffset = m.offset(edits[j].Offset), m.offset(edits[j].EndOffset)
		}
		d.Fixes[i].Edits = edits
	}
}
