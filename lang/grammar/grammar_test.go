package grammar

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

var update = flag.Bool("update", false, "write the files of editors/")

func TestFilesAreGenerated(t *testing.T) {
	for name, want := range map[string][]byte{"meshd.tmLanguage.json": TextMate(), "codemirror.json": CodeMirror()} {
		path := filepath.Join("../../editors", name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the tables say; run go test ./lang/grammar -update (%v)", path, err)
		}
		if !json.Valid(got) {
			t.Errorf("%s is no JSON", path)
		}
	}
}

// samples are sources that parse without an error.
func samples(t *testing.T) map[string]string {
	out := map[string]string{}
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples")
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(raw)
	}
	archive, err := txtar.ParseFile("../parse/testdata/tolerance.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		out[f.Name+".holo"] = string(f.Data)
	}
	return out
}

// classOf is what the grammar must say of a token of the lexer, by its form.
func classOf(k token.Kind) []Class {
	switch k {
	case token.String:
		return []Class{String, Escape, Key}
	case token.Template, token.TemplateHead, token.TemplateMiddle, token.TemplateTail:
		return []Class{String, Escape, Bracket}
	case token.Number:
		return []Class{Number, Key}
	case token.Trait:
		return []Class{Trait}
	case token.Colour:
		return []Class{Colour}
	case token.StateRef:
		return []Class{State}
	case token.Directive:
		return []Class{Directive}
	case token.LBrace, token.RBrace, token.LBracket, token.RBracket, token.LParen, token.RParen:
		return []Class{Bracket}
	}
	return nil
}

// The grammar sees the tokens that the lexer sees: strings, numbers, colours,
// traits, comments and brackets, byte for byte.
func TestGrammarAgreesWithTheLexer(t *testing.T) {
	t.Parallel()
	seen := map[token.Kind]int{}
	for name, text := range samples(t) {
		if strings.ContainsAny(text, "\r\uFEFF") || !strings.HasPrefix(name, "T") && strings.Contains(text, "#!") {
			continue
		}
		f, _ := parse.File(name, []byte(text), ast.Holo)
		painted := Paint(text)
		for _, c := range f.Stream.Comments {
			for i := c.Start; i < c.End; i++ {
				if painted[i] != Comment {
					t.Fatalf("%s: comment %q is %q at %d", name, text[c.Start:c.End], painted[i], i)
				}
			}
		}
		for _, k := range f.Stream.Tokens {
			want := classOf(k.Kind)
			for i := k.Start; want != nil && i < k.End; i++ {
				ok := false
				for _, w := range want {
					ok = ok || painted[i] == w
				}
				if !ok {
					t.Errorf("%s: %q is %q, want %v\n%s", name, text[k.Start:k.End], painted[i], want, text)
					break
				}
			}
			seen[k.Kind]++
		}
	}
	for _, k := range []token.Kind{token.String, token.Template, token.TemplateHead, token.Number, token.Trait, token.Colour, token.StateRef, token.Directive} {
		if seen[k] == 0 {
			t.Errorf("no token of kind %d", k)
		}
	}
}

// Statements and blocks that the parser finds begin with a keyword or a kind.
func TestGrammarAgreesWithTheParser(t *testing.T) {
	t.Parallel()
	statements, keys := 0, 0
	for name, text := range samples(t) {
		if strings.ContainsAny(text, "\r\uFEFF") {
			continue
		}
		f, _ := parse.File(name, []byte(text), ast.Holo)
		painted := Paint(text)
		ast.Walk(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.If, *ast.For, *ast.ForIn, *ast.While, *ast.DoWhile, *ast.Switch, *ast.Try, *ast.Return, *ast.Throw, *ast.Break, *ast.Continue:
				at := n.Span().Start
				if c := painted[at]; c != Keyword && text[at] != '@' && text[at] != '(' && f.Stream.Source.Text[at:at+1] != "#" {
					if w := firstWord(text[at:]); token.LookupWord(w).Has(token.Statement) {
						t.Errorf("%s: %q is %q", name, text[at:min(int(n.Span().End), int(at)+20)], c)
					}
				}
				statements++
			case *ast.Key:
				if n.Computed == nil && isWordByte(text[n.At.Start]) && (text[n.At.Start] < '0' || text[n.At.Start] > '9') && strings.IndexByte(text[n.At.Start:], ':') == int(n.At.End-n.At.Start) {
					keys++
					if c := painted[n.At.Start]; c != Key {
						t.Errorf("%s: the key %q is %q", name, text[n.At.Start:n.At.End], c)
					}
				}
			}
			return true
		})
	}
	if statements < 30 || keys < 200 {
		t.Errorf("only %d statements and %d keys", statements, keys)
	}
}

var word = regexp.MustCompile(`^[A-Za-z_]+`)

func firstWord(text string) string { return word.FindString(text) }

// Every word and every operator of the language has a rule.
func TestEveryWordIsInTheGrammar(t *testing.T) {
	t.Parallel()
	for _, w := range token.Words {
		if w.Role == 0 || w.Role == token.Member || w.Role == token.BodyKind || w.Role == token.Member|token.BodyKind {
			continue // a kind or a plain word, by what follows
		}
		painted := Paint(" " + w.Text + " {")
		if c := painted[1]; c != Keyword && c != Declare && c != Word && c != Literal && c != Kind {
			t.Errorf("%s is %q", w.Text, c)
		}
	}
	for _, o := range token.Operators {
		painted := Paint("a " + o.Text + " b")
		if c := painted[2]; c != Operator && c != Bracket && !strings.HasPrefix(o.Text, "#") {
			t.Errorf("%s is %q", o.Text, c)
		}
	}
}

func FuzzPaint(f *testing.F) {
	f.Add("object \"A\" @t(x: `a${b}`) { /* */ #fff }")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 5000 && len(Paint(text)) != len(text) {
			t.Error("a byte has no class")
		}
	})
}
