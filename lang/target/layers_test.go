package target_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

// unpacked are the files of an archive by their paths, and the paths in order.
func unpacked(t *testing.T, raw []byte) (files map[string][]byte, order []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || f.Method != zip.Store || f.Modified.Year() != 1980 {
			t.Errorf("%s: %v, method %d, of %v", f.Name, err, f.Method, f.Modified)
		}
		files[f.Name] = data
		order = append(order, f.Name)
	}
	return files, order
}

// TestLayersAreSingleCompiles: every member is byte for byte what its target makes
// alone with the same options, and the manifest has its hash and its losses.
func TestLayersAreSingleCompiles(t *testing.T) {
	const source = `object "a" @clickable { geometry: "sphere" state { n: 0 } on_click() { n = n + 1 } } object "b" { geometry: "box" }`
	for _, options := range []map[string]any{nil, {"targets": "STL, gltf2,glb, stl", "quality": "draft", "node": "a"}} {
		r, err := compile(source, "layers", options)
		if err != nil {
			t.Fatal(err)
		}
		files, order := unpacked(t, r.Files[0].Data)
		if !slices.IsSorted(order) {
			t.Errorf("out of order: %q", order)
		}
		var m struct {
			V      string
			Layers []struct {
				Target, Main string
				Files        []struct {
					Path, SHA256 string
					MediaType    string `json:"media_type"`
					Bytes        int
				}
				Losses []json.RawMessage
			}
		}
		if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
			t.Fatal(err)
		}
		var ids []string
		count, losses := 1, 0
		for _, l := range m.Layers {
			ids = append(ids, l.Target)
			alone := map[string]any{}
			for k, v := range options {
				if k != "targets" {
					alone[k] = v
				}
			}
			one, err := compile(source, l.Target, alone)
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Files) != len(one.Files) || l.Main != l.Target+"/"+one.Files[0].Path || len(l.Losses) != len(one.Losses) {
				t.Errorf("%s: %+v", l.Target, l)
				continue
			}
			count += len(l.Files)
			losses += len(l.Losses)
			for i, f := range one.Files {
				sum := sha256.Sum256(f.Data)
				if w := l.Files[i]; w.Path != l.Target+"/"+f.Path || w.SHA256 != hex.EncodeToString(sum[:]) || w.Bytes != len(f.Data) || w.MediaType != f.MediaType || !bytes.Equal(files[w.Path], f.Data) {
					t.Errorf("%s is not what %s makes alone", w.Path, l.Target)
				}
			}
		}
		want := []string{"html", "glb", "usdz", "scene-json"}
		if options != nil {
			want = []string{"stl", "gltf", "glb"}
		}
		if !slices.Equal(ids, want) || len(files) != count || len(r.Losses) != losses || losses == 0 || m.V != "layers/1" {
			t.Errorf("layers %q, %d files, %d losses", ids, len(files), len(r.Losses))
		}
		if len(r.Places) == 0 || !strings.HasPrefix(r.Places[0].Place, want[0]+"/") {
			t.Errorf("places %v", r.Places)
		}
	}
}

func TestLayersHaveLimits(t *testing.T) {
	const box = `object "a" @clickable { geometry: "box" }`
	var unknown *target.UnknownTarget
	if _, err := compile(box, "multi-layer", map[string]any{"targets": "glb,gbl"}); !errors.As(err, &unknown) || unknown.Nearest != "glb" || !strings.Contains(err.Error(), "gbl") {
		t.Errorf("%v", err)
	}
	var bad *target.OptionsError
	for _, list := range []string{"", " , ", "glb,multi-layer", "layers"} {
		if _, err := compile(box, "multi-layer", map[string]any{"targets": list}); !errors.As(err, &bad) || bad.Name != "targets" {
			t.Errorf("%q: %v", list, err)
		}
	}
	var left *target.Unsupported
	if _, err := compile(box, "multi-layer", map[string]any{"strict": true}); !errors.As(err, &left) || left.Target == "multi-layer" {
		t.Errorf("strict: %v", err)
	}
	var faulty *target.SourceError
	if _, err := compile(box, "multi-layer", map[string]any{"targets": "glb,kubernetes"}); !errors.As(err, &faulty) || !strings.Contains(err.Error(), "TGT004") {
		t.Errorf("a member that does not fit: %v", err)
	}
	one, err := compile(box, "glb", nil)
	if err != nil {
		t.Fatal(err)
	}
	src := target.Load(nil, "main.holo", []byte(box), ast.Holo)
	req := target.Request{Target: "multi-layer", Options: map[string]any{"targets": "glb"}, MaxSize: len(one.Files[0].Data) + 100}
	if _, err := target.Compile(src, req); !errors.As(err, &faulty) || !strings.Contains(err.Error(), "LIM006") {
		t.Errorf("a member that fits by itself only: %v", err)
	}
}
