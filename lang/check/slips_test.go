package check

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

// Every fix of every finding in examples with one word misspelt brings no
// syntax error and takes its finding away.
func TestFixesOfSlips(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples")
	}
	judge := func(path, text string, format ast.Format) (*ast.File, []diag.Diagnostic) {
		p, _, err := module.Open(overlayOf(path, text))
		if err != nil {
			t.Fatal(err)
		}
		f, found := parse.File(path, []byte(text), format)
		return f, run(f, found, Options{Project: p}).Diagnostics
	}
	fixes := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Base(file)
		format, _ := ast.FormatOf(path)
		whole, _ := parse.File(path, raw, format)
		text := whole.Text()
		var words []token.Token
		for _, k := range whole.Stream.Tokens {
			if (k.Kind == token.Ident || k.Kind == token.Trait || k.Kind == token.String) && k.End-k.Start >= 6 {
				words = append(words, k)
			}
		}
		apart := 1
		if len(raw) > longest {
			apart = max(1, len(words)*len(raw)/(*slips))
		}
		for i := 0; i < len(words); i += apart {
			k := words[i]
			word := text[k.Start:k.End]
			at := int(k.Start) + len(word)/2
			slip := text[:at] + text[at+1:at+2] + text[at:at+1] + text[at+2:]
			if slip == text {
				continue
			}
			_, before := judge(path, slip, format)
			for _, d := range before {
				for _, fix := range d.Fixes {
					fixes++
					fixed := fix.Apply(path, slip)
					_, after := judge(path, fixed, format)
					if errs := syntaxErrors(after); errs > syntaxErrors(before) {
						t.Errorf("%s with %q: fix %q of %v breaks the syntax:\n%v", path, slip[k.Start:k.End], fix.Title, d, after)
					}
					if count(after, d) >= count(before, d) {
						t.Errorf("%s with %q: fix %q leaves %v", path, slip[k.Start:k.End], fix.Title, d)
					}
				}
			}
		}
	}
	if fixes < 300 {
		t.Errorf("only %d fixes", fixes)
	}
}

func syntaxErrors(found []diag.Diagnostic) (n int) {
	for _, d := range found {
		if d.Severity == diag.Error && d.Code[:3] == "SYN" {
			n++
		}
	}
	return n
}

// longest is the most bytes of an example that a test judges once a token; the
// time of these tests grows with the square of the text. Of a longer one, words
// at equal distances are misspelt, so that so many bytes are judged.
const longest = 3100

var slips = flag.Int("slips", 2_000_000, "bytes to judge of each long example with a word misspelt")

// count is how often a finding is there. Of findings that are reported once, of the
// name that stands first or of the first error of a line, only that place counts:
// the fix may bring out the next.
func count(found []diag.Diagnostic, like diag.Diagnostic) (n int) {
	first := like.Severity == diag.Error || like.Code == "NAM005" || like.Code == "NAM007"
	for _, d := range found {
		if d.Code == like.Code && d.Message == like.Message && (!first || d.Line == like.Line && d.Column == like.Column) {
			n++
		}
	}
	return n
}

// overlayOf is the folder of examples with another text for one of them.
func overlayOf(path, text string) module.Memory {
	out := module.Memory{path: []byte(text)}
	for _, name := range []string{"num.hsplus", "building.hsplus", "frames.hsplus"} {
		if name != path {
			raw, err := os.ReadFile("../../examples/" + name)
			if err == nil {
				out[name] = raw
			}
		}
	}
	return out
}
