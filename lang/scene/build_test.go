package scene_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
)

var update = flag.Bool("update", false, "write the golden files anew")

// build makes the scene of a source in .holo.
func build(t testing.TB, source string) (*scene.Scene, []diag.Diagnostic) {
	t.Helper()
	f, found := parse.File("main.holo", []byte(source), ast.Holo)
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Fatal(d)
		}
	}
	return scene.Build(f, nil, scene.Options{})
}

// The scenes of the examples are as they were read in review.
func TestGoldenScenes(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples:", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			format, _ := ast.FormatOf(file)
			f, _ := parse.File(name, raw, format)
			s, _ := scene.Build(f, nil, scene.Options{Compiler: "0.0.0"})
			doc, err := s.Encode()
			if err != nil {
				t.Fatal(err)
			}
			again, _ := scene.Build(f, nil, scene.Options{Compiler: "0.0.0"})
			if doc2, _ := again.Encode(); !bytes.Equal(doc, doc2) {
				t.Error("two builds differ")
			}
			read, err := scene.Read(doc)
			if err != nil {
				t.Fatal(err)
			}
			if doc3, _ := read.Encode(); !bytes.Equal(doc, doc3) {
				t.Errorf("reading and writing changes the document:\n%s\n%s", doc, doc3)
			}
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, doc, "", " "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
			golden := filepath.Join("testdata", "golden", strings.ReplaceAll(name, ".", "_")+".json")
			if *update {
				if err := os.WriteFile(golden, pretty.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, pretty.Bytes()) {
				t.Errorf("scene differs from %s; look at it and run with -update", golden)
			}
		})
	}
}
