package edit

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// nodeKinds are the kinds of blocks that make nodes.
var nodeKinds = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields("object entity orb node actor prop npc group spatial_group light camera audio zone panel text " +
		"point_light directional_light spot_light ambient_light hemisphere_light area_light") {
		m[k] = true
	}
	return m
}()

func nodeKind(kind string) bool { return nodeKinds[kind] }

// do carries out one operation.
func (s *session) do(op Op) *Refusal {
	if op.Op != "add" && op.Op != "text" {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.widen(op)
	var err *Refusal
	had := 0
	if op.Op == "delete" || op.Op == "move" || op.Op == "rename" {
		had = len(s.scene().Nodes)
	}
	switch op.Op {
	case "set":
		err = s.onOwn(op, func(e *element) *Refusal { return s.set(e, op.Key, op.Value) })
	case "unset":
		err = s.doUnset(op)
	case "add":
		return s.add(op) // waits for others of its kind
	case "delete":
		err = s.remove(op)
	case "move":
		err = s.move(op)
	case "rename":
		err = s.rename(op)
	case "duplicate":
		err = s.duplicate(op)
	case "trait_add":
		err = s.onOwn(op, func(e *element) *Refusal { return s.traitAdd(e, op) })
	case "trait_set":
		err = s.onOwn(op, func(e *element) *Refusal { return s.traitSet(e, op) })
	case "trait_remove":
		err = s.traitRemove(op)
	case "env_set":
		err = s.envSet(op)
	case "text":
		return s.rawText(op)
	default:
		return refuse(Invalid, "there is no operation %q; there are %s", op.Op, strings.Join(Names(), ", "))
	}
	if err != nil {
		return err
	}
	if err := s.flush(); err != nil || had == 0 {
		return err
	}
	if now := len(s.scene().Nodes); op.Op == "delete" && now >= had || op.Op != "delete" && now != had {
		// the block only changed what a template makes
		return refuse(Elsewhere, "the node %q comes from a template; only its settings and traits can be changed in the instance", op.Node)
	}
	return nil
}

// onOwn does something to the element of the node of an operation.
func (s *session) onOwn(op Op, do func(*element) *Refusal) *Refusal {
	e, err := s.own(op.Node, op.Origin)
	if err != nil {
		return err
	}
	return do(e)
}

// doUnset removes a setting, which must stand where the operation points.
func (s *session) doUnset(op Op) *Refusal {
	if op.Origin == "template" {
		return s.onOwn(op, func(e *element) *Refusal { return s.unset(e, op.Key) })
	}
	_, e, err := s.written(op.Node)
	if err != nil {
		return err
	}
	return s.unset(e, op.Key)
}

// rawText replaces bytes of the text before all operations.
func (s *session) rawText(op Op) *Refusal {
	if op.BaseSHA256 != Hash(s.src.Text) {
		return refuse(Moved, "base_sha256 is of another text")
	}
	if op.Offset < 0 || op.EndOffset < op.Offset || op.EndOffset > len(s.src.Text) {
		return refuse(Invalid, "the range %d to %d does not lie in the text of %d bytes", op.Offset, op.EndOffset, len(s.src.Text))
	}
	if !onRune(s.src.Text, op.Offset) || !onRune(s.src.Text, op.EndOffset) || strings.ToValidUTF8(op.Text, "") != op.Text {
		return refuse(Invalid, "the range cuts a character, or the text is not UTF-8")
	}
	if !s.exact {
		if err := s.flush(); err != nil {
			return err
		}
	}
	for _, e := range s.pending { // ranges of one base may touch, in any order
		if e.Offset < op.EndOffset && op.Offset < e.EndOffset {
			return s.flush()
		}
	}
	from, to, ok := s.pieces.now(op.Offset, op.EndOffset)
	if !ok {
		return refuse(Moved, "an operation before has changed the range %d to %d", op.Offset, op.EndOffset)
	}
	s.change(from, to, op.Text)
	s.exact = true
	return nil
}

func onRune(s string, at int) bool { return at == len(s) || s[at]&0xC0 != 0x80 }

// root is where nodes of the scene are written: the body of its first scene
// block, else the file.
func (s *session) root() *element {
	for _, it := range s.tree.Items() {
		if e, ok := it.(*ast.Export); ok && e.Item != nil {
			it = e.Item
		}
		if b, ok := it.(*ast.Block); ok && b.Body != nil && (b.BlockKind == "composition" || b.BlockKind == "scene" || b.BlockKind == "world") {
			return &element{node: b, block: b, body: b.Body}
		}
	}
	return &element{node: s.tree, body: &s.tree.Body, json: s.tree.IsValueDocument}
}

// envSet writes a setting of the environment, where it stands already or in the
// environment block, which is made when there is none.
func (s *session) envSet(op Op) *Refusal {
	parts, err := keyParts(op.Key)
	if err != nil {
		return err
	}
	root := s.root()
	if root.json {
		return refuse(Elsewhere, "the environment of a document of values is edited as text")
	}
	if at, err := s.find(root.body, root.node, parts); err == nil && at.value != nil {
		return s.set(root, op.Key, op.Value)
	}
	var last, outer *element
	for _, it := range root.body.Items {
		var e *element
		switch it := it.(type) {
		case *ast.Block:
			if it.BlockKind == "environment" && it.Body != nil {
				e = &element{node: it, block: it, body: it.Body}
			}
		case *ast.Property:
			if o, ok := it.Value.(*ast.Object); ok && it.Key.Name() == "environment" {
				e = &element{node: o, body: &o.Body}
			}
		}
		if e == nil {
			continue
		}
		last = e
		if at, err := s.find(e.body, e.node, parts[:1]); err == nil && at.value != nil {
			outer = e
		}
	}
	if outer != nil {
		last = outer
	}
	if last != nil {
		return s.set(last, op.Key, op.Value)
	}
	source, err := s.source(op.Value, false)
	if err != nil {
		return err
	}
	for i := len(parts) - 1; i > 0; i-- {
		source = "{ " + parts[i] + ": " + source + " }"
	}
	item := "environment {\n  " + parts[0] + ": " + source + "\n}"
	s.insertInto(root.body, root.node, s.beforeNodes(root), item, false, s.beforeNodes(root) != nil)
	return nil
}

// beforeNodes is the last setting before the first block of a body.
func (s *session) beforeNodes(e *element) ast.Node {
	var last ast.Node
	for _, it := range e.body.Items {
		switch it.Kind() {
		case ast.KindProperty, ast.KindAttribute, ast.KindImport, ast.KindLineDirective:
			last = it
		default:
			return last
		}
	}
	return last
}
