package edit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// nameFault says what is wrong with a new name.
func nameFault(name string) *Refusal {
	if len(name) > MaxName {
		return refuse(Invalid, "the name has %d bytes, at most %d are taken", len(name), MaxName)
	}
	if strings.TrimSpace(name) == "" || strings.Contains(name, "${") || strings.ContainsRune(name, '\uFFFD') ||
		strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) >= 0 {
		return refuse(Invalid, "%q is no name of a node", name)
	}
	return nil
}

// taken says whether a node right below another has a name; -1 is the scene.
func (s *session) taken(parent int, name string) bool {
	nodes := s.scene().Nodes
	for i := range nodes {
		if nodes[i].Parent == parent && nodes[i].Name == name {
			return true
		}
	}
	return false
}

// parent is the node that an operation puts something into, and its element.
func (s *session) parent(name string) (int, *element, *Refusal) {
	if name == "" {
		return -1, s.root(), nil
	}
	e, err := s.own(name, "")
	if err != nil {
		return 0, nil, err
	}
	i, err := s.node(name)
	return i, e, err
}

// add writes a new node. Additions wait for each other, so that many are read
// once.
func (s *session) add(op Op) *Refusal {
	if !nodeKind(op.Kind) && op.Kind != "template" {
		r := refuse(Invalid, "%q is no kind of node", op.Kind)
		kinds := make([]string, 0, len(nodeKinds))
		for k := range nodeKinds {
			kinds = append(kinds, k)
		}
		if near, ok := trait.Nearest(op.Kind, kinds); ok {
			r.Nearest = []string{near}
		}
		return r
	}
	if op.Kind == "template" && (op.Parent != "" || op.Name == "") {
		return refuse(Invalid, "a template has a name and stands in the scene")
	}
	if op.Name != "" {
		if err := nameFault(op.Name); err != nil {
			return err
		}
	}
	if op.At != nil && *op.At < 0 {
		return refuse(Invalid, "at is 0 or more")
	}
	last := op.Parent[strings.LastIndexByte(op.Parent, '/')+1:]
	if !s.adding() || s.added["name "+last] || op.At != nil {
		if err := s.flush(); err != nil {
			return err
		}
	}
	at, e, err := s.parent(op.Parent)
	if err != nil && len(s.pending) > 0 { // it may be the id of one that waits
		if err := s.flush(); err != nil {
			return err
		}
		at, e, err = s.parent(op.Parent)
	}
	if err != nil {
		return err
	}
	if s.added["into "+op.Parent] && (len(e.body.Items) == 0 || e.node.Kind() != ast.KindFile && !s.spread(int(e.body.At.Start), int(e.body.At.End))) {
		if err := s.flush(); err != nil {
			return err
		}
		if at, e, err = s.parent(op.Parent); err != nil {
			return err
		}
	}
	if e.json || e.block == nil && e.node.Kind() != ast.KindFile {
		return refuse(Elsewhere, "a document of values is given nodes as text")
	}
	if key := "child " + op.Parent + "/" + op.Name; op.Name != "" {
		if s.added[key] || op.Kind != "template" && s.taken(at, op.Name) || op.Kind == "template" && s.hasTemplate(op.Name) {
			return refuse(Invalid, "there is a %q already", op.Name)
		}
		s.added[key] = true
	}
	item, err := s.blockText(op)
	if err != nil {
		return err
	}
	s.added["name "+op.Name], s.added["into "+op.Parent], s.added["adding"] = true, true, true
	s.insertBlock(e, item, op.At)
	return nil
}

// adding says whether what is pending are additions, or nothing is.
func (s *session) adding() bool { return len(s.pending) == 0 || s.added["adding"] }

func (s *session) hasTemplate(name string) bool {
	s.scene()
	for _, e := range s.places {
		if e.block != nil && e.block.BlockKind == "template" && e.block.NameText() == name {
			return true
		}
	}
	return false
}

// blockText writes the block of a new node.
func (s *session) blockText(op Op) (string, *Refusal) {
	head := op.Kind
	if op.Name != "" {
		head += " " + quoted(op.Name)
	}
	var lines []string
	for _, t := range op.Traits {
		name, err := traitName(Op{Trait: t.Name})
		if err != nil {
			return "", err
		}
		line, err := s.traitText(name, t.Params)
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
	}
	seen := map[string]bool{}
	for _, f := range op.Properties {
		if !isKey(f.Key) || seen[f.Key] {
			return "", refuse(Invalid, "%q is no key, or there twice", f.Key)
		}
		seen[f.Key] = true
		source, err := s.source(f.Value, false)
		if err != nil {
			return "", err
		}
		lines = append(lines, f.Key+": "+source)
	}
	if len(lines) == 0 {
		return head + " {}", nil
	}
	return head + " {\n  " + strings.Join(lines, "\n  ") + "\n}", nil
}

// insertBlock writes a block among the nodes of a body, at the end without a
// place.
func (s *session) insertBlock(e *element, item string, at *int) {
	var nodes []*ast.Block
	for _, it := range e.body.Items {
		if b, ok := it.(*ast.Block); ok && nodeKind(b.BlockKind) {
			nodes = append(nodes, b)
		}
	}
	last := s.lastItem(e.body)
	if at == nil || *at >= len(nodes) {
		s.insertInto(e.body, e.node, last, item, false, last != nil)
		return
	}
	from := s.leading(nodes[*at])
	if !s.startOfLine(from) {
		s.change(from, from, s.indented(item, s.indentAt(from))+", ")
		return
	}
	indent := s.indentAt(from)
	s.change(from, from, s.indented(item, indent)+s.nl+s.nl+indent)
}

// where is the brackets that an element stands in.
func (s *session) where(e *element) (open, end int, ok bool) {
	switch {
	case e.list != nil:
		return int(e.list.At.Start) + 1, int(e.list.At.End) - 1, true
	case e.above != nil && e.owner != nil && e.owner.Kind() == ast.KindFile:
		return 0, len(s.text), true
	case e.above != nil:
		return int(e.above.At.Start) + 1, int(e.above.At.End) - 1, true
	}
	return 0, 0, false
}

func (s *session) remove(op Op) *Refusal {
	i, e, err := s.written(op.Node)
	if err != nil {
		return err
	}
	open, end, ok := s.where(e)
	if !ok {
		r := refuse(Elsewhere, "the node %q is the value of a setting", s.scene().Nodes[i].Path)
		r.Place = s.place(e.node, "the value")
		return r
	}
	s.note(s.mentions(e, true), "this still names "+quoted(s.scene().Nodes[i].Name)+" or a node that was in it")
	s.removeItem(e.node, open, end)
	return nil
}

func (s *session) rename(op Op) *Refusal {
	if err := nameFault(op.Name); err != nil {
		return err
	}
	i, e, err := s.written(op.Node)
	if err != nil {
		return err
	}
	n := &s.scene().Nodes[i]
	if n.Name == op.Name {
		return nil
	}
	if s.taken(n.Parent, op.Name) {
		return refuse(Invalid, "there is a %q already", op.Name)
	}
	if e.block == nil {
		return s.set(e, "name", text(op.Name))
	}
	if slices.Contains(e.block.Heading().Modifiers, "export") {
		return refuse(Elsewhere, "the node %q is exported; other files may name it", n.Path)
	}
	name := e.block.Name
	if name == nil {
		at := int(e.node.Span().Start)
		for _, a := range e.block.Heading().Attrs {
			if a.Is(ast.BeforeHeading) {
				at = int(a.At.End)
			}
		}
		at += strings.Index(s.text[at:], e.block.BlockKind) + len(e.block.BlockKind)
		s.change(at, at, " "+quoted(op.Name))
		return nil
	}
	if _, ok := name.(*ast.Template); ok {
		r := refuse(Elsewhere, "the name of %q is computed", n.Path)
		r.Place = s.place(name, "the name")
		return r
	}
	for _, m := range s.mentions(e, false) {
		if !m.quoted && !isWord(op.Name) {
			r := refuse(Invalid, "%q is no word, and something names the node without quotes", op.Name)
			line, column := s.tree.Stream.Source.Position(int(m.at.Start))
			r.Place = placeIn(s.tree, &ast.Ident{Base: ast.Base{At: m.at}}, "here")
			r.Place.Line, r.Place.Column = line, column
			return r
		}
		if m.quoted {
			s.change(int(m.at.Start), int(m.at.End), quoted(op.Name))
		} else {
			s.change(int(m.at.Start), int(m.at.End), op.Name)
		}
	}
	span := name.Span()
	if name.Kind() == ast.KindString || !isWord(op.Name) {
		s.change(int(span.Start), int(span.End), quoted(op.Name))
	} else {
		s.change(int(span.Start), int(span.End), op.Name)
	}
	before := s.unknownNames()
	if err := s.flush(); err != nil {
		return err
	}
	if s.unknownNames() > before {
		return refuse(Invalid, "%q would mean something else here, or leave a use of the old name behind", op.Name)
	}
	return nil
}

// unknownNames counts the findings about names.
func (s *session) unknownNames() (n int) {
	for _, d := range s.judged().Diagnostics {
		if strings.HasPrefix(string(d.Code), "NAM") {
			n++
		}
	}
	return n
}

func (s *session) duplicate(op Op) *Refusal {
	i, e, err := s.written(op.Node)
	if err != nil {
		return err
	}
	n := s.scene().Nodes[i]
	name := op.Name
	if name == "" {
		for k := 2; name == "" || s.taken(n.Parent, name); k++ {
			name = n.Name + " " + strconv.Itoa(k)
		}
	}
	if err := nameFault(name); err != nil {
		return err
	}
	if s.taken(n.Parent, name) {
		return refuse(Invalid, "there is a %q already", name)
	}
	if e.block == nil || e.above == nil || e.block.Name == nil {
		return refuse(Elsewhere, "the node %q has no block with a name in a body", n.Path)
	}
	from, until := int(e.node.Span().Start), int(e.node.Span().End)
	if g := s.guard(e.node); g != nil {
		from = int(g.Span().Start)
	}
	item := s.lifted(from, until)
	at := int(e.block.Name.Span().Start) - from
	size := int(e.block.Name.Span().End) - int(e.block.Name.Span().Start)
	item.text = item.text[:at] + quoted(name) + item.text[at+size:]
	for k := range item.lines {
		if item.lines[k] > at {
			item.lines[k] += len(quoted(name)) - size
		}
	}
	indent := s.indentAt(from)
	s.insertInto(e.above, e.owner, e.node, marker(item.text), false, s.spread(from, until))
	s.fill(item.with(indent))
	if err := s.flush(); err != nil {
		return err
	}
	if op.Shift == [3]float64{} {
		return nil
	}
	path := name
	if n.Parent >= 0 {
		path = s.scene().Nodes[n.Parent].Path + "/" + strings.ReplaceAll(name, "/", "∕")
	}
	_, made, err := s.written(path)
	if err != nil {
		return err
	}
	var to [3]float64
	for k := range to {
		to[k] = n.T[k] + op.Shift[k]
	}
	return s.setVector(made, "position", to)
}

// passage is text taken from the source: what indentation it had and where the
// lines begin that follow it.
type passage struct {
	text   string
	indent string
	lines  []int // starts of lines that may be indented anew
}

// lifted is the text of a range, ready for another indentation. Lines inside of
// texts with raw line ends keep theirs.
func (s *session) lifted(from, to int) passage {
	p := passage{text: s.text[from:to], indent: s.indentAt(from)}
	raw := func(at int) bool {
		toks := s.tree.Stream.Tokens
		k, _ := slices.BinarySearchFunc(toks, at, func(t token.Token, at int) int { return int(t.End) - at })
		for ; k < len(toks) && int(toks[k].Start) < at; k++ {
			if int(toks[k].End) <= at {
				continue
			}
			switch t := toks[k]; t.Kind {
			case token.String:
				return !token.IsTriple(s.text[t.Start:])
			case token.Template, token.TemplateHead, token.TemplateMiddle, token.TemplateTail:
				return true
			}
		}
		return false
	}
	for i := 0; i < len(p.text); i++ {
		c := p.text[i]
		if c == '\r' && i+1 < len(p.text) && p.text[i+1] == '\n' {
			continue
		}
		if (c == '\n' || c == '\r') && !raw(from+i+1) {
			p.lines = append(p.lines, i+1)
		}
	}
	return p
}

// with is the passage with another indentation.
func (p passage) with(indent string) string {
	var b strings.Builder
	last := 0
	for _, at := range p.lines {
		b.WriteString(p.text[last:at])
		last = at
		if rest, ok := strings.CutPrefix(p.text[at:], p.indent); ok && strings.TrimLeft(rest, " \t") != "" && rest[0] != '\n' && rest[0] != '\r' {
			b.WriteString(indent)
			last = at + len(p.indent)
		}
	}
	b.WriteString(p.text[last:])
	return b.String()
}

// mark reserves the place of a passage in an insertion, with its lines behind it.
const (
	mark      = "\x00"
	markLines = "\x00\x01"
)

// marker is what insertInto takes for a passage: its shape without its text.
func marker(item string) string {
	if strings.ContainsAny(item, "\r\n") {
		return markLines
	}
	return mark
}

// fill puts a passage in the place that an insertion has marked, as it is.
func (s *session) fill(item string) {
	for i := range s.pending {
		if text := s.pending[i].Text; strings.Contains(text, markLines) {
			s.pending[i].Text = strings.Replace(text, markLines, item, 1)
		} else if strings.Contains(text, mark) {
			s.pending[i].Text = strings.Replace(text, mark, item, 1)
		}
	}
}
