package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/token"
)

// What authors write that targets must escape, round or leave out.
var (
	strangeTexts = []string{
		``, ` `, `"`, `'`, "`", `\`, `\\"`, `</script><script>alert(1)</script>`, `<!--`, `-->`, `]]>`, `&amp;&lt;`, `${1 + 1}`, `{{x}}`, `#{x}`, `%s%n`, `*/`, `/*`, `//`, `--`, `"""`, `'''`, `@"x"`, `$"{x}"`,
		`a/b`, `../../x`, `C:\x`, `null`, `true`, `0`, `-1`, `class`, `self`, `func`, `def`, `end`, `Main`, `scene`, `root`, `e\u0301`, `😀`, "\u202eabc", "\u0000", "\u2028", "tab\there", "two\nlines", `x: y`, `- x`, `? x`, `!x`, `=1+1`,
		`über`, `日本語`, strings.Repeat("long ", 200), `1e999`, `@x`, `#x`, `$x`, `a.b`, `a b`, `A`, `a`,
	}
	strangeNumbers = []string{"0", "-0", "1", "-1", "0.000000001", "1e-30", "1000000", "1e12", "-1e12", "1e30", "0.1", "3.3333333333333333", "90", "360", "721", "255", "65536", "2147483648", "9007199254740993"}
)

// outward are the targets whose tools do what a source says: an address that a
// change made wrong is no fault of the artefact.
var outward = []string{"pipeline-node", "pipeline-python", "kubernetes", "github-actions", "node-service"}

// hostileSources writes n sources that are examples with a few changes each, below
// dir: other texts, numbers and words, lines left out, doubled or moved. All of
// them parse and check without an error, and the same seed gives the same ones.
func hostileSources(dir string, examples []string, n int, seed uint64) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, seed))
	var out []string
	for tries := 0; len(out) < n && tries < 400*n; tries++ {
		example := examples[r.IntN(len(examples))]
		raw, err := os.ReadFile(example)
		if err != nil {
			return nil, err
		}
		format, _ := ast.FormatOf(example)
		text := string(raw)
		for range 1 + r.IntN(8) {
			if changed := change(r, text, format); makesScene(changed, format) {
				text = changed
			}
		}
		if text == string(raw) || !makesScene(text, format) { // what it imports is not here
			continue
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d_%s", len(out), filepath.Base(example)))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	if len(out) < n {
		return nil, fmt.Errorf("only %d of %d sources could be changed", len(out), n)
	}
	return out, nil
}

// makesScene says whether a source by itself makes a scene without an error.
func makesScene(text string, format ast.Format) bool {
	_, err := target.Compile(target.Load(nil, "main.holo", []byte(text), format), target.Request{Target: "scene-json"})
	return err == nil
}

// change makes one change.
func change(r *rand.Rand, text string, format ast.Format) string {
	f, _ := parse.File("main.holo", []byte(text), format)
	toks := f.Stream.Tokens
	if len(toks) < 3 {
		return text
	}
	for range 50 {
		t := toks[r.IntN(len(toks))]
		start, end := int(t.Start), int(t.End)
		if strings.Contains(lineAt(text, start), "targets:") {
			continue
		}
		put := func(with string) string { return text[:start] + with + text[end:] }
		switch t.Kind {
		case token.String:
			return put(quoted(strangeTexts[r.IntN(len(strangeTexts))]))
		case token.Number:
			unit := strings.TrimLeft(text[start:end], "0123456789.eE+-_xX")
			return put(strangeNumbers[r.IntN(len(strangeNumbers))] + unit)
		case token.Ident:
			switch r.IntN(3) {
			case 0: // a word for another of the text
				if u := toks[r.IntN(len(toks))]; u.Kind == token.Ident {
					return put(text[u.Start:u.End])
				}
			case 1: // a line twice, or left out
				line := lineAt(text, start)
				return strings.Replace(text, line, strings.Repeat(line, 2*r.IntN(2)), 1)
			case 2: // a line at the place of another
				a, b := lineAt(text, start), lineAt(text, int(toks[r.IntN(len(toks))].Start))
				return strings.Replace(text, b, b+a, 1)
			}
		}
	}
	return text
}

// lineAt is the line at an offset with its end.
func lineAt(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return text[start:]
	}
	return text[start : at+end+1]
}

// quoted is a text as the language writes it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x2028 || c == 0x202e:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
