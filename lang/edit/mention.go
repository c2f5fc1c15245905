package edit

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// mention is a place in the text that names a node.
type mention struct {
	at      token.Span
	quoted  bool
	message string
}

// nameKeys are the settings whose texts name nodes.
var nameKeys = map[string]bool{
	"target": true, "look_at": true, "follow": true, "to": true, "from": true, "connected_body": true, "parent": true, "node": true,
	"anchor": true, "attach_to": true,
}

// nodeCalls are the functions whose first text names a node.
var nodeCalls = map[string]bool{"animate": true, "show": true, "hide": true, "destroy": true, "teleport": true}

// mentions are the places outside of an element that name it or, with below, a
// node in it.
func (s *session) mentions(e *element, below bool) []mention {
	var out []mention
	span := e.node.Span()
	inside := func(at token.Span) bool { return span.Start <= at.Start && at.End <= span.End }
	own := token.Span{}
	if e.block != nil && e.block.Name != nil {
		own = e.block.Name.Span()
	}
	for _, r := range s.judged().References {
		declared := r.Symbol.File == s.tree.Path() && (r.Symbol.At == own || below && inside(r.Symbol.At))
		if declared && (!below || !inside(r.At)) {
			quote := s.text[r.At.Start] == '"' || s.text[r.At.Start] == '\''
			out = append(out, mention{at: r.At, quoted: quote})
		}
	}
	names := s.namesIn(span, own, below)
	s.texts(func(t *ast.String) {
		if names[t.Value()] && (!below || !inside(t.At)) {
			out = append(out, mention{at: t.At, quoted: true})
		}
	})
	slices.SortFunc(out, func(a, b mention) int { return int(a.at.Start) - int(b.at.Start) })
	return slices.CompactFunc(out, func(a, b mention) bool { return a.at == b.at })
}

// namesIn are the names of the nodes that begin in a span and that no other node
// has.
func (s *session) namesIn(span, own token.Span, below bool) map[string]bool {
	count, in := map[string]int{}, map[string]bool{}
	for i := range s.scene().Nodes {
		n := &s.scene().Nodes[i]
		count[n.Name]++
		e := s.element(i)
		if e == nil || e.block == nil || e.block.Name == nil {
			continue
		}
		if at := e.block.Name.Span(); at == own || below && span.Start <= at.Start && at.End <= span.End {
			in[n.Name] = true
		}
	}
	for name := range in {
		if count[name] > 1 || name == "" {
			delete(in, name)
		}
	}
	return in
}

// texts visits the strings that name nodes.
func (s *session) texts(visit func(*ast.String)) {
	see := func(n ast.Node) {
		if t, ok := n.(*ast.String); ok {
			visit(t)
		}
	}
	ast.Walk(s.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Property:
			if n.Key != nil && nameKeys[n.Key.Name()] {
				see(n.Value)
			}
		case *ast.Attribute:
			s.traitTexts(n, see)
		case *ast.Call:
			if id, ok := n.Fn.(*ast.Ident); ok && nodeCalls[id.Name] && len(n.Args) > 0 {
				see(n.Args[0])
			}
		case *ast.Command:
			if nodeCalls[n.Verb] && len(n.Args) > 0 {
				see(n.Args[0])
			}
		}
		return true
	})
}

// traitTexts visits the parameters of a trait that are names.
func (s *session) traitTexts(a *ast.Attribute, see func(ast.Node)) {
	entry, ok := s.registry().Lookup(a.Name)
	if !ok {
		return
	}
	for i, v := range a.Positional {
		if p, ok := entry.Place(i); ok && p.Type.String() == "name" {
			see(v)
		}
	}
	if a.Config == nil {
		return
	}
	for _, it := range a.Config.Items {
		if p, ok := it.(*ast.Property); ok && p.Key != nil {
			if q, ok := entry.Param(p.Key.Name()); ok && q.Type.String() == "name" {
				see(p.Value)
			}
		}
	}
}

// note keeps places that still name what an operation takes away.
func (s *session) note(list []mention, message string) {
	for _, m := range list {
		if len(s.related) < maxRelated {
			m.message = message
			s.related = append(s.related, m)
		}
	}
}

// shiftRelated moves the noted places along with edits of the text.
func (s *session) shiftRelated(edits []Edit) {
	kept := s.related[:0]
	for _, m := range s.related {
		shift, gone := 0, false
		for _, e := range edits {
			if e.EndOffset <= int(m.at.Start) {
				shift += len(e.Text) - (e.EndOffset - e.Offset)
			} else if e.Offset < int(m.at.End) {
				gone = true
			}
		}
		if !gone {
			m.at.Start, m.at.End = uint32(int(m.at.Start)+shift), uint32(int(m.at.End)+shift)
			kept = append(kept, m)
		}
	}
	s.related = kept
}

func (s *session) relatedPlaces() []diag.Related {
	var out []diag.Related
	for _, m := range s.related {
		line, column := s.tree.Stream.Source.Position(int(m.at.Start))
		out = append(out, diag.Related{Message: m.message, File: s.tree.Path(), Line: line, Column: column, Offset: int(m.at.Start), EndOffset: int(m.at.End)})
	}
	return out
}
