package edit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// element is a piece of the text that makes a node: a block, or an entry of a
// document of values.
type element struct {
	node  ast.Node
	block *ast.Block // nil for an entry
	body  *ast.Body
	list  *ast.Array // of an entry, and of a block that stands in a list
	above *ast.Body  // of a block that stands in a body
	owner ast.Node   // whose body that is: a block, a condition, the file
	made  ast.Node   // the template or the loop that it stands in
	json  bool       // keys need quotes and commas
}

// inTemplate says whether the element belongs to a template.
func (e *element) inTemplate() bool {
	b, ok := e.made.(*ast.Block)
	return ok && b.BlockKind == "template"
}

// index finds the elements of the text by line and column.
func (s *session) index() map[[2]int]*element {
	out := map[[2]int]*element{}
	src := s.tree.Stream.Source
	put := func(n ast.Node, e element) {
		line, column := src.Position(int(n.Span().Start))
		if at := [2]int{line, column}; out[at] == nil {
			out[at] = &e
		}
	}
	var walk func(n ast.Node, at element)
	walk = func(n ast.Node, at element) {
		inner := at
		inner.list, inner.above, inner.owner = nil, nil, nil
		switch n := n.(type) {
		case *ast.Block:
			e := at
			e.node, e.block, e.body = n, n, n.Body
			put(n, e)
			if n.BlockKind == "template" {
				inner.made = n
			}
		case *ast.Object:
			if at.list != nil {
				e := at
				e.node, e.body = n, &n.Body
				put(n, e)
			}
		case *ast.Attribute:
			if n.Control() == "for" || n.Control() == "forEach" {
				inner.made = n
			}
		}
		ast.Children(n, func(c ast.Node) {
			in := inner
			switch n := n.(type) {
			case *ast.Array:
				if s.text[n.At.Start] == '[' {
					in.list = n
				}
			case *ast.Body:
				in.above, in.owner = n, at.owner
			case *ast.File:
				in.above, in.owner = &n.Body, n
			}
			if _, ok := c.(*ast.Body); ok {
				in.owner = n
			}
			walk(c, in)
		})
	}
	walk(s.tree, element{json: s.tree.IsValueDocument})
	return out
}

// node finds a node of the scene by id, path or a name that only one has.
func (s *session) node(name string) (int, *Refusal) {
	if name == "" {
		return -1, refuse(Invalid, "the operation names no node")
	}
	nodes := s.scene().Nodes
	byName := -1
	for i := range nodes {
		switch {
		case nodes[i].ID == name || nodes[i].Path == name:
			return i, s.oneOfMany(i)
		case nodes[i].Name != name:
		case byName >= 0:
			byName = len(nodes)
		default:
			byName = i
		}
	}
	if byName >= 0 && byName < len(nodes) {
		return byName, nil
	}
	r := refuse(NotFound, "there is no node %q", name)
	if byName == len(nodes) {
		r.Message = "several nodes are called " + quoted(name) + "; name one by its path"
	}
	r.Nearest = nearest(nodes, name)
	return -1, r
}

// oneOfMany refuses a path that several nodes have, each for a platform of its
// own: it would not say which of them is meant.
func (s *session) oneOfMany(i int) *Refusal {
	nodes := s.scene().Nodes
	for k := range nodes {
		if s.wide && k != i && nodes[k].Parent == nodes[i].Parent && nodes[k].Path == nodes[i].Path+"~2" {
			r := refuse(Elsewhere, "several nodes are %q, each for a platform of its own; rename all but one", nodes[i].Path)
			r.Nearest = []string{nodes[k].Path}
			if e := s.element(k); e != nil {
				r.Place = s.place(e.node, "another of them")
			}
			return r
		}
	}
	return nil
}

// nearest are the paths of the nodes that a name may have meant, best first.
func nearest(nodes []scene.Node, name string) []string {
	type candidate struct {
		path string
		far  int
	}
	last := name[strings.LastIndexByte(name, '/')+1:]
	var list []candidate
	for i := range nodes {
		n := &nodes[i]
		label := cmp.Or(n.Name, n.Path[strings.LastIndexByte(n.Path, '/')+1:])
		low, want := strings.ToLower(label), strings.ToLower(last)
		switch near, ok := trait.Nearest(last, []string{label}); {
		case n.Name == name:
			list = append(list, candidate{n.Path, 0})
		case ok && near == label:
			list = append(list, candidate{n.Path, 1})
		case want != "" && (strings.Contains(low, want) || strings.Contains(want, low)):
			list = append(list, candidate{n.Path, 2})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.far - b.far })
	out := []string{}
	for _, c := range list[:min(len(list), maxNearest)] {
		out = append(out, c.path)
	}
	return out
}

// element is where a node is written: nil when that is another file.
func (s *session) element(i int) *element {
	n := &s.scene().Nodes[i]
	if n.Src[0] != 0 {
		return nil
	}
	return s.places[[2]int{n.Src[1], n.Src[2]}]
}

// own is the element of a node that stands in the scene itself. One that a
// template makes gets its own block in the instance, into which changes go;
// what makes no sense there is refused by asking for written instead.
func (s *session) own(name, origin string) (*element, *Refusal) {
	i, err := s.node(name)
	if err != nil {
		return nil, err
	}
	if origin == "template" {
		return s.template(i)
	}
	path := s.scene().Nodes[i].Path
	var missing []int
	for at := i; at >= 0; at = s.scene().Nodes[at].Parent {
		e := s.element(at)
		if e != nil && !e.inTemplate() {
			if err := s.reachable(e, path); err != nil {
				return nil, err
			}
			if len(missing) == 0 {
				return e, nil
			}
			return s.instance(e, missing, path)
		}
		missing = append([]int{at}, missing...)
	}
	return nil, refuse(Elsewhere, "the node %q is not written in this file", path)
}

// written is the element of a node that stands in the scene itself.
func (s *session) written(name string) (int, *element, *Refusal) {
	i, err := s.node(name)
	if err != nil {
		return 0, nil, err
	}
	n := &s.scene().Nodes[i]
	e := s.element(i)
	if e == nil || e.inTemplate() {
		r := refuse(Elsewhere, "the node %q comes from a template; only its settings and traits can be changed in the instance", n.Path)
		if e != nil {
			r.Place = s.place(e.node, "it is written here")
		}
		return 0, nil, r
	}
	return i, e, s.reachable(e, n.Path)
}

// reachable refuses what one piece of text makes many of, and what could not be
// read.
func (s *session) reachable(e *element, path string) *Refusal {
	switch {
	case e.body == nil:
		return refuse(Elsewhere, "the node %q has no body", path)
	case e.made != nil:
		r := refuse(Elsewhere, "the node %q is made by a loop", path)
		r.Place = s.place(e.made, "the loop")
		return r
	case e.node.Common().Is(ast.Broken):
		r := refuse(Elsewhere, "the node %q could not be read whole", path)
		r.Place = s.place(e.node, "the damaged text")
		return r
	}
	return nil
}

// instance writes empty blocks for nodes that a template makes, below the
// element that uses the template, and returns the innermost.
func (s *session) instance(e *element, missing []int, path string) (*element, *Refusal) {
	if e.block == nil {
		return nil, refuse(Elsewhere, "the node %q comes from a template of a document of values", path)
	}
	nodes := s.scene().Nodes
	var names, kinds []string
	for _, m := range missing {
		n := &nodes[m]
		if n.Name == "" || strings.HasSuffix(n.Path, "~2") {
			return nil, refuse(Elsewhere, "the node %q comes from a template, where it has no name of its own", path)
		}
		names, kinds = append(names, n.Name), append(kinds, n.Kind)
	}
	body := " {}"
	for i := len(names) - 1; i >= 0; i-- {
		body = kinds[i] + " " + quoted(names[i]) + body
		if i > 0 {
			body = " { " + body + " }"
		}
	}
	s.insertItem(e, s.lastItem(e.body), body)
	if err := s.flush(); err != nil {
		return nil, err
	}
	i, err := s.node(path)
	if err != nil {
		return nil, err
	}
	if in := s.element(i); in != nil && !in.inTemplate() {
		return in, nil
	}
	return nil, refuse(Elsewhere, "the node %q cannot be changed in its instance", path)
}

// template is what a node is made from: the block in a template, or the template
// that an instance uses.
func (s *session) template(i int) (*element, *Refusal) {
	n := &s.scene().Nodes[i]
	e := s.element(i)
	if e != nil && e.inTemplate() {
		return e, nil
	}
	if e == nil || n.Template == "" {
		return nil, refuse(Elsewhere, "the node %q comes from no template of this file", n.Path)
	}
	var found *element
	for _, t := range s.places {
		if t.block != nil && t.block.BlockKind == "template" && t.block.NameText() == n.Template {
			found = t
		}
	}
	if found == nil || found.body == nil {
		return nil, refuse(Elsewhere, "the template %q of the node %q is in another file", n.Template, n.Path)
	}
	return found, nil
}

// quoted writes a name.
func quoted(name string) string { return text(name).Source() }
