package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
)

// Each code of the lexer and the parser: a text in which » and « mark the span,
// the message, and what the first fix makes of the text, empty when there is none.
var diagnosed = []struct {
	code    diag.Code
	text    string
	message string
	fixed   string
}{
	{"SYN001", "a »{« b: 1\n", "'{' is never closed.", "a { b: 1 }\n"},
	{"SYN001", "object \"A\" { p: »[«1, 2 }", "'[' is never closed.", "object \"A\" { p: [1, 2] }"},
	{"SYN001", "a {\n  b »{«\n    c: 1\n  d: 2\n}\n", "'{' is never closed.", "a {\n  b {\n    c: 1\n  d: 2 }\n}\n"},
	{"SYN001", "a { x: f»(«1 }", "'(' is never closed.", "a { x: f(1) }"},
	{"SYN002", "a { }\n»}«\n", "'}' closes nothing.", "a { }\n\n"},
	{"SYN002", "a {\n  b {\n  }\n  »}«\n  c: 1\n}\n", "'}' closes nothing.", "a {\n  b {\n  }\n  \n  c: 1\n}\n"},
	{"SYN003", "a { x: f(1»]« }", "'(' is closed by ']'.", "a { x: f(1) }"},
	{"SYN004", "a {\n  x: »\"abc«\n}\n", "String is not closed on this line.", "a {\n  x: \"abc\"\n}\n"},
	{"SYN004", "a {\n  x: »'abc«\n  y: 'd'\n}\n", "String is not closed on this line.", "a {\n  x: 'abc'\n  y: 'd'\n}\n"},
	{"SYN004", "x: »\"\"\"abc«\ny: 1", "String is not closed on this line.", "x: \"\"\"abc\"\"\"\ny: 1"},
	{"SYN005", "x: »`abc«\n", "Template text is not closed.", "x: `abc`\n"},
	{"SYN005", "x: »`a${« b\n", "Template text is not closed.", "x: `a${ b}`\n"},
	{"SYN006", "a: 1 »/*« b\n", "Comment is not closed.", "a: 1 /* b\n*/"},
	{"SYN007", "execute a() every 2 »secs«", "Expected end of line, found 'secs'.", ""},
	{"SYN007", "a: 1 + »*« 2", "Expected a value, found '*'.", ""},
	{"SYN007", "a { x: f(1 + »)« }", "Expected a value, found ')'.", ""},
	{"SYN007", "»*«", "Expected a value, found '*'.", ""},
	{"SYN008", "a { x»:« , y: 1 }", "Missing value after 'x:'.", "a { x: null , y: 1 }"},
	{"SYN008", "@t»:«\n", "Missing value after '@t:'.", "@t: null\n"},
	{"SYN009", "on_x { »while« a\n}", "'while' needs a body or a value.", "on_x { while a { }\n}"},
	{"SYN009", "@if a { } »@else«", "'@else' needs a body or a value.", "@if a { } @else { }"},
	{"SYN009", "»#if« a", "'#if' needs a body or a value.", "#if a { }"},
	{"SYN010", "a { x: 1 »\x01« }", "Character ' ' is not used here.", "a { x: 1  }"},
	{"SYN010", "a { »\\« x: 1 }", "Character '\\' is not used here.", "a {  x: 1 }"},
	{"SYN010", "a: »\u00a7«", "Character '\u00a7' is not used here.", "a: "},
	{"SYN011", "a: »12abc_3«", "'12abc_3' is not a number.", ""},
	{"SYN011", "a: »1__0«", "'1__0' is not a number.", ""},
	{"SYN011", "a: »0x«", "'0x' is not a number.", ""},
	{"SYN012", "a: \"x »\\u«12\"", "Escape '\\u' is incomplete; taken as plain text.", "a: \"x \\\\u12\""},
	{"SYN013", "on_x {\n  if a > 3»:«\n    return\n}\n", "Indented bodies are not supported; use '{ }'.", "on_x {\n  if a > 3 {\n    return }\n}\n"},
	{"SYN015", "{ \"a\": 1 } »x«", "Nothing may follow the document value.", ""},
	{"SYN016", "on_x { »catch« (e) + 1 }", "'catch' has no matching 'try'.", "on_x {  (e) + 1 }"},
	{"SYN016", "on_x { »case« 1: go() }", "'case' has no matching 'switch'.", ""},
	{"SYN016", "on_x { go()\n »elif« a > 1 }", "'elif' has no matching 'if'.", "on_x { go()\n  a > 1 }"},
	{"SYN016", "»@else« { }", "'@else' has no matching '@if'.", ""},
	{"SYN016", "»#else« { }", "'#else' has no matching '#if'.", ""},
	{"SYN017", "struct S { a: »=« }", "This type cannot be read.", ""},
	{"SYN018", "»import« a b", "This import cannot be read; expected import \"file\", or import names from \"file\".", ""},
	{"SYN018", "»export« * from b", "This export cannot be read; expected export item, export { names } or export * from \"file\".", ""},
	{"SYN019", "a { »@« x: 1 }", "'@' needs a trait name.", "a {  x: 1 }"},
	{"SYN020", "transform { a -> »:« trim() }", "This mapping needs a target path.", ""},
	{"SYN020", "connect a »b«", "This connect needs '->' and a target.", ""},
	{"SYN020", "branch { when x »Big« }", "This route needs '->' and a sink.", ""},
	{"SYN020", "execute a() every »,« b", "This execute needs a time.", ""},
	{"SYN021", "on_x { »1« = 2 }", "'1' cannot be assigned to.", ""},
	{"SYN021", "on_x { ++»f()« }", "'f()' cannot be assigned to.", ""},
	{"SYN022", "x: »/abc«\ny: 1", "Regular expression is not closed.", "x: /abc/\ny: 1"},
	{"LNT005", "»#« tuned by hand", "'#' comments are accepted; '//' is standard.", "// tuned by hand"},
	{"LNT014", "»größe«: 1", "Name uses letters beyond ASCII.", ""},
}

func TestDiagnostics(t *testing.T) {
	t.Parallel()
	for _, c := range diagnosed {
		start := strings.Index(c.text, "»")
		text := strings.Replace(c.text, "»", "", 1)
		end := strings.Index(text, "«")
		text = strings.Replace(text, "«", "", 1)
		f, found := parseText("main.holo", text)
		checkTree(t, f, found)
		row, ok := diag.Lookup(c.code)
		if !ok {
			t.Fatalf("%s is not in the table", c.code)
		}
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == c.code })
		if i < 0 {
			t.Errorf("%s %q: found %v", c.code, text, found)
			continue
		}
		d := found[i]
		if d.Severity != row.Severity || d.Message != c.message || d.Offset != start || d.EndOffset != end || d.File != "main.holo" {
			t.Errorf("%q:\n got %v at %d-%d\nwant %s at %d-%d", text, d, d.Offset, d.EndOffset, c.message, start, end)
		}
		if n := len(errorsOf(found)); n > 1 {
			t.Errorf("%q: %d errors: %v", text, n, found)
		}
		switch {
		case c.fixed == "" && len(d.Fixes) == 0:
		case len(d.Fixes) == 0:
			t.Errorf("%s %q: no fix", c.code, text)
		default:
			fixed := d.Fixes[0].Apply(d.File, text)
			if c.fixed != "" && fixed != c.fixed {
				t.Errorf("%s %q: fixed to %q, want %q", c.code, text, fixed, c.fixed)
			}
			if _, after := parseText("main.holo", fixed); slices.ContainsFunc(after, func(d diag.Diagnostic) bool { return d.Code == c.code }) {
				t.Errorf("%s %q: the fix %q leaves %v", c.code, text, fixed, after)
			}
		}
	}
}

// Every code that the lexer and the parser have is in the table above or in the
// tests of limits and encodings.
func TestEverySyntaxCodeIsTested(t *testing.T) {
	t.Parallel()
	tested := map[diag.Code]bool{"SYN014": true} // TestInvalidText
	for _, c := range diagnosed {
		tested[c.code] = true
	}
	for _, r := range diag.Rows {
		if strings.HasPrefix(string(r.Code), "SYN") && !tested[r.Code] {
			t.Errorf("%s has no test", r.Code)
		}
	}
}

func TestInvalidText(t *testing.T) {
	t.Parallel()
	cases := []struct {
		raw, encoding string
		lines         []int
	}{
		{"a: \"\xff\xfe\"\nb: \"\xc3\"\n", "UTF-8", []int{1, 2}},
		{"\xff\xfea\x00\x00\xd8", "UTF-16LE", []int{1}},
		{"\xfe\xff\x00a\xdc", "UTF-16BE", []int{1}},
	}
	for _, c := range cases {
		_, found := File("main.holo", []byte(c.raw), ast.Holo)
		var lines []int
		for _, d := range errorsOf(found) {
			if d.Code == diag.SYN014 {
				lines = append(lines, d.Line)
				if want := "Text is not valid " + c.encoding + "."; d.Message != want {
					t.Errorf("%q: %s, want %s", c.raw, d.Message, want)
				}
			}
		}
		if !slices.Equal(lines, c.lines) {
			t.Errorf("%q: SYN014 on lines %v, want %v: %v", c.raw, lines, c.lines, found)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return "a: " + strings.Repeat("[", n) + strings.Repeat("]", n) }
	cases := []struct {
		name, text string
		code       diag.Code // empty when the text is within
	}{
		{"nesting within", deep(MaxDepth), ""},
		{"nesting beyond", deep(MaxDepth + 1), "LIM002"},
		{"nesting of bodies within", strings.Repeat("a{", MaxDepth) + strings.Repeat("}", MaxDepth), ""},
		{"nesting of bodies beyond", strings.Repeat("a{", MaxDepth+1) + strings.Repeat("}", MaxDepth+1), "LIM002"},
		{"operators within", "a: b" + strings.Repeat(" + b", MaxDepth), ""},
		{"operators beyond", "a: b" + strings.Repeat(" + b", MaxDepth+1), "LIM002"},
		{"links within", "b()" + strings.Repeat(".c()", MaxDepth/2-1), ""},
		{"links beyond", "b" + strings.Repeat(".c()", MaxDepth), "LIM002"},
		{"prefixes beyond", "a: " + strings.Repeat("!", MaxDepth+1) + "b", "LIM002"},
		{"types beyond", "struct S { a: " + strings.Repeat("B<", MaxDepth+1) + "c" + strings.Repeat(">", MaxDepth+1) + " }", "LIM002"},
		{"size beyond", strings.Repeat(" ", 8<<20+1), "LIM001"},
		{"size within", strings.Repeat(" ", 8<<20), ""},
		{"tokens beyond", strings.Repeat(",", 4_000_001), "LIM003"},
		{"tokens within", strings.Repeat(",", 4_000_000), ""},
	}
	for _, c := range cases {
		f, found := parseText("main.holo", c.text)
		if len(c.text) < 1<<20 {
			checkTree(t, f, found)
		}
		failures := errorsOf(found)
		switch {
		case c.code == "" && len(failures) > 0:
			t.Errorf("%s: %v", c.name, failures)
		case c.code != "" && (len(failures) != 1 || failures[0].Code != c.code):
			t.Errorf("%s: %v, want %s once", c.name, failures, c.code)
		}
	}
}

// After a hundred lines with errors the rest is counted.
func TestErrorsAreCounted(t *testing.T) {
	t.Parallel()
	for _, n := range []int{99, 100, 101, 350, 5000} {
		_, found := parseText("main.holo", strings.Repeat("x: ]\n", n))
		failures := errorsOf(found)
		if n <= diag.MaxErrors {
			if len(failures) != n {
				t.Errorf("%d lines: %d errors", n, len(failures))
			}
			continue
		}
		last := failures[len(failures)-1]
		want := fmt.Sprintf("Limit exceeded: the number of lines with errors is %d, allowed 100.", n)
		if len(failures) != diag.MaxErrors+1 || last.Code != diag.LIM009 || last.Message != want {
			t.Errorf("%d lines: %d errors, the last %v", n, len(failures), last)
		}
	}
}

// The worked examples of the specification parse, and their broken variants give
// the syntax errors it lists, at its lines and with its words.
func TestWorkedExamples(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"lighthouse.holo": nil, "cold_chain.hs": nil, "lift.hsplus": nil,
		"lighthouse_broken.holo": {
			"2 SYN008 Missing value after 'skybox:'.",
			"4 SYN001 '[' is never closed.",
			"5 SYN008 Missing value after 'intensity:'.",
			"7 SYN001 '{' is never closed.",
		},
		"cold_chain_broken.hs": {
			"3 SYN007 Expected end of line, found 'secs'.",
			"7 SYN020 This mapping needs a target path.",
		},
		"lift_broken.hsplus": {
			"6 SYN013 Indented bodies are not supported; use '{ }'.",
		},
	}
	for name, lines := range want {
		raw, err := os.ReadFile(filepath.Join("testdata", "spec", name))
		if err != nil {
			t.Fatal(err)
		}
		f, found := parseText(name, string(raw))
		checkTree(t, f, found)
		var got []string
		for _, d := range found {
			got = append(got, fmt.Sprintf("%d %s %s", d.Line, d.Code, d.Message))
		}
		if !slices.Equal(got, lines) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, lines)
		}
	}
}
