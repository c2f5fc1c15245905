package target_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// sourcesBelow are the sources of folders, by path.
func sourcesBelow(t *testing.T, folders ...string) []string {
	t.Helper()
	var out []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if _, ok := ast.FormatOf(path); ok && err == nil && !d.IsDir() {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) == 0 {
		t.Fatal("no sources")
	}
	return out
}

func load(t *testing.T, path string) target.Source {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	format, _ := ast.FormatOf(path)
	return target.Load(os.DirFS(filepath.Dir(path)), filepath.Base(path), text, format)
}

// TestJudgedAlike: a compile reports what Judge does, and besides it only what is of its
// target; so does a picture. Each finding stands once, in the order of the text.
func TestJudgedAlike(t *testing.T) {
	t.Parallel()
	for _, path := range sourcesBelow(t, "../../examples", "../conserve/testdata/blind") {
		src := load(t, path)
		found, err := target.Judge(src, scene.Limits{}, nil)
		if err != nil {
			t.Fatal(path, err)
		}
		seen, last := map[string]bool{}, 0
		for _, d := range found {
			if key := d.String(); seen[key] {
				t.Errorf("%s twice", key)
			} else {
				seen[key] = true
			}
			if d.File == src.Main.Path() {
				if d.Offset < last {
					t.Errorf("%v stands behind what comes later", d)
				}
				last = d.Offset
			}
		}
		drawn := found
		if _, shown, err := target.Scene(src, scene.Limits{}, nil); err == nil {
			drawn = shown
		}
		compiled := drawn
		r, err := target.Compile(src, target.Request{Target: "html"})
		var bad *target.SourceError
		switch {
		case errors.As(err, &bad):
			compiled = bad.All
		case err != nil:
			t.Fatal(path, err)
		default:
			compiled = r.Diagnostics
		}
		compiled = slices.DeleteFunc(slices.Clone(compiled), func(d diag.Diagnostic) bool { return strings.HasPrefix(string(d.Code), "TGT") })
		for what, list := range map[string][]diag.Diagnostic{"a picture": drawn, "html": compiled} {
			if !slices.EqualFunc(found, list, func(a, b diag.Diagnostic) bool { return a.String() == b.String() && a.EndOffset == b.EndOffset }) {
				t.Errorf("%s: Judge and %s differ:\n%v\n%v", path, what, found, list)
			}
		}
	}
}

// TestJudgeEnds: too large a source is LIM007, an error of step is returned, and a source
// that does not parse has the parser's findings.
func TestJudgeEnds(t *testing.T) {
	t.Parallel()
	of := func(text string) target.Source { return target.Load(nil, "main.holo", []byte(text), ast.Holo) }
	found, err := target.Judge(of(`object "a" { x: [1, 2, 3, 4] }`), scene.Limits{Work: 5}, nil)
	if err != nil || !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == "LIM007" && d.Severity == diag.Error }) {
		t.Errorf("%v %v", found, err)
	}
	stop := errors.New("enough")
	if _, err := target.Judge(of(`object "a" { }`), scene.Limits{}, func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	found, err = target.Judge(of("object \"a\" { x: \n zzzzz: 3 }\n"), scene.Limits{}, nil)
	if err != nil || len(found) == 0 || found[0].Code != "SYN008" || slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == "BLK002" }) {
		t.Errorf("%v %v", found, err)
	}
	many := strings.Repeat("object \"a\" { shine: 3 }\n", 3000)
	if found, err = target.Judge(of(many), scene.Limits{}, nil); err != nil || len(found) > diag.MaxNotes+diag.MaxErrors {
		t.Errorf("%d findings, %v", len(found), err)
	}
}

// TestWhatParsesHasATree: a file that parses compiles to json-ast and to source, with the
// options as they are, whatever is wrong with what it means.
func TestWhatParsesHasATree(t *testing.T) {
	t.Parallel()
	wrong := 0
	check := func(name string, src target.Source) {
		unreadable := slices.ContainsFunc(src.Found, func(d diag.Diagnostic) bool {
			return d.Severity == diag.Error && strings.HasPrefix(string(d.Code), "SYN") && d.File == src.Main.Path()
		})
		if slices.ContainsFunc(src.Found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) && !unreadable {
			wrong++
		}
		for _, id := range []string{"json-ast", "source"} {
			r, err := target.Compile(src, target.Request{Target: id})
			var bad *target.SourceError
			switch {
			case unreadable != errors.As(err, &bad):
				t.Errorf("%s to %s: %v", name, id, err)
			case !unreadable && (len(r.Files) != 1 || len(r.Files[0].Data) == 0 && len(src.Main.Text()) > 0):
				t.Errorf("%s to %s: nothing is written", name, id)
			}
		}
	}
	for _, path := range sourcesBelow(t, "../../examples", "../conserve/testdata", "../format/testdata", "../parse/testdata", "../run/testdata", "../scene/testdata", "testdata") {
		src := load(t, path)
		check(path, src)
		// The same, with a type that does not fit and a template that is not there.
		text := strings.TrimRight(src.Main.Text(), "\r\n") + "\nobject \"of no template\" using \"NoTemplateOfThisName\" { }\n"
		check(path+" and an error", target.Load(nil, "main.hsplus", []byte(text), ast.HSPlus))
	}
	for _, text := range []string{
		"let a: number = \"x\"\n", "import { x } from \"./nowhere\"\nlet b = x\n", "template \"A\" using \"A\" { }\nobject \"b\" using \"A\" { }\n",
		"@for i in 0..3000000 { object \"a\" { } }\n", "",
	} {
		check(text, target.Load(nil, "main.hsplus", []byte(text), ast.HSPlus))
	}
	if wrong < 10 {
		t.Errorf("only %d of the sources have an error of meaning", wrong)
	}
}
