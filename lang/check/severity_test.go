package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
)

// stricter are the codes that weigh more in .hsplus: a mismatch with a type that the
// file itself declares. docs/language.md lists them.
var stricter = map[diag.Code]bool{"TYP001": true, "TYP002": true, "TYP003": true, "TYP009": true, "TYP010": true}

// TestFormatsJudgeAlike: what is a warning in .holo and .hs is no error in .hsplus, for
// every code that the checker gives, but for those of stricter.
func TestFormatsJudgeAlike(t *testing.T) {
	t.Parallel()
	// IMP003 is of a cycle that leads through main.hsplus alone.
	differs := map[diag.Code]bool{}
	for _, c := range diagnosed {
		text := strings.NewReplacer("»", "", "«", "").Replace(c.text)
		at := map[string]map[string]diag.Severity{}
		for _, format := range []string{"holo", "hs", "hsplus"} {
			at[format] = map[string]diag.Severity{}
			for _, d := range inProject(t, "main."+format, text).Diagnostics {
				at[format][fmt.Sprint(d.Code, " ", d.Offset)] = d.Severity
			}
		}
		for place, severity := range at["hsplus"] {
			code, _, _ := strings.Cut(place, " ")
			for _, other := range []string{"holo", "hs"} {
				was, there := at[other][place]
				if severity != diag.Error || code == "IMP003" || there && was == diag.Error {
					continue
				}
				differs[diag.Code(code)] = true
				if !stricter[diag.Code(code)] {
					t.Errorf("%q: %s is an error in .hsplus, in .%s it is there: %v, %v", text, place, other, there, was)
				}
			}
		}
	}
	for code := range stricter {
		if !differs[code] {
			t.Errorf("no text shows that %s weighs more in .hsplus", code)
		}
	}
}

// TestTypesOfOtherFiles: a mismatch with what another file declares is a warning in
// .hsplus too.
func TestTypesOfOtherFiles(t *testing.T) {
	t.Parallel()
	files := module.Memory{"shapes.hsplus": []byte("export type P = { x: number, y: number }\nexport enum Mood { calm busy }\n" +
		"export struct T { from: number }\nexport function half(n: number): number { return n / 2 }\n")}
	for _, row := range []struct{ text, code string }{
		{"let p: P = { x: 1 }", "TYP010"},
		{"let p: P = { x: \"a\", y: 2 }", "TYP001"},
		{"let p: P = 3", "TYP001"},
		{"let l: P[] = 3", "TYP001"},
		{"let p: P | null = 3", "TYP001"},
		{"type Own = P\nlet p: Own = 3", "TYP001"},
		{"let m: Mood = \"clam\"", "TYP001"},
		{"let t: T = 4", "TYP001"},
		{"let n = half(\"a\")", "TYP002"},
		{"let n = half(1, 2)", "TYP002"},
		{"function f(): P { return 3 }\nexport { f }", "TYP003"},
	} {
		text := "import { P, Mood, T, half } from \"./shapes\"\n" + row.text + "\n"
		files["main.hsplus"] = []byte(text)
		p, _, err := module.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		f, said := parse.File("main.hsplus", []byte(text), ast.HSPlus)
		found := run(f, said, Options{Project: p}).Diagnostics
		there := false
		for _, d := range found {
			there = there || string(d.Code) == row.code && d.Severity == diag.Warning
			if d.Severity == diag.Error {
				t.Errorf("%s: %v", row.text, d)
			}
		}
		if !there {
			t.Errorf("%s: no %s: %v", row.text, row.code, found)
		}
		// The same, declared here.
		own := strings.ReplaceAll(string(files["shapes.hsplus"]), "export ", "") + row.text + "\n"
		f, said = parse.File("main.hsplus", []byte(own), ast.HSPlus)
		if found := run(f, said, Options{}).Diagnostics; !errorOf(found, row.code) {
			t.Errorf("%s: declared here it is no error: %v", row.text, found)
		}
	}
}

func errorOf(found []diag.Diagnostic, code string) bool {
	for _, d := range found {
		if string(d.Code) == code && d.Severity == diag.Error {
			return true
		}
	}
	return false
}
