package conserve

import (
	"bytes"
	"flag"
	"fmt"
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

var update = flag.Bool("update", false, "write testdata/silent.txt anew")

const (
	examples   = "../../examples"
	silentFile = "testdata/silent.txt"
)

// a source of the gate.
type source struct {
	name string // as silent.txt has it
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

// TestNothingIsSilent changes each literal of every example and of the corpora. What is
// silent today stands in testdata/silent.txt, which may only become shorter.
func TestNothingIsSilent(t *testing.T) {
	var mu sync.Mutex
	got := map[string]int{}
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
					c = &tally{keys: map[string]int{}}
					folders[folder] = c
				}
				c.files++
				if r.Unreadable != "" {
					got[s.name+" does-not-parse"] = 1
					t.Log(r.Unreadable)
					return
				}
				for _, l := range r.Literals {
					c.results[l.Result]++
					if l.Result == Silent {
						c.keys[l.Key]++
						got[s.name+" "+l.Key]++
						t.Logf("%s:%d:%d: %s %s is silent, and so is %s", s.name, l.Line, l.Column, l.Key, l.Text, l.Replacement)
					}
				}
			})
		}
	})
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		c := folders[folder]
		t.Logf("%s: %d files, literals changed %d, reported %d, clamped %d, silent %d", folder, c.files, c.results[Changed], c.results[Reported], c.results[Clamped], c.results[Silent])
		keys := slices.SortedFunc(maps.Keys(c.keys), func(a, b string) int {
			if c.keys[a] != c.keys[b] {
				return c.keys[b] - c.keys[a]
			}
			return strings.Compare(a, b)
		})
		for _, k := range keys {
			t.Logf("%6d %s", c.keys[k], k)
		}
	}
	if *update {
		var b bytes.Buffer
		b.WriteString("# What is silent today, a line for each file and key: file, key, count. It may only become shorter.\n")
		for _, k := range slices.Sorted(maps.Keys(got)) {
			fmt.Fprintf(&b, "%s %d\n", k, got[k])
		}
		if err := os.WriteFile(silentFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := known(t)
	for _, k := range slices.Sorted(maps.Keys(got)) {
		if got[k] > want[k] {
			t.Errorf("%s: %d are silent, %s has %d", k, got[k], silentFile, want[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if got[k] < want[k] {
			t.Errorf("%s: %d are silent; make it so in %s, which has %d", k, got[k], silentFile, want[k])
		}
	}
}

type tally struct {
	files   int
	results [Silent + 1]int
	keys    map[string]int
}

func known(t *testing.T) map[string]int {
	t.Helper()
	raw, err := os.ReadFile(silentFile)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	last := ""
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		var n int
		if _, err := fmt.Sscanf(line[i+1:], "%d", &n); err != nil || n < 1 {
			t.Fatalf("%s: %q", silentFile, line)
		}
		if line[:i] <= last {
			t.Errorf("%s: %q is not in order", silentFile, line)
		}
		last = line[:i]
		out[line[:i]] = n
	}
	return out
}
