// Package format prints source text in its canonical form: the rules F01 to F18
// of the specification. It prints the tree, so it never reorders, renames, adds
// or removes anything.
//
// Items that could not be read are copied byte for byte and the rest is
// formatted around them. So are the few items with a comment in a place that no
// list of the grammar has, such as inside an expression.
//
// The result is checked before it is given out: it must parse to an equal tree
// and be its own canonical form. Where that fails, the items at the top of the
// file that are to blame stay as they are written. Formatting is therefore
// idempotent and keeps the meaning whatever the text.
package format

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
)

// Width is the length of a line in bytes that layout keeps to where it can.
const Width = 100

// Source formats the bytes of a file and returns what parsing them found. With
// errors among these the text is formatted around the damage.
func Source(path string, raw []byte, format ast.Format) (string, []diag.Diagnostic) {
	f, found := parse.File(path, raw, format)
	return File(f), found
}

// File prints a parsed file in its canonical form, UTF-8 whatever the file's
// encoding was. A text that no form was found for is returned as it is.
func File(f *ast.File) string {
	out := render(f, nil)
	g, same := reparse(f, out)
	if same && render(g, nil) == out {
		return out
	}
	out = render(f, blame(f))
	if g, same = reparse(f, out); !same {
		return f.Text()
	}
	// The text has come this far by keeping items. It is settled when the same
	// happens to it again, or when its own canonical form is.
	again := render(g, nil)
	if h, same := reparse(g, again); same && render(h, nil) == again {
		return again
	}
	if render(g, blame(g)) == out {
		return out
	}
	return f.Text()
}

// render prints a file; the items at its top that keep chooses stay as written.
func render(f *ast.File, keep func(ast.Node) bool) string {
	p := newPrinter(f)
	p.keep = keep
	p.file()
	return string(p.out)
}

// reparse parses a text as f was and says whether the trees are equal.
func reparse(f *ast.File, text string) (*ast.File, bool) {
	g, _ := parse.File(f.Path(), []byte(text), f.Format)
	return g, ast.Equal(f, g)
}

// blame chooses the items that are damaged or that printing changes.
func blame(f *ast.File) func(ast.Node) bool {
	return func(n ast.Node) bool { return n.HasError() || changes(f, n) }
}

// changes says whether an item at the top of a file, printed by itself, parses
// to something else.
func changes(f *ast.File, n ast.Node) bool {
	p := newPrinter(f)
	p.item(n)
	p.nl()
	g, found := parse.File(f.Path(), p.out, f.Format)
	if len(g.Items()) != 1 {
		return true
	}
	for _, d := range found {
		if d.Severity == diag.Error {
			return true
		}
	}
	q := newPrinter(g)
	q.item(g.Items()[0])
	q.nl()
	return !ast.EqualNodes(n, g.Items()[0]) || string(q.out) != string(p.out)
}
