package edit

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// traitName is the name of an operation's trait, with or without its @.
func traitName(op Op) (string, *Refusal) {
	name := strings.TrimPrefix(op.Trait, "@")
	if !trait.IsName(name) {
		return "", refuse(Invalid, "%q is no name of a trait", op.Trait)
	}
	switch name {
	case "if", "elif", "else", "for", "forEach", "while", "import", "export", "platform", "state", "template", "trait":
		return "", refuse(Invalid, "@%s is no trait of a node", name)
	}
	return name, nil
}

// attributeOf is the last use of a trait that a block writes, and whether it
// stands in the heading.
func attributeOf(e *element, name string) (a *ast.Attribute, heading bool) {
	if e.block != nil {
		for _, h := range e.block.Heading().Attrs {
			if h.Name == name {
				a, heading = h, true
			}
		}
	}
	for _, it := range e.body.Items {
		if own, ok := it.(*ast.Attribute); ok && own.Name == name {
			a, heading = own, false
		}
	}
	return a, heading
}

// traitList is traits: [ … ] of component style.
func (s *session) traitList(e *element) *ast.Array {
	for i := len(e.body.Items) - 1; i >= 0; i-- {
		if p, ok := e.body.Items[i].(*ast.Property); ok && p.Key != nil && p.Key.Name() == "traits" {
			if list, ok := p.Value.(*ast.Array); ok && s.text[list.At.Start] == '[' {
				return list
			}
		}
	}
	return nil
}

// listed is the element of a component's trait list that has a name.
func listed(list *ast.Array, name string) ast.Node {
	if list == nil {
		return nil
	}
	for _, el := range list.Elements {
		switch el := el.(type) {
		case *ast.Ident:
			if el.Name == name {
				return el
			}
		case *ast.EnumWord:
			if el.Name == name {
				return el
			}
		case *ast.String:
			if strings.TrimPrefix(el.Value(), "@") == name {
				return el
			}
		}
	}
	return nil
}

// traitText writes a trait that stands in a body.
func (s *session) traitText(name string, params []trait.Field) (string, *Refusal) {
	if len(params) == 0 {
		return "@" + name, nil
	}
	source, err := s.source(trait.Value{Kind: trait.Map, Fields: params}, false)
	return "@" + name + " " + source, err
}

func (s *session) traitAdd(e *element, op Op) *Refusal {
	name, err := traitName(op)
	if err != nil {
		return err
	}
	list := s.traitList(e)
	if a, _ := attributeOf(e, name); a != nil || listed(list, name) != nil {
		return refuse(Invalid, "the node has @%s already", name)
	}
	var params []trait.Field
	switch {
	case op.Param != "" && op.Value.Kind != trait.Unknown:
		if !isKey(op.Param) {
			return refuse(Invalid, "%q is no name of a parameter", op.Param)
		}
		params = []trait.Field{{Key: op.Param, Value: op.Value}}
	case op.Param != "":
		return refuse(Invalid, "the parameter %q has no value", op.Param)
	case op.Value.Kind == trait.Map:
		params = op.Value.Fields
	case op.Value.Kind != trait.Unknown:
		return refuse(Invalid, "a value needs the name of its parameter")
	}
	if e.json {
		return refuse(Elsewhere, "the traits of a document of values are edited as text")
	}
	source, err := s.traitText(name, params)
	if err != nil {
		return err
	}
	var after ast.Node
	for _, it := range e.body.Items {
		if a, ok := it.(*ast.Attribute); ok && a.Control() == "" && a.Name != "platform" {
			after = it
		}
	}
	s.insertItem(e, after, source)
	return nil
}

func (s *session) traitSet(e *element, op Op) *Refusal {
	name, err := traitName(op)
	if err != nil {
		return err
	}
	if !isKey(op.Param) {
		return refuse(Invalid, "%q is no name of a parameter", op.Param)
	}
	if e.json {
		return refuse(Elsewhere, "the traits of a document of values are edited as text")
	}
	a, heading := attributeOf(e, name)
	if list := s.traitList(e); a == nil && listed(list, name) != nil {
		return s.set(e, name+"."+op.Param, op.Value)
	}
	if a == nil {
		if !s.fromTemplate(e, name) {
			return refuse(Invalid, "the node has no @%s", name)
		}
		return s.traitAdd(e, op)
	}
	source, err := s.source(op.Value, false)
	if err != nil {
		return err
	}
	if old, err := s.param(a, name, op.Param); err != nil || old != nil {
		if err != nil {
			return err
		}
		if !s.plain(old) {
			r := refuse(Elsewhere, "the value of %q is computed; it is not overwritten", op.Param)
			r.Place = s.place(old, "the expression")
			return r
		}
		s.change(int(old.Span().Start), int(old.Span().End), source)
		return nil
	}
	return s.newParam(a, op.Param+": "+source, heading)
}

// fromTemplate says whether the node that an element makes has a trait that it
// does not write itself.
func (s *session) fromTemplate(e *element, name string) bool {
	at := s.nameOf(e)
	for i := range s.scene().Nodes {
		n := &s.scene().Nodes[i]
		if n.Src[0] == 0 && n.Src[1] == at[0] && n.Src[2] == at[1] {
			for _, t := range n.Traits {
				if t.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// param is the value of a parameter that an attribute gives, by its name or by
// its place.
func (s *session) param(a *ast.Attribute, name, param string) (ast.Node, *Refusal) {
	var bodies []*ast.Body
	if a.Config != nil {
		bodies = append(bodies, a.Config)
	}
	if o, ok := a.Value.(*ast.Object); ok {
		bodies = append(bodies, &o.Body)
	}
	for _, b := range bodies {
		for i := len(b.Items) - 1; i >= 0; i-- {
			if p, ok := b.Items[i].(*ast.Property); ok && p.Key != nil && s.sameParam(name, p.Key.Name(), param) && valueOf(p) != nil {
				return valueOf(p), nil
			}
		}
	}
	if entry, ok := s.registry().Lookup(name); ok {
		for i, v := range a.Positional {
			if p, ok := entry.Place(i); ok && s.sameParam(name, p.Name, param) {
				if len(a.Positional) > i+1 && isRest(entry, i+1, p.Name) {
					r := refuse(Elsewhere, "%q is written as a list of places", param)
					r.Place = s.place(v, "its first")
					return nil, r
				}
				return v, nil
			}
		}
	}
	return nil, nil
}

func isRest(e *trait.Entry, place int, name string) bool {
	p, ok := e.Place(place)
	return ok && p.Name == name
}

// sameParam says whether two spellings mean one parameter of a trait.
func (s *session) sameParam(traitName, a, b string) bool {
	if trait.FoldKey(a) == trait.FoldKey(b) {
		return true
	}
	entry, ok := s.registry().Lookup(traitName)
	if !ok {
		return false
	}
	p, has := entry.Param(a)
	q, also := entry.Param(b)
	return has && also && p == q
}

// newParam writes one more parameter into an attribute.
func (s *session) newParam(a *ast.Attribute, item string, heading bool) *Refusal {
	start, end := int(a.At.Start), int(a.At.End)
	name := start + 1 + len(a.Name)
	switch {
	case a.Is(ast.ObjectForm):
		s.insertInto(a.Config, a, s.lastItem(a.Config), item, false, false)
	case a.Is(ast.ParenForm):
		last := -1
		for _, p := range a.Positional {
			last = max(last, int(p.Span().End))
		}
		if a.Config != nil {
			for _, p := range a.Config.Items {
				last = max(last, int(p.Span().End))
			}
		}
		if last >= 0 {
			s.change(last, last, ", "+item)
			return nil
		}
		open := name + strings.IndexByte(s.text[name:end], '(')
		s.change(open+1, open+1, item)
	case a.Config != nil && !a.Is(ast.ColonForm):
		s.insertInto(a.Config, a, s.lastItem(a.Config), item, false, false)
	case a.Value == nil && a.Body == nil && a.Config == nil:
		if heading {
			s.change(name, name, "("+item+")")
		} else {
			s.change(name, name, " { "+item+" }")
		}
	default:
		if o, ok := a.Value.(*ast.Object); ok {
			s.insertInto(&o.Body, a, s.lastItem(&o.Body), item, false, false)
			return nil
		}
		if a.Config != nil {
			s.insertInto(a.Config, a, s.lastItem(a.Config), item, false, false)
			return nil
		}
		r := refuse(Elsewhere, "@%s is written with a value of its own", a.Name)
		r.Place = s.place(a, "the trait")
		return r
	}
	return nil
}

func (s *session) traitRemove(op Op) *Refusal {
	name, err := traitName(op)
	if err != nil {
		return err
	}
	var e *element
	if op.Origin == "template" {
		e, err = s.own(op.Node, op.Origin)
	} else {
		_, e, err = s.written(op.Node)
	}
	if err != nil {
		return err
	}
	for at := s.nameOf(e); ; {
		if err := s.oneTrait(e, name); err != nil {
			return err
		}
		if err := s.flush(); err != nil {
			return err
		}
		if e = s.again(at); e == nil { // a trait before the heading moves it
			return nil
		}
		if a, _ := attributeOf(e, name); a == nil {
			return nil
		}
	}
}

// oneTrait takes the last use of a trait from an element.
func (s *session) oneTrait(e *element, name string) *Refusal {
	a, heading := attributeOf(e, name)
	list := s.traitList(e)
	switch el := listed(list, name); {
	case e.json:
		return refuse(Elsewhere, "the traits of a document of values are edited as text")
	case a == nil && el != nil:
		s.removeItem(el, int(list.At.Start)+1, int(list.At.End)-1)
		return nil
	case a == nil && s.fromTemplate(e, name):
		return refuse(Elsewhere, `@%s comes from the template; take it from there with origin "template"`, name)
	case a == nil:
		return refuse(Invalid, "the node has no @%s", name)
	case !heading:
		s.removeItem(a, int(e.body.At.Start)+1, int(e.body.At.End)-1)
		return nil
	}
	from, to := int(a.At.Start), int(a.At.End)
	if a.Is(ast.BeforeHeading) {
		for to < len(s.text) && (s.text[to] == ' ' || s.text[to] == '\t') {
			to++
		}
	} else {
		for from > 0 && strings.IndexByte(" \t\r\n", s.text[from-1]) >= 0 {
			from--
		}
	}
	s.change(from, to, "")
	return nil
}
