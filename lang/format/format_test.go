package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
)

func hasErrors(found []diag.Diagnostic) bool {
	for _, d := range found {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}

// sources are the files below the examples and the tests of the parser.
func sources(tb testing.TB) map[string]string {
	tb.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"../../examples/*", "../parse/testdata/spec/*", "testdata/*.holo", "testdata/*.hs", "testdata/*.hsplus"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range files {
			if _, ok := ast.FormatOf(f); !ok {
				continue
			}
			raw, err := os.ReadFile(f)
			if err != nil {
				tb.Fatal(err)
			}
			out[f] = string(raw)
		}
	}
	archive, err := txtar.ParseFile("../parse/testdata/tolerance.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range archive.Files {
		out[f.Name+".holo"] = string(f.Data)
	}
	if len(out) < 150 {
		tb.Fatalf("only %d sources", len(out))
	}
	return out
}

// check verifies the promises of formatting.
func check(tb testing.TB, path, text string) string {
	tb.Helper()
	format, ok := ast.FormatOf(path)
	if !ok {
		format = ast.Holo
	}
	f, found := parse.File(path, []byte(text), format)
	out := File(f)
	g, after := parse.File(path, []byte(out), format)
	if !ast.Equal(f, g) {
		tb.Fatalf("the meaning changed\n--- before\n%s\n--- after\n%s", text, out)
	}
	if hasErrors(found) != hasErrors(after) && utf8.ValidString(text) { // what is printed always is
		tb.Fatalf("errors before %v, after %v\n--- before\n%s\n--- after\n%s", found, after, text, out)
	}
	if again := File(g); again != out {
		tb.Fatalf("not idempotent\n--- text\n%s\n--- once\n%s\n--- twice\n%s", text, out, again)
	}
	return out
}

func TestFormattingKeepsMeaningAndIsIdempotent(t *testing.T) {
	t.Parallel()
	for path, text := range sources(t) {
		out := check(t, path, text)
		f, found := parse.File(path, []byte(text), ast.Holo)
		if !hasErrors(found) && render(f, nil) != out {
			t.Errorf("%s needed the second way", path)
		}
		for i, l := range strings.Split(out, "\n") {
			if strings.TrimRight(l, " \t") != l && !strings.Contains(path, "broken") {
				t.Errorf("%s:%d: white space at the end", path, i+1)
			}
		}
	}
}

// The examples are in canonical form, but for those that show other forms.
func TestExamplesAreFormatted(t *testing.T) {
	t.Parallel()
	for path, text := range sources(t) {
		free := strings.Contains(path, "/habits.") || strings.Contains(path, "utf16")
		if strings.Contains(path, "examples") && !free && check(t, path, text) != text {
			t.Errorf("%s is not in canonical form", path)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, text := range sources(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 1<<14 {
			check(t, "main.holo", string(raw))
		}
	})
}

// Texts made of parts of sound ones: where one parses, it is formatted without
// the second way; where it does not, around the damage.
func TestMutationsAreFormatted(t *testing.T) {
	t.Parallel()
	second, all := 0, 0
	for path, text := range sources(t) {
		f, _ := parse.File(path, []byte(text), ast.Holo)
		toks := f.Stream.Tokens
		if len(toks) > 250 {
			continue
		}
		for i, tok := range toks[:len(toks)-1] {
			other := f.Stream.Text((i*7 + 3) % (len(toks) - 1))
			for _, mutated := range []string{
				text[:tok.Start] + text[tok.End:],
				text[:tok.End] + " " + text[tok.Start:],
				text[:tok.Start] + other + text[tok.End:],
				text[:tok.Start] + "/* c */ " + text[tok.Start:],
				text[:tok.Start] + "// c\n" + text[tok.Start:],
				text[:tok.Start] + "\n" + text[tok.Start:],
			} {
				all++
				out := check(t, path, mutated)
				g, found := parse.File(path, []byte(mutated), ast.Holo)
				if !hasErrors(found) && render(g, nil) != out {
					second++
					if testing.Verbose() {
						t.Logf("second way:\n%s", mutated)
					}
				}
			}
		}
	}
	if second*1000 > all { // a colour that starts a line would be a directive, and the like
		t.Errorf("%d of %d texts needed the second way", second, all)
	}
}
