package scene_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/meshd/meshd/lang/scene"
)

// TestSchema checks schema.json against the types, the golden scenes against the schema,
// and that the schema refuses what is no scene.
func TestSchema(t *testing.T) {
	made, err := scene.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("schema.json")
	if err != nil || !bytes.Equal(kept, made) {
		t.Fatalf("schema.json is not what the types say; run with -update (%v)", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scene.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("scene.json")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	golden, err := filepath.Glob("testdata/golden/*.json")
	if err != nil || len(golden) == 0 {
		t.Fatal("no golden scenes", err)
	}
	for _, file := range golden {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := judge(string(raw)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, bad := range []string{
		`{"v": "scene/2", "environment": {}}`, `{"v": "scene/1"}`, `{"v": "scene/1", "environment": {}, "nodes": [{"id": "n"}]}`,
		`{"v": "scene/1", "environment": {}, "strange": 1}`, `{"v": "scene/1", "environment": {}, "materials": [{"base_color": "red"}]}`,
		`{"v": "scene/1", "environment": {}, "nodes": [{"id": "n", "path": "n", "kind": "object", "parent": -2, "src": [0, 1, 1]}]}`,
	} {
		if judge(bad) == nil {
			t.Errorf("takes %s", bad)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const head = `{"v": "scene/1", "environment": {}, `
	const node = `"id": "n", "path": "n", "kind": "object", "src": [0, 1, 1]`
	for _, bad := range []string{
		``, `[]`, `{"v": "scene/2"}`, `{}`, head + `"nodes": [{` + node + `, "parent": 0}]}`, head + `"nodes": [{` + node + `, "geometry": 0}]}`,
		head + `"nodes": [{` + node + `, "material": 0}]}`, head + `"nodes": [{` + node + `}, {` + node + `}]}`,
		head + `"geometries": [{"kind": "model", "asset": 3}]}`, head + `"geometries": [{"kind": "sphere", "segments": [100000]}]}`,
		head + `"materials": [{"base_color": "#ffffffff", "maps": {"orm": 0}}]}`,
	} {
		if s, err := scene.Read([]byte(bad)); err == nil {
			t.Errorf("%s is read as %+v", bad, s)
		}
	}
	s, err := scene.Read([]byte(head + `"nodes": [{` + node + `}]}`))
	if err != nil || !bool(s.Nodes[0].Visible) || s.Nodes[0].R != scene.Identity || s.Nodes[0].S != (scene.UnitVec{1, 1, 1}) || s.Nodes[0].Parent != -1 {
		t.Errorf("defaults: %v %+v", err, s)
	}
}

func FuzzRead(f *testing.F) {
	golden, _ := filepath.Glob("testdata/golden/*.json")
	for _, file := range golden[:min(4, len(golden))] {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := scene.Read(raw)
		if err != nil {
			return
		}
		for i := range s.Geometries {
			s.Geometries[i].Bounds()
		}
		if _, err := s.Encode(); err != nil {
			t.Fatal(err)
		}
	})
}
