package lsp

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// eventNames are the events of a document, as they are written there, sorted.
type eventNames struct {
	of      *ast.File
	raised  []string
	handled []string
	traits  []string // that stand in it
}

// events are the events that a document raises and handles. They are gathered once
// for a tree.
func (d *document) events() *eventNames {
	f := d.parsed()
	if d.named.of == f {
		return &d.named
	}
	raised, handled := map[string]bool{}, map[string]bool{}
	raise := func(args []ast.Node) {
		if len(args) == 0 {
			return
		}
		switch n := args[0].(type) {
		case *ast.String:
			raised[n.Value()] = true
		case *ast.Ident:
			raised[n.Name] = true
		case *ast.EnumWord:
			raised[n.Name] = true
		}
	}
	ast.Walk(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Emit:
			raise(n.Args)
		case *ast.Call:
			if calledName(n.Fn) == "emit" {
				raise(n.Args)
			}
		case *ast.Func:
			if n.FuncKind == ast.Handler && n.More != nil && n.More.Event != "" {
				handled[n.More.Event] = true
			}
		}
		return true
	})
	traits := map[string]bool{}
	for _, t := range f.Stream.Tokens {
		if t.Kind == token.Trait {
			traits[d.text[t.Start+1:t.End]] = true
		}
	}
	d.named = eventNames{f, sortedKeys(raised), sortedKeys(handled), sortedKeys(traits)}
	return &d.named
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		if k != "" && len(k) <= trait.MaxName && !strings.ContainsAny(k, "\"'\\\r\n") {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// calledName is the last word of what is called.
func calledName(fn ast.Node) string {
	switch n := fn.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		s := n.Segments()
		return s[len(s)-1]
	case *ast.Member:
		return n.Name
	}
	return ""
}

// eachEvent calls propose for the events that a handler may name: those of the file
// as they are written, of its traits, and of the host.
func (c *completer) eachEvent(propose func(name, detail string)) {
	own := c.d.events()
	seen := map[string]bool{}
	once := func(name, detail string) {
		if key := parse.EventName(name); !seen[key] {
			seen[key] = true
			propose(name, detail)
		}
	}
	for _, name := range own.raised {
		once(name, "raised in this file")
	}
	for _, used := range own.traits {
		if e, ok := c.known.Registry.Lookup(used); ok {
			for _, name := range e.Events {
				once(name, "event of @"+used)
			}
		}
	}
	for _, name := range check.Events() {
		once(name, "event")
	}
}

// handlers proposes on_tap for every event, and onTap where that is begun.
func (c *completer) handlers() {
	camel := len(c.prefix) > 2 && strings.HasPrefix(c.prefix, "on") && c.prefix[2] >= 'A' && c.prefix[2] <= 'Z'
	c.eachEvent(func(name, detail string) {
		text := "on_" + parse.EventName(name)
		if camel {
			text = "on"
			for _, w := range strings.Split(parse.EventName(name), "_") {
				if w != "" {
					text += strings.ToUpper(w[:1]) + w[1:]
				}
			}
		}
		if isWord(text) {
			c.add(text, itemEvent, detail, "", text)
		}
	})
}

// eventWords proposes events as words.
func (c *completer) eventWords() {
	c.eachEvent(func(name, detail string) {
		if word := parse.EventName(name); isWord(word) {
			c.add(word, itemEvent, detail, "", word)
		}
	})
}

// proposeEvents proposes events behind on and emit, and says whether the place is
// one of these. In quotes they are texts, which may have several words.
func (c *completer) proposeEvents(offset int) bool {
	d := c.d
	toks := d.parsed().Stream.Tokens
	i := d.tokenBefore(offset)
	quote := ""
	if i >= 0 && toks[i].Kind == token.String && offset > int(toks[i].Start) {
		raw := d.text[toks[i].Start:toks[i].End]
		closed := len(raw) > 1 && raw[len(raw)-1] == raw[0] && toks[i].Flags&token.Damaged == 0
		if closed && offset == int(toks[i].End) || offset > int(toks[i].End) || strings.HasPrefix(raw, `"""`) {
			return false
		}
		quote = raw[:1]
		c.from, c.to = int(toks[i].Start)+1, offset
		if closed {
			c.to = int(toks[i].End) - 1
		}
		c.prefix = d.text[c.from:offset]
		i--
	} else if i >= 0 && int(toks[i].End) >= offset && toks[i].Kind == token.Ident && c.prefix != "" {
		i--
	}
	if i < 0 || int(toks[i].End) > offset {
		return false
	}
	paren := toks[i].Kind == token.LParen
	if paren {
		if i--; i < 0 {
			return false
		}
	}
	word := d.text[toks[i].Start:toks[i].End]
	if strings.ContainsAny(d.text[toks[i].End:offset], "\r\n") {
		return false
	}
	switch {
	case word == "emit" && toks[i].Kind == token.Ident:
		own := d.events()
		names := slices.Concat(own.raised, own.handled)
		for k, name := range names {
			detail := "raised in this file"
			if k >= len(own.raised) {
				detail = "handled in this file"
				if slices.ContainsFunc(own.raised, func(r string) bool { return parse.EventName(r) == name }) {
					continue
				}
			}
			if name == c.prefix {
				continue // what is being written
			}
			c.addEvent(name, detail, quote, paren)
		}
		return true
	case quote != "" && (word == "on_event" || word == "on" || word == "@on" || word == "@on_event"), word == "on" && !paren && toks[i].Kind == token.Ident:
		c.eachEvent(func(name, detail string) {
			if name != c.prefix || detail == "event" {
				c.addEvent(name, detail, quote, paren)
			}
		})
		if quote == "" {
			c.nodesWithEvents()
		}
		return true
	}
	return false
}

// addEvent proposes an event in quotes that are open, in quotes of its own, or as a
// word where one is enough.
func (c *completer) addEvent(name, detail, quote string, paren bool) {
	text := name
	if quote == "" && (paren || !isWord(name)) {
		text = `"` + name + `"`
	}
	c.add(name, itemEvent, detail, "", text)
}

// nodesWithEvents proposes the nodes that may stand behind on: on Door.opened.
func (c *completer) nodesWithEvents() {
	for _, sym := range c.known.Symbols {
		if (sym.Kind == check.Node || sym.Kind == check.Module) && isWord(sym.Name) {
			c.add(sym.Name, itemKind(sym), sym.Detail, "", sym.Name)
		}
	}
}
