package edit

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/trait"
)

// alike are the settings that the model knows by several names.
var alike = [][]string{
	{"base_color", "color", "albedo", "diffuse"},
	{"metallic", "metalness"},
	{"emissive", "emissive_color"},
	{"geometry", "mesh", "shape", "primitive", "model"},
	{"physics", "rigidbody"},
	{"skybox", "sky", "background", "background_color"},
	{"ambient_light", "ambient"},
}

// sameKey says whether two spellings mean one setting.
func sameKey(a, b string) bool {
	a, b = trait.FoldKey(a), trait.FoldKey(b)
	if a == b {
		return true
	}
	for _, group := range alike {
		has := func(k string) bool {
			for _, g := range group {
				if g == k {
					return true
				}
			}
			return false
		}
		if has(a) && has(b) {
			return true
		}
	}
	return false
}

// keyParts cuts a dotted key.
func keyParts(key string) ([]string, *Refusal) {
	parts := strings.Split(key, ".")
	if len(parts) > MaxKey || len(key) > MaxName {
		return nil, refuse(Invalid, "the key is too long")
	}
	for _, p := range parts {
		if !isKey(p) {
			return nil, refuse(Invalid, "%q is no key: it is words, parted by dots", key)
		}
	}
	return parts, nil
}

// isKey says whether a text can be a part of a key without quotes.
func isKey(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (r < '0' || r > '9') && (r != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return s != "" && s[0] != '-'
}

func isWord(s string) bool {
	return isKey(s) && !strings.Contains(s, "-") && (s[0] < '0' || s[0] > '9')
}

// setting is a place where a key is, or would be, written.
type setting struct {
	body   *ast.Body
	holder ast.Node
	rest   []string // what of the key is not there yet
	value  ast.Node // what is there
	item   ast.Node // the property or block around the value
	block  *ast.Block
}

// find looks a key up in a body: the last of several counts, as in the model.
func (s *session) find(b *ast.Body, holder ast.Node, parts []string) (setting, *Refusal) {
	for i := len(b.Items) - 1; i >= 0; i-- {
		switch it := b.Items[i].(type) {
		case *ast.Property:
			if it.Key == nil || it.Key.Computed != nil {
				continue
			}
			key := it.Key.Parts()
			if len(key) > len(parts) || !samePath(key, parts[:len(key)]) {
				continue
			}
			return s.inValue(it, it, valueOf(it), parts[len(key):])
		case *ast.Block:
			if !sameKey(it.BlockKind, parts[0]) || it.Name != nil || it.Body == nil || it.BlockKind == "" || nodeKind(it.BlockKind) && it.BlockKind != "audio" && it.BlockKind != "text" {
				continue
			}
			if len(parts) > 1 {
				return s.find(it.Body, it, parts[1:])
			}
			return setting{body: b, holder: holder, value: it, item: it, block: it}, nil
		case *ast.TypedMember:
			if len(parts) == 1 && sameKey(it.Name, parts[0]) && it.Default != nil {
				return setting{body: b, holder: holder, value: it.Default, item: it}, nil
			}
		case *ast.Command:
			if sameKey(it.Verb, parts[0]) {
				r := refuse(Elsewhere, "%q is written as a command", parts[0])
				r.Place = s.place(it, "the command")
				return setting{}, r
			}
		}
	}
	return setting{body: b, holder: holder, rest: parts}, nil
}

func samePath(a, b []string) bool {
	for i := range a {
		if !sameKey(a[i], b[i]) {
			return false
		}
	}
	return true
}

// valueOf is what a property says: behind a type the default.
func valueOf(p *ast.Property) ast.Node {
	if p.Type() != nil {
		if p.More == nil {
			return nil
		}
		return p.More.Default
	}
	return p.Value
}

// inValue goes on in the value of a property.
func (s *session) inValue(item, holder, v ast.Node, rest []string) (setting, *Refusal) {
	if len(rest) == 0 {
		if v == nil {
			r := refuse(Elsewhere, "the setting has no value that could be read")
			r.Place = s.place(item, "the setting")
			return setting{}, r
		}
		return setting{value: v, item: item}, nil
	}
	switch v := v.(type) {
	case *ast.Object:
		if v.Parens == 0 && s.text[v.At.Start] == '{' {
			return s.find(&v.Body, v, rest)
		}
	case *ast.Array:
		if i, ok := component(rest[0]); ok && len(rest) == 1 && i < len(v.Elements) {
			return setting{value: v.Elements[i], item: item}, nil
		}
	}
	r := refuse(Invalid, "the value is no object with a %q; set it whole", rest[0])
	if v != nil {
		r.Place = s.place(v, "the value")
	}
	return setting{}, r
}

// component is the place in a vector that a word or a number names.
func component(word string) (int, bool) {
	if i := strings.Index("xyzw", word); i >= 0 && len(word) == 1 {
		return i, true
	}
	i, err := strconv.Atoi(word)
	return i, err == nil && i >= 0
}

// set writes a setting.
func (s *session) set(e *element, key string, v trait.Value) *Refusal {
	parts, err := keyParts(key)
	if err != nil {
		return err
	}
	at, err := s.find(e.body, e.node, parts)
	if err != nil {
		return err
	}
	source, err := s.source(v, e.json)
	if err != nil {
		return err
	}
	if at.value == nil {
		for i := len(at.rest) - 1; i > 0; i-- {
			source = "{ " + spelt(at.rest[i], e.json) + ": " + source + " }"
		}
		item := spelt(at.rest[0], e.json) + ": " + source
		s.insertInto(at.body, at.holder, s.lastPlain(at.body), item, e.json, false)
		return nil
	}
	if !s.plain(at.value) {
		r := refuse(Elsewhere, "the value of %q is computed; it is not overwritten", key)
		r.Place = s.place(at.value, "the expression")
		return r
	}
	span := at.value.Span()
	switch b := at.block; {
	case b == nil:
		s.change(int(span.Start), int(span.End), source)
	case v.Kind == trait.Map && !isExpr(v):
		s.change(int(b.Body.At.Start), int(b.Body.At.End), source)
	default:
		s.change(int(span.Start), int(span.End), b.BlockKind+": "+source)
	}
	return nil
}

// unset takes a setting away, every one of its name.
func (s *session) unset(e *element, key string) *Refusal {
	parts, err := keyParts(key)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		at, err := s.find(e.body, e.node, parts)
		switch {
		case err != nil:
			return err
		case at.value == nil && n == 0:
			return refuse(Invalid, "%q is not set here", key)
		case at.value == nil:
			return nil
		case !s.plain(at.value):
			r := refuse(Elsewhere, "the value of %q is computed; it is not removed", key)
			r.Place = s.place(at.value, "the expression")
			return r
		}
		body, inside := s.bodyOf(e, at.item)
		if body == nil || !inside || at.value != at.item && valueAt(at.item) != at.value {
			return refuse(Invalid, "%q is a part of a vector; set it instead", key)
		}
		s.removeItem(at.item, int(body.At.Start)+1, int(body.At.End)-1)
		path := s.nameOf(e)
		if err := s.flush(); err != nil {
			return err
		}
		if e = s.again(path); e == nil {
			return nil
		}
	}
}

func valueAt(item ast.Node) ast.Node {
	switch it := item.(type) {
	case *ast.Property:
		return valueOf(it)
	case *ast.TypedMember:
		return it.Default
	}
	return nil
}

// nameOf is how to find an element again when the text was read anew: by where
// it begins, which changes inside of it do not move.
func (s *session) nameOf(e *element) [2]int {
	line, column := s.tree.Stream.Source.Position(int(e.node.Span().Start))
	return [2]int{line, column}
}

func (s *session) again(at [2]int) *element {
	s.scene()
	return s.places[at]
}

// bodyOf is the body below an element that directly contains an item.
func (s *session) bodyOf(e *element, item ast.Node) (found *ast.Body, ok bool) {
	ast.Walk(e.node, func(n ast.Node) bool {
		if b, isBody := n.(*ast.Body); isBody {
			for _, it := range b.Items {
				if it == item {
					found = b
				}
			}
		}
		return found == nil
	})
	return found, found != nil
}

// lastPlain is the last setting of a body, behind which a new one is written.
func (s *session) lastPlain(b *ast.Body) ast.Node {
	for i := len(b.Items) - 1; i >= 0; i-- {
		if p, ok := b.Items[i].(*ast.Property); ok {
			switch p.Value.(type) {
			case *ast.Arrow, *ast.FuncLit:
				continue
			}
			return p
		}
	}
	for i, it := range b.Items { // else behind the traits at the start
		if it.Kind() != ast.KindAttribute {
			if i == 0 {
				return nil
			}
			return b.Items[i-1]
		}
	}
	return s.lastItem(b)
}

// plain says whether a value is written out, with nothing to work out in it.
func (s *session) plain(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Number, *ast.Bool, *ast.Null, *ast.Colour, *ast.EnumWord, *ast.AxisWord, *ast.Regex:
		return true
	case *ast.String:
		return n.Parts() == nil
	case *ast.Template:
		return len(n.Exprs) == 0
	case *ast.Ident:
		return !s.variable(n)
	case *ast.Unary:
		_, number := n.X.(*ast.Number)
		return number && (n.Op == "-" || n.Op == "+")
	case *ast.Array:
		for _, e := range n.Elements {
			if !s.plain(e) {
				return false
			}
		}
		return true
	case *ast.Object:
		return s.plainBody(&n.Body)
	case *ast.Constructor:
		return s.plainBody(n.Body)
	case *ast.Block:
		return n.Body != nil && s.plainBody(n.Body)
	}
	return false
}

func (s *session) plainBody(b *ast.Body) bool {
	for _, it := range b.Items {
		switch it := it.(type) {
		case *ast.Property:
			if v := valueOf(it); it.Key == nil || it.Key.Computed != nil || v == nil || !s.plain(v) {
				return false
			}
		case *ast.Block:
			if !s.plain(it) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// variable says whether a word means something that is worked out.
func (s *session) variable(n *ast.Ident) bool {
	for _, r := range s.judged().References {
		if r.At == n.At {
			switch r.Symbol.Kind {
			case check.Node, check.Template, check.TypeDecl:
				return false
			}
			return true
		}
	}
	return false
}

// isExpr says whether a value is {"expr": text}.
func isExpr(v trait.Value) bool {
	return v.Kind == trait.Map && len(v.Fields) == 1 && v.Fields[0].Key == "expr" && v.Fields[0].Value.Kind == trait.Text
}

// source spells a value on one line.
func (s *session) source(v trait.Value, json bool) (string, *Refusal) {
	switch {
	case v.Kind == trait.Unknown:
		return "", refuse(Invalid, "there is no value")
	case isExpr(v):
		if json {
			return "", refuse(Elsewhere, "a document of values holds no expressions")
		}
		return expression(v.Fields[0].Value.Str)
	case json:
		b, err := v.MarshalJSON()
		if err != nil {
			return "", refuse(Invalid, "the value cannot be written")
		}
		return string(b), nil
	case v.Kind == trait.List:
		parts := make([]string, len(v.List))
		for i, e := range v.List {
			text, err := s.source(e, json)
			if err != nil {
				return "", err
			}
			parts[i] = text
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	case v.Kind == trait.Map && len(v.Fields) > 0:
		parts := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			text, err := s.source(f.Value, json)
			if err != nil {
				return "", err
			}
			parts[i] = spelt(f.Key, json) + ": " + text
		}
		return "{ " + strings.Join(parts, ", ") + " }", nil
	}
	return v.Source(), nil
}

// spelt writes a key.
func spelt(key string, json bool) string {
	if !json && isKey(key) {
		return key
	}
	return quoted(key)
}

// expression is a text that is one expression and nothing else.
func expression(source string) (string, *Refusal) {
	source = strings.TrimSpace(source)
	if len(source) > MaxExpr {
		return "", refuse(Invalid, "the expression has %d bytes, at most %d are taken", len(source), MaxExpr)
	}
	f, found := parse.File("expr.holo", []byte("object \"x\" {\n  value: "+source+"\n}\n"), ast.Holo)
	if items := f.Items(); len(found) == 0 && len(items) == 1 {
		if b, ok := items[0].(*ast.Block); ok && b.Body != nil && len(b.Body.Items) == 1 {
			if p, ok := b.Body.Items[0].(*ast.Property); ok && p.Type() == nil && p.More == nil && p.Value != nil && f.Slice(p.Value.Span()) == source && source != "" {
				return source, nil
			}
		}
	}
	return "", refuse(Invalid, "the expression cannot be read as one")
}
