// Package meshd_test proves the shape of the whole tree: which room may know of
// which, and that the core stays pure.
package meshd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/meshd/meshd"

// arrows is the one table of who may import whom, by the first folder of the
// path. A room may always import itself. They point down only: cmd > gateway >
// node > p2p, lang > crdt > identity.
var arrows = map[string][]string{
	"identity":   {},           // the ground
	"lang":       {},           // a leaf that knows nothing of the network
	"crdt":       {"identity"}, // the pure core
	"p2p":        {"crdt", "identity"},
	"node":       {"p2p", "lang", "crdt", "identity"},
	"examples":   {},                                                             // sources as data
	"docs":       {},                                                             // pages as data
	"docs tests": {"docs", "gateway", "node", "p2p", "lang", "crdt", "identity"}, // compare the documents with the code
	"gateway":    {"docs", "examples", "node", "lang", "crdt", "identity"},       // never p2p: the faces see the network through a node
	"cmd":        {"gateway", "node", "p2p", "lang", "crdt", "identity"},
	"scripts":    {"gateway", "node", "p2p", "lang", "crdt", "identity"}, // programs too, for developers
}

// pure says which packages are state machines: no file, socket, clock,
// randomness, logger or goroutine inside.
var pure = []string{"identity", "crdt", "lang"}

// ports are the packages below pure that touch the world, each with its reason.
var ports = map[string]string{
	"identity/vault":           "keeps key files",
	"crdt/log":                 "is the store port",
	"crdt/internal/vectortest": "reads the published vectors for tests",
	"crdt/doc/automerge":       "runs a library in a worker process",
}

// worldly are the imports that a pure package does without.
var worldly = map[string]bool{
	"os": true, "os/exec": true, "os/signal": true, "io/ioutil": true, "syscall": true, "net": true, "net/http": true,
	"math/rand": true, "math/rand/v2": true, "crypto/rand": true, "log": true, "log/slog": true, "sync/atomic": true,
	"runtime": true, "unsafe": true,
}

// ticking are the functions of package time that read or wait for a clock.
var ticking = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true,
	"NewTimer": true, "NewTicker": true,
}

// redaction is what package identity may use of log/slog: it makes no log, it
// keeps secrets out of those of others.
var redaction = map[string]bool{"Value": true, "StringValue": true, "LogValuer": true}

// allowed says whether a package may import another, both relative to the module.
func allowed(from, to string) bool {
	a, b := room(from), room(to)
	return a == b || slices.Contains(arrows[a], b)
}

// allowedInside says whether a package may import another of its own folder.
func allowedInside(from, to string) bool {
	dir := table(from)
	return dir == "" || !below(to, dir) || slices.Contains(wired, from) || slices.Contains(inside[from], to)
}

// table is the folder in whose table a package has its row, "" for none.
func table(pkg string) string {
	for _, dir := range tabled {
		if below(pkg, dir) {
			return dir
		}
	}
	return ""
}

func room(pkg string) string {
	first, _, _ := strings.Cut(pkg, "/")
	return first
}

func isPure(pkg string) bool {
	for port := range ports {
		if below(pkg, port) {
			return false
		}
	}
	return slices.ContainsFunc(pure, func(p string) bool { return below(pkg, p) })
}

func below(pkg, parent string) bool { return pkg == parent || strings.HasPrefix(pkg, parent+"/") }

// imports are the import paths of a file with the name each goes by.
func imports(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it before
		}
		names[p] = path.Base(p)
		if spec.Name != nil {
			names[p] = spec.Name.Name
		}
	}
	return names
}

// faults lists what is wrong with a file of package pkg.
func faults(pkg string, f *ast.File, test bool) []string {
	var out []string
	names := imports(f)
	from := pkg
	if test && pkg == "docs" {
		from = "docs tests"
	}
	for p := range names {
		to, ours := strings.CutPrefix(p, module+"/")
		if ours && (!allowed(from, to) || !test && !allowedInside(pkg, to)) {
			out = append(out, fmt.Sprintf("%s must not import %s", pkg, to))
		}
	}
	if isPure(pkg) && !test {
		out = append(out, impurities(pkg, f, names)...)
	}
	slices.Sort(out)
	return out
}

func impurities(pkg string, f *ast.File, names map[string]string) []string {
	var out []string
	slog := below(pkg, "identity")
	for p := range names {
		if worldly[p] && !(slog && p == "log/slog") {
			out = append(out, fmt.Sprintf("%s is pure and must not import %s", pkg, p))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			out = append(out, pkg+" is pure and must not start a goroutine")
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			if x.Name == names["time"] && ticking[n.Sel.Name] {
				out = append(out, fmt.Sprintf("%s is pure and must not call time.%s", pkg, n.Sel.Name))
			}
			if slog && x.Name == names["log/slog"] && !redaction[n.Sel.Name] {
				out = append(out, fmt.Sprintf("%s may use slog to hide secrets only, not slog.%s", pkg, n.Sel.Name))
			}
		}
		return true
	})
	return out
}

// sources calls visit for every Go file of the module.
func sources(t *testing.T, visit func(pkg, file string, f *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if file != "." && (name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || name[0] == '.' || name[0] == '_' {
			return nil
		}
		f, err := parser.ParseFile(files, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(filepath.Dir(file)), file, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestArrowsPointDown(t *testing.T) {
	t.Parallel()
	seen, used := 0, map[string]bool{}
	sources(t, func(pkg, file string, f *ast.File) {
		if pkg == "." {
			return
		}
		seen++
		for p := range imports(f) {
			if to, ours := strings.CutPrefix(p, module+"/"); ours && !strings.HasSuffix(file, "_test.go") {
				used[pkg+" > "+to] = true
			}
		}
		if _, known := inside[pkg]; !known && table(pkg) != "" && !slices.Contains(wired, pkg) {
			t.Errorf("%s: %s has no row in the table inside", file, pkg)
		}
		if _, known := arrows[room(pkg)]; !known {
			t.Errorf("%s: folder %s has no row in the table of arrows", file, room(pkg))
		}
		for _, fault := range faults(pkg, f, strings.HasSuffix(file, "_test.go")) {
			t.Errorf("%s: %s", file, fault)
		}
	})
	if seen == 0 {
		t.Fatal("found no sources")
	}
	for pkg, row := range inside {
		for _, to := range row {
			if !used[pkg+" > "+to] {
				t.Errorf("the row of %s allows %s, which it does not import; take it out", pkg, to)
			}
		}
	}
}

func TestEveryRoomIsThere(t *testing.T) {
	t.Parallel()
	pkgs := map[string]bool{}
	sources(t, func(pkg, _ string, _ *ast.File) { pkgs[pkg] = true })
	for port := range ports {
		if !pkgs[port] {
			t.Errorf("the table of ports names %s, which is no package", port)
		}
	}
	for _, p := range pure {
		if !slices.ContainsFunc(sorted(pkgs), func(pkg string) bool { return below(pkg, p) }) {
			t.Errorf("there is no package below %s", p)
		}
	}
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// The table has no cycle, so that "down" means something.
func TestTableHasNoCycle(t *testing.T) {
	t.Parallel()
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return slices.ContainsFunc(arrows[from], func(next string) bool { return next == to || reaches(next, to) })
	}
	for r := range arrows {
		if reaches(r, r) {
			t.Errorf("%s reaches itself", r)
		}
	}
	reaches = func(from, to string) bool {
		return slices.ContainsFunc(inside[from], func(next string) bool { return next == to || reaches(next, to) })
	}
	for pkg := range inside {
		if reaches(pkg, pkg) {
			t.Errorf("%s reaches itself", pkg)
		}
	}
}

// What the check above must catch.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	const our = module + "/"
	cases := []struct {
		name, pkg, source string
		test              bool
		want              int
	}{
		{"upwards", "crdt/fold", `import _ "` + our + `node/config"`, false, 1},
		{"upwards in a test", "crdt/fold", `import _ "` + our + `node/config"`, true, 1},
		{"identity knows nobody", "identity/did", `import _ "` + our + `crdt/reason"`, false, 1},
		{"identity knows itself", "identity/keys", `import _ "` + our + `identity/did"`, false, 0},
		{"lang knows nobody", "lang/parse", `import _ "` + our + `identity/did"`, false, 1},
		{"gateway and p2p", "gateway/rest", `import _ "` + our + `p2p/host"`, false, 1},
		{"p2p and gateway", "p2p/host", `import _ "` + our + `gateway/auth"`, false, 1},
		{"p2p and node", "p2p/host", `import _ "` + our + `node/events"`, false, 1},
		{"node and gateway", "node/ingest", `import _ "` + our + `gateway/auth"`, false, 1},
		{"down", "gateway/rest", `import _ "` + our + `crdt/reason"`, false, 0},
		{"down in the gateway", "gateway/rest", `import _ "` + our + `gateway/call"`, false, 0},
		{"up in the gateway", "gateway/call", `import _ "` + our + `gateway/service"`, false, 1},
		{"up in a test of the gateway", "gateway/call", `import _ "` + our + `gateway/service"`, true, 0},
		{"sideways in the gateway", "gateway/scene", `import _ "` + our + `gateway/runtime"`, false, 1},
		{"a room and the wiring", "gateway/team", `import _ "` + our + `gateway/service"`, false, 1},
		{"a verb", "cmd/meshd/guild", `import _ "` + our + `cmd/meshd/session"`, false, 0},
		{"up from a session", "cmd/meshd/session", `import _ "` + our + `cmd/meshd/guild"`, false, 1},
		{"sideways among verbs", "cmd/meshd/guild", `import _ "` + our + `cmd/meshd/bounty"`, false, 1},
		{"a verb imports its program", "cmd/meshd/guild", `import _ "` + our + `cmd/meshd"`, false, 1},
		{"nobody imports a program", "node/ingest", `import _ "` + our + `cmd/meshd"`, false, 1},
		{"up in the node", "node/core", `import _ "` + our + `node/team"`, false, 1},
		{"a part and the node", "node/team", `import _ "` + our + `node"`, false, 1},
		{"a file in the core", "crdt/fold", `import _ "os"`, false, 1},
		{"a file in a test of the core", "crdt/fold", `import _ "os"`, true, 0},
		{"a file in the store", "crdt/log", `import _ "os"`, false, 0},
		{"a file in a package named almost like the store", "crdt/logs", `import _ "os"`, false, 1},
		{"randomness", "crdt/fold", `import _ "math/rand/v2"`, false, 1},
		{"a logger", "crdt/fold", `import "log/slog"; var _ = slog.StringValue("")`, false, 1},
		{"redaction", "identity/keys", `import "log/slog"; var _ = slog.StringValue("")`, false, 0},
		{"logging by identity", "identity/keys", `import "log/slog"; func f() { slog.Info("") }`, false, 1},
		{"a clock", "crdt/fold", `import "time"; var _ = time.Now()`, false, 1},
		{"a clock by another name", "crdt/fold", `import x "time"; var _ = x.Now`, false, 1},
		{"a span of time", "crdt/fold", `import "time"; var _ = time.Second`, false, 0},
		{"a goroutine", "crdt/fold", `func f() { go f() }`, false, 1},
		{"a goroutine of the node", "node/ingest", `func f() { go f() }`, false, 0},
	}
	for _, c := range cases {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; "+c.source, 0)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := faults(c.pkg, f, c.test); len(got) != c.want {
			t.Errorf("%s: %d faults, want %d: %q", c.name, len(got), c.want, got)
		}
	}
}
