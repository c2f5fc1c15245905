package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

// TestHostileSources: a seed always gives the same sources, another gives others,
// and each of them is changed and makes a scene.
func TestHostileSources(t *testing.T) {
	examples, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(examples) == 0 {
		t.Fatal("no examples", err)
	}
	read := func(seed uint64) []byte {
		paths, err := hostileSources(t.TempDir(), examples, 12, seed)
		if err != nil {
			t.Fatal(err)
		}
		var all []byte
		for _, p := range paths {
			raw, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			format, _ := ast.FormatOf(p)
			if !makesScene(string(raw), format) {
				t.Errorf("%s has errors", filepath.Base(p))
			}
			was, err := os.ReadFile(filepath.Join("../../examples", filepath.Base(p)[len("000_"):]))
			if err != nil || bytes.Equal(was, raw) {
				t.Errorf("%s is not changed (%v)", filepath.Base(p), err)
			}
			all = append(all, raw...)
		}
		return all
	}
	one := read(7)
	if !bytes.Equal(one, read(7)) {
		t.Error("a seed gives two lists of sources")
	}
	if bytes.Equal(one, read(8)) {
		t.Error("two seeds give one list of sources")
	}
}
