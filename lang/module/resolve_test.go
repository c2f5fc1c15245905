package module

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/diag"
)

var tree = Memory{
	"project.json":          []byte(`{"modules": {"kit": "vendor/kit-2", "far": "deep/er"}, "other": 1}`),
	"main.holo":             nil,
	"num.hsplus":            nil,
	"num.holo":              nil,
	"sub/a.hs":              nil,
	"sub/index.holo":        nil,
	"sub/index.hsplus":      nil,
	"vendor/kit-2/x.hsplus": nil,
	"vendor/kit-2/index.hs": nil,
	"modules/plain.holo":    nil,
	"modules/box/lid.hs":    nil,
	"data/list.json":        nil,
	"img/Photo.png":         nil,
	"Caps/Note.hsplus":      nil,
}

func TestResolve(t *testing.T) {
	t.Parallel()
	p, found, err := Open(tree)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	for _, c := range []struct {
		from, spec, path string
		code             diag.Code
		suggestion       string
	}{
		{"main.holo", "./num", "num.hsplus", "", ""},
		{"main.holo", "./num.holo", "num.holo", "", ""},
		{"main.holo", "./sub", "sub/index.hsplus", "", ""},
		{"main.holo", "./sub/a", "sub/a.hs", "", ""},
		{"sub/a.hs", "../num", "num.hsplus", "", ""},
		{"sub/a.hs", ".././num", "num.hsplus", "", ""},
		{"sub/a.hs", "/num", "num.hsplus", "", ""},
		{"sub/a.hs", "@/sub/a", "sub/a.hs", "", ""},
		{"main.holo", "kit", "vendor/kit-2/index.hs", "", ""},
		{"main.holo", "kit/x", "vendor/kit-2/x.hsplus", "", ""},
		{"main.holo", "plain", "modules/plain.holo", "", ""},
		{"main.holo", "box/lid", "modules/box/lid.hs", "", ""},
		{"main.holo", "./data/list.json", "data/list.json", "", ""},
		{"main.holo", "./img/Photo.png", "img/Photo.png", "", ""},

		{"main.holo", "./nmu", "", "IMP001", "./num"},
		{"main.holo", "./sub/b", "", "IMP001", "./sub/a"},
		{"main.holo", "kit/y", "", "IMP001", "kit/x"},
		{"main.holo", "nowhere", "", "IMP001", ""},
		{"main.holo", "std/math", "", "IMP001", ""},
		{"main.holo", "./img/photo.png", "", "IMP006", "./img/Photo.png"},
		{"main.holo", "./caps/note", "", "IMP006", "./Caps/Note"},
		{"main.holo", "./none.glb", "", "IMP008", ""},
		{"main.holo", "../num", "", "IMP004", ""},
		{"sub/a.hs", "../../num", "", "IMP004", ""},
		{"main.holo", "kit/../../../num", "", "IMP004", ""},
		{"main.holo", "/../num", "", "IMP004", ""},
		{"main.holo", "//host/num", "", "IMP005", ""},
		{"main.holo", "/./../num", "", "IMP004", ""},
		{"main.holo", ".\\num", "", "IMP004", ""},
		{"main.holo", "./num\x00.holo", "", "IMP004", ""},
		{"main.holo", "C:/num", "", "IMP004", ""},
		{"main.holo", "c:num", "", "IMP004", ""},
		{"main.holo", "https://example.org/a.holo", "", "IMP005", ""},
		{"main.holo", "file:///etc/passwd", "", "IMP005", ""},
		{"main.holo", "data:text/plain,x", "", "IMP005", ""},
		{"main.holo", strings.Repeat("a", MaxSpec+1), "", "IMP004", ""},
		{"main.holo", "", "", "IMP001", ""},
		{"main.holo", "./", "", "IMP001", ""},
	} {
		path, _, problem := p.Resolve(c.from, c.spec)
		switch {
		case c.code == "" && (problem != nil || path != c.path):
			t.Errorf("%s from %s: %q %+v, want %s", c.spec, c.from, path, problem, c.path)
		case c.code != "" && (problem == nil || problem.Code != c.code || problem.Suggestion != c.suggestion):
			t.Errorf("%.40q from %s: %q %+v, want %s %s", c.spec, c.from, path, problem, c.code, c.suggestion)
		}
	}
}

// A suggestion leads to a file.
func TestSuggestionsResolve(t *testing.T) {
	t.Parallel()
	p, _, err := Open(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"./nmu", "./nmu.hsplus", "./sub/b", "kit/y", "@/nmu", "/nmu", "./caps/note.hsplus", "./CAPS/NOTE", "./Sub", "box/ild", "modules/plian"} {
		_, _, problem := p.Resolve("main.holo", spec)
		if problem == nil {
			t.Errorf("%s resolves", spec)
			continue
		}
		if problem.Suggestion == "" {
			continue
		}
		if _, _, again := p.Resolve("main.holo", problem.Suggestion); again != nil {
			t.Errorf("%s: the suggestion %s leads nowhere: %+v", spec, problem.Suggestion, again)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"modules": {"a": "../out"}}`: "leaves the project folder",
		`{"modules": {"a": "/abs"}}`:   "leaves the project folder",
		`{"modules": ["a"]}`:           "read project.json",
		`{`:                            "read project.json",
		strings.Repeat(" ", MaxSettings+1) + "{}": "larger than",
	} {
		if _, _, err := Open(Memory{"project.json": []byte(text)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	p, found, err := Open(Memory{
		"traits/a.json": []byte(`{"schema":"trait-catalogue/1","traits":[{"name":"ours","kind":"trait","category":"physics","summary":"x","params":[],"requires":[],"conflicts":[],"goals":{}}]}`),
		"traits/b.json": []byte(`{"schema":"other"}`), "traits/readme.md": []byte("x"),
	})
	if err != nil || len(found) != 1 || found[0].File != "traits/b.json" || found[0].Code != "TRT010" {
		t.Errorf("%v %v", found, err)
	}
	if _, ok := p.Registry().Lookup("ours"); !ok {
		t.Error("the project's trait is not there")
	}
}

func TestReadAndForget(t *testing.T) {
	t.Parallel()
	texts := map[string][]byte{}
	p, _, err := Open(Memory{"a.holo": []byte("object a { }")})
	if err != nil {
		t.Fatal(err)
	}
	p = p.Over(texts)
	f, err := p.Read("a.holo")
	if again, _ := p.Read("a.holo"); err != nil || again != f || len(f.Tree.Items()) != 1 {
		t.Fatal(f, err)
	}
	texts["a.holo"] = []byte("object a { }\nobject b { }")
	p.Forget("a.holo")
	if f, err = p.Read("a.holo"); err != nil || len(f.Tree.Items()) != 2 {
		t.Errorf("%v %v", f, err)
	}
	for _, bad := range []string{"none.holo", "../a.holo", "/a.holo"} {
		if _, err := p.Read(bad); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	if _, err := p.Read("none.holo"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// A rooted file system keeps symbolic links below the root; the module system adds
// the same for names.
func TestLinksStayInside(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(out, "secret.holo"), "object a { }")
	write(filepath.Join(dir, "real.holo"), "object a { }")
	for link, target := range map[string]string{"out.holo": filepath.Join(out, "secret.holo"), "in.holo": "real.holo"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p, _, err := Open(root.FS())
	if err != nil {
		t.Fatal(err)
	}
	if path, _, problem := p.Resolve("main.holo", "./in"); problem != nil || path != "in.holo" {
		t.Errorf("%s %+v", path, problem)
	}
	if path, _, problem := p.Resolve("main.holo", "./out"); problem == nil || problem.Code != "IMP001" {
		t.Errorf("%s %+v", path, problem)
	}
}

func FuzzResolve(f *testing.F) {
	for _, spec := range []string{"./num", "../x", "@/a", "kit/x", "C:x", "http://x", "a/../..", "./caps/note"} {
		f.Add("sub/a.hs", spec)
	}
	p, _, err := Open(tree)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, from, spec string) {
		if !fs.ValidPath(from) {
			return
		}
		path, _, problem := p.Resolve(from, spec)
		if problem == nil {
			if _, ok := tree[path]; !ok {
				t.Errorf("%q from %q is %q", spec, from, path)
			}
		}
	})
}
