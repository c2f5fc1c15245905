package conserve

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

const examples = "../../examples"

// a source of the gate.
type source struct {
	name string // with the folder in front
	root fs.FS
	path string // below the root
	text []byte
}

// sources are all of a folder, with a name in front.
func sources(t *testing.T, as, dir string) []source {
	t.Helper()
	var out []source
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if _, ok := ast.FormatOf(p); !ok {
			return nil
		}
		text, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		s := source{path.Join(as, p), root, p, text}
		if top, rest, ok := strings.Cut(p, "/"); ok && as == "examples" { // a project is its own root
			sub, err := fs.Sub(root, top)
			if err != nil {
				return err
			}
			s.root, s.path = sub, rest
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func judged(t *testing.T) []source {
	t.Helper()
	out := sources(t, "examples", examples)
	if len(out) < 60 {
		t.Fatalf("found %d examples", len(out))
	}
	for _, dir := range []string{"corpus", "blind"} {
		at := filepath.Join("testdata", dir)
		if _, err := os.Stat(at); err != nil {
			continue
		}
		out = append(out, sources(t, dir, at)...)
	}
	return out
}

// TestNothingIsSilent changes each literal of every example and of the corpora, and prints
// what is reported by its key.
func TestNothingIsSilent(t *testing.T) {
	var mu sync.Mutex
	folders := map[string]*tally{}
	t.Run("sources", func(t *testing.T) {
		for _, s := range judged(t) {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				r := Source(s.path, s.text, Options{Root: s.root})
				mu.Lock()
				defer mu.Unlock()
				folder, _, _ := strings.Cut(s.name, "/")
				c := folders[folder]
				if c == nil {
					c = &tally{silent: map[string]int{}, reported: map[string]int{}}
					folders[folder] = c
				}
				c.files++
				if r.Unreadable != "" {
					t.Errorf("%s does not parse: %s", s.name, r.Unreadable)
					return
				}
				for _, l := range r.Literals {
					c.results[l.Result]++
					switch l.Result {
					case Reported:
						c.reported[l.Key]++
					case Silent:
						c.silent[l.Key]++
						t.Errorf("%s:%d:%d: %s %s is silent, and so is %s", s.name, l.Line, l.Column, l.Key, l.Text, l.Replacement)
					}
				}
			})
		}
	})
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		c := folders[folder]
		t.Logf("%s: %d files, literals changed %d, reported %d, clamped %d, silent %d", folder, c.files, c.results[Changed], c.results[Reported], c.results[Clamped], c.results[Silent])
		for result, keys := range map[Result]map[string]int{Reported: c.reported, Silent: c.silent} {
			for _, k := range slices.SortedFunc(maps.Keys(keys), func(a, b string) int { return cmp.Or(keys[b]-keys[a], strings.Compare(a, b)) }) {
				t.Logf("%6d %s is %s", keys[k], k, result)
			}
		}
	}
}

type tally struct {
	files            int
	results          [Silent + 1]int
	silent, reported map[string]int // by key
}
