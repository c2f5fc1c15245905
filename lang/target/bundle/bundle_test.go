package bundle

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The folder of the sources, and what its build takes beside them.
const viewerFolder = "../html/viewer"

var recipe = []string{"build.mjs", "trim.mjs", "package.json", "package-lock.json", "tsconfig.json"}

func digest(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(raw))
}

// sources is one digest of all that the bundles are built from, as build.mjs makes it.
func sources(t *testing.T) string {
	t.Helper()
	files := slices.Clone(recipe)
	err := fs.WalkDir(os.DirFS(viewerFolder), "src", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	var all strings.Builder
	for _, f := range files {
		fmt.Fprintf(&all, "%s  %s\n", digest(t, filepath.Join(viewerFolder, f)), f)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(all.String())))
}

// TestTheBundlesAreBuiltFromTheirSources needs no Node: the build writes down what
// it was given and what came out of it.
func TestTheBundlesAreBuiltFromTheirSources(t *testing.T) {
	raw, err := os.ReadFile("built.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if len(lines) < 15 {
		t.Fatalf("built.txt has %d lines", len(lines))
	}
	for _, line := range lines {
		sum, file, _ := strings.Cut(line, "  ")
		switch {
		case file == "sources" && sum != sources(t):
			t.Error("the bundles are older than their TypeScript; run make viewer")
		case file != "sources" && sum != digest(t, filepath.Join("..", file)):
			t.Errorf("lang/target/%s is not what was built; run make viewer", file)
		}
	}
}

// maxZipped is what the core may weigh in a page.
const maxZipped = 40_000

func TestTheCoreIsSmallAndMakesNoCode(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(core)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d compressed", len(core), zipped.Len())
	if zipped.Len() > maxZipped || zipped.Len() < 5_000 {
		t.Errorf("%d bytes compressed, at most %d are allowed", zipped.Len(), maxZipped)
	}
	for _, word := range []string{"eval(", "new Function", "import(", "fetch(", "XMLHttpRequest", "innerHTML", "from\"", "</script"} {
		if strings.Contains(core, word) {
			t.Errorf("the core has %s", word)
		}
	}
}

// TestPartsAreJoinedOnce: each part keeps its names to itself and stands before what
// takes them, and a module has only its own imports and exports.
func TestPartsAreJoinedOnce(t *testing.T) {
	for base, parts := range map[Base][]string{Core: {"core"}, Host: {"core", "scene", "host"}, Viewer: {"core", "scene", "viewer"}} {
		script, module := Script(base, "adapter();"), string(Module(base, "export{a};"))
		at := -1
		for _, name := range parts {
			part := "const meshd$" + name + "=(()=>{"
			i := strings.Index(script, part)
			if i <= at || strings.Count(script, part) != 1 || strings.Count(module, part) != 1 {
				t.Errorf("%d: %s stands at %d, %d times", base, name, i, strings.Count(script, part))
			}
			at = i
		}
		if n := strings.Count(script, "const meshd$"); n != len(parts) {
			t.Errorf("%d: %d parts", base, n)
		}
		if !strings.HasPrefix(script, `"use strict";(()=>{const meshd$`) || !strings.HasSuffix(script, "adapter();})();\n") {
			t.Errorf("%d: the script makes globals", base)
		}
		if !strings.HasSuffix(module, "})();\nexport{a};") {
			t.Errorf("%d: the module does not end with its adapter", base)
		}
	}
}
