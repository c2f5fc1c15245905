package lsp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// Kinds of completions and symbols of the protocol.
const (
	itemMethod   = 2
	itemFunction = 3
	itemVariable = 6
	itemClass    = 7
	itemModule   = 9
	itemProperty = 10
	itemValue    = 12
	itemKeyword  = 14
	itemFile     = 17
	itemEvent    = 23
)

// completer gathers the answers to one question.
type completer struct {
	d      *document
	known  *check.Result
	locals []*check.Symbol
	from   int // where the word under the cursor begins
	to     int
	prefix string
	items  []completionItem
	more   bool
}

func (c *completer) add(label string, kind int, detail, doc, text string) {
	if !strings.HasPrefix(strings.ToLower(label), strings.ToLower(c.prefix)) {
		return
	}
	if len(c.items) >= MaxCompletions {
		c.more = true
		return
	}
	c.items = append(c.items, completionItem{Label: label, Kind: kind, Detail: detail, Documentation: doc, TextEdit: &textEdit{c.d.span(c.from, c.to), text}})
}

// completion proposes what may stand at a place: traits behind @, their
// parameters inside, templates behind using, keys of the state behind state.,
// values of a setting behind its colon, settings, blocks and events in a body,
// names and functions in a function.
func (s *Server) completion(d *document, params json.RawMessage) (any, error) {
	var p positionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: codeParams, Message: "the parameters cannot be read"}
	}
	offset := d.offset(p.Position)
	c := &completer{d: d, from: offset, to: offset, items: []completionItem{}}
	for c.from > 0 && isWordByte(d.text[c.from-1]) {
		c.from--
	}
	c.prefix = d.text[c.from:offset]
	for c.to < len(d.text) && isWordByte(d.text[c.to]) {
		c.to++
	}
	if s.inComment(d, offset) {
		return completionList{Items: c.items}, nil
	}
	s.propose(c, offset)
	return completionList{c.more, c.items}, nil
}

func isWordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

func (s *Server) inComment(d *document, offset int) bool {
	for _, c := range d.parsed().Stream.Comments {
		if int(c.Start) < offset && (offset < int(c.End) || offset == int(c.End) && c.Style != token.Block) {
			return true
		}
	}
	return false
}

func (s *Server) propose(c *completer, offset int) {
	d := c.d
	before := d.text[:c.from]
	line := before[strings.LastIndexAny(before, "\r\n")+1:]
	trimmed := strings.TrimRight(line, " \t")
	here := s.around(d, offset)
	c.known, c.locals = here, here.Locals
	if d.result != nil {
		c.known = d.result
	}
	registry := c.known.Registry
	last := byte(0)
	if before != "" {
		last = before[len(before)-1]
	}
	nodes := d.nodesAt(offset)
	if c.proposeEvents(offset) {
		return
	}
	switch {
	case last == '@':
		for _, e := range registry.All() {
			c.add(e.Name, itemKeyword, e.Category, e.Summary, e.Name)
		}
		return
	case last == '#' && strings.TrimSpace(line) == "#":
		for _, name := range check.Directives() {
			c.add(name, itemKeyword, "directive", "", name)
		}
		return
	case last == '$':
		c.stateKeys()
		return
	case last == '.':
		c.members(line)
		if word := lastWord(strings.TrimRight(line, ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")); word == "on" || word == "connect" {
			c.eventWords()
		}
		return
	}
	if key, quoted, ok := settingBefore(trimmed); ok {
		c.values(nodes, key, quoted)
		return
	}
	if word := lastWord(trimmed); word == "using" || word == "spawn" || word == "extends" {
		c.templates(strings.HasSuffix(trimmed, `"`))
		return
	}
	if e, ok := traitAround(nodes, offset, registry); ok {
		for _, param := range e.Params {
			c.add(param.Name, itemProperty, param.Type.String(), param.Doc, param.Name+": ")
		}
		return
	}
	if insideFunction(nodes, offset) {
		c.names()
		return
	}
	c.bodyItems(blockAround(nodes, offset))
}

// settingBefore is the key whose value is being typed: everything on the line
// is "key:" and perhaps an opening quote.
func settingBefore(line string) (key string, quoted, ok bool) {
	if strings.HasSuffix(line, `"`) || strings.HasSuffix(line, `'`) {
		quoted = true
		line = strings.TrimRight(line[:len(line)-1], " \t")
	}
	rest, ok := strings.CutSuffix(line, ":")
	if !ok || strings.HasSuffix(rest, ":") {
		return "", false, false
	}
	return lastWord(rest), quoted, lastWord(rest) != ""
}

func lastWord(text string) string {
	text = strings.TrimRight(text, " \t\"")
	i := len(text)
	for i > 0 && isWordByte(text[i-1]) {
		i--
	}
	return text[i:]
}

// stateKeys proposes the keys of all states in the file.
func (c *completer) stateKeys() {
	seen := map[string]bool{}
	for _, sym := range c.known.Symbols {
		if sym.Kind == check.State && !seen[sym.Name] {
			seen[sym.Name] = true
			c.add(sym.Name, itemVariable, sym.Type(), "", sym.Name)
		}
	}
}

// members proposes what stands behind a dot.
func (c *completer) members(line string) {
	path := strings.TrimSuffix(line, ".")
	i := len(path)
	for i > 0 && (isWordByte(path[i-1]) || path[i-1] == '.') {
		i--
	}
	parts := strings.Split(path[i:], ".")
	name := parts[len(parts)-1]
	if name == "state" {
		c.stateKeys()
		return
	}
	if name == "this" || name == "self" {
		c.add("state", itemProperty, "the state of the node", "", "state")
		for _, param := range check.Settings("object") {
			c.add(param.Name, itemProperty, param.Type.String(), "", param.Name)
		}
	}
	for _, sym := range c.known.Symbols {
		if sym.Parent != nil && sym.Parent.Name == name && sym.Kind != check.State && sym.Kind != check.Parameter {
			c.add(sym.Name, itemKind(sym), sym.Detail, "", sym.Name)
		}
		if sym.Parent != nil && sym.Parent.Name == name && sym.Kind == check.State {
			c.add("state", itemProperty, "the state of "+name, "", "state")
		}
	}
	c.items = slices.CompactFunc(c.items, func(a, b completionItem) bool { return a.Label == b.Label })
}

// values proposes the values of a setting, or of a parameter of a trait.
func (c *completer) values(nodes []ast.Node, key string, quoted bool) {
	add := func(v trait.Value) {
		text := v.Source()
		if v.Kind == trait.Text && quoted {
			text = v.Str
		}
		c.add(strings.Trim(text, `"`), itemValue, key, "", text)
	}
	var param *trait.Param
	if e, ok := traitAround(nodes, c.from, c.known.Registry); ok {
		param, _ = e.Param(key)
	}
	if param == nil {
		for _, p := range check.Settings(blockAround(nodes, c.from)) {
			if trait.FoldKey(p.Name) == trait.FoldKey(key) {
				param = &p
				break
			}
		}
	}
	for _, word := range presetsOf(nodes, key, c.from) {
		add(trait.Value{Kind: trait.Text, Str: word})
	}
	switch {
	case key == "geometry":
		for _, g := range check.Geometries() {
			add(trait.Value{Kind: trait.Text, Str: g})
		}
	case len(c.items) > 0:
	case param == nil && isColorKey(key), param != nil && param.Type.Has(trait.TypeColor):
		for _, name := range trait.ColorNames() {
			add(trait.Value{Kind: trait.Text, Str: name})
		}
	case param == nil:
		if !quoted {
			c.names()
		}
	case len(param.Values) > 0:
		for _, v := range param.Values {
			add(v)
		}
	case param.Type.Has(trait.TypeBoolean):
		add(trait.Value{Kind: trait.Bool, Bool: true})
		add(trait.Value{Kind: trait.Bool})
	default:
		if param.Default != nil {
			add(*param.Default)
		}
	}
}

func (c *completer) templates(quoted bool) {
	for _, sym := range c.known.Symbols {
		if sym.Kind == check.Template || sym.Kind == check.Imported {
			text := sym.Name
			if !quoted && (!isWord(text) || sym.Quoted) {
				text = `"` + text + `"`
			}
			c.add(sym.Name, itemClass, sym.Detail, "", text)
		}
	}
}

// names proposes what an expression may use.
func (c *completer) names() {
	seen := map[string]bool{}
	for _, sym := range c.locals {
		if !seen[sym.Name] { // an inner one hides those outside
			seen[sym.Name] = true
			detail := sym.Detail
			if t := sym.Type(); t != "any" {
				detail += ": " + t
			}
			c.add(sym.Name, itemKind(sym), detail, "", sym.Name)
		}
	}
	for _, sym := range c.known.Symbols {
		if isWord(sym.Name) && sym.Kind != check.State && sym.Kind != check.Member && !seen[sym.Name] {
			c.add(sym.Name, itemKind(sym), sym.Detail, "", sym.Name)
		}
	}
	for _, name := range check.Library() {
		c.add(name, itemFunction, "library", "", name)
	}
	for _, w := range token.Words {
		if w.Role&(token.Statement|token.Literal) != 0 {
			c.add(w.Text, itemKeyword, "", "", w.Text)
		}
	}
}

// bodyItems proposes what may begin an item of a block's body.
func (c *completer) bodyItems(kind string) {
	for _, p := range check.Settings(kind) {
		c.add(p.Name, itemProperty, p.Type.String(), "", p.Name+": ")
	}
	for _, k := range check.Kinds() {
		c.add(k, itemKeyword, "block", "", k)
	}
	c.handlers()
	for _, w := range token.Words {
		if w.Role&(token.Item|token.Function) != 0 {
			c.add(w.Text, itemKeyword, "", "", w.Text)
		}
	}
}

func itemKind(sym *check.Symbol) int {
	switch sym.Kind {
	case check.Function:
		return itemFunction
	case check.Template, check.TypeDecl:
		return itemClass
	case check.Module:
		return itemModule
	case check.Member, check.Computed:
		return itemProperty
	}
	return itemVariable
}

// blockAround is the kind of the innermost block whose body contains an offset.
func blockAround(nodes []ast.Node, offset int) string {
	for i := len(nodes) - 1; i >= 0; i-- {
		if b, ok := nodes[i].(*ast.Block); ok && b.Body != nil && int(b.Body.At.Start) < offset {
			return b.BlockKind
		}
	}
	return ""
}

// traitAround is the trait whose arguments contain an offset.
func traitAround(nodes []ast.Node, offset int, r *trait.Registry) (*trait.Entry, bool) {
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.Attribute:
			if offset > int(n.At.Start)+1+len(n.Name) {
				return r.Lookup(n.Name)
			}
			return nil, false
		case *ast.Block, *ast.Func, *ast.Arrow:
			return nil, false
		}
	}
	return nil, false
}

// insideFunction says whether an offset is in the body of a function.
func insideFunction(nodes []ast.Node, offset int) bool {
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.Func:
			return n.Body != nil && int(n.Body.Span().Start) < offset
		case *ast.Arrow:
			return n.Body != nil && int(n.Body.Span().Start) <= offset
		case *ast.FuncLit, *ast.VarDecl, *ast.If, *ast.Return:
			return true
		case *ast.Block:
			return false
		}
	}
	return false
}
