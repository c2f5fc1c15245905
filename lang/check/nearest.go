package check

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/trait"
)

// templateName finds the template that a name means.
func (c *checker) templateName(n ast.Node) {
	name := nameOf(n)
	if name == "" {
		return
	}
	if t := c.templates[name]; t != nil {
		c.refer(n.Span(), t.sym)
		return
	}
	severity := diag.Error
	if len(c.imported) > 0 {
		severity = diag.Warning
	}
	near, ok := c.nearest(name, keysFor(c, c.templates))
	slot := ""
	if ok {
		slot = hint(near)
	}
	f := c.addAs(severity, "NAM004", n.Span(), name, slot)
	if ok {
		c.respell(f, n, near)
	}
}

// respell gives a finding the fix that puts a near name in the place of a node,
// in its quotes.
func (c *checker) respell(f *diag.Finding, n ast.Node, near string) {
	at := n.Span()
	text := near
	if s, ok := n.(*ast.String); ok || !isWord(near) {
		quote := byte('"')
		if ok && s.Raw != "" && s.Raw[0] == '\'' {
			quote = '\''
		}
		text = string(quote) + near + string(quote)
	}
	f.Suggest(near).Fix("Replace with '"+near+"'", int(at.Start), int(at.End), text)
}

func isWord(s string) bool {
	for i, r := range s {
		if r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return false
	}
	return s != ""
}

// nearest is trait.Nearest over names in any order. A file with more slips than
// MaxSuggestions gets no more help.
func (c *checker) nearest(name string, names []string) (string, bool) {
	if c.suggested++; c.helpless() || len(names) > MaxCandidates {
		return "", false
	}
	c.work += len(names)
	return trait.Nearest(name, sorted(names))
}

// helpless says that no more near names are looked up, so that the names need
// not be gathered.
func (c *checker) helpless() bool { return c.suggested > MaxSuggestions }

// keysFor are the names of maps, none when nobody will look at them.
func keysFor[V any](c *checker, maps ...map[string]V) []string {
	if c.helpless() {
		return nil
	}
	var out []string
	for _, m := range maps {
		for name := range m {
			out = append(out, name)
		}
	}
	return out
}
