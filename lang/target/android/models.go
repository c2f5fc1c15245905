package android

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/gltf"
)

// assets is the folder that the application's files are packed from.
const assets = "assets/"

// model is the file that shows the body of a node, from the assets; empty where
// nothing is to be seen.
func (w *writer) model(n *scene.Node) (string, error) {
	if n.Geometry == nil || n.Material == nil {
		return "", nil
	}
	g := &w.s.Geometries[*n.Geometry]
	if g.Kind == "model" {
		if g.Asset == nil {
			return "", nil
		}
		path := w.s.Assets[*g.Asset].Path
		low := strings.ToLower(path)
		if !strings.HasSuffix(low, ".glb") && !strings.HasSuffix(low, ".gltf") {
			w.tally.Drop(artefact.Models, n, "the device shows glTF files")
			return "", nil
		}
		file, ok := w.asset(*g.Asset)
		if !ok {
			w.tally.Drop(artefact.Models, n, "files from elsewhere are not packed into the application")
		} else if !strings.HasSuffix(low, ".glb") {
			w.tally.Approximate(artefact.Models, n, "what a glTF file names besides itself is to be put beside it among the assets")
		}
		return file, nil
	}
	m := w.s.Materials[*n.Material]
	if l := n.Light; w.d.immersed && l != nil && m.Emissive == "" && l.Type != "ambient" {
		m.Emissive, m.EmissiveIntensity = l.Color, min(l.Intensity, 1) // lamps are seen to shine
		if m.Emissive == "" {
			m.Emissive = scene.White
		}
	}
	return w.file("solids", fmt.Sprint(*n.Geometry, " ", m.Emissive, " ", *n.Material), []scene.Material{m}, scene.Node{Geometry: n.Geometry, S: scene.UnitVec{1, 1, 1}})
}

// words is the file that shows the letters of a node.
func (w *writer) words(n *scene.Node) (string, error) {
	if n.Text == nil || n.Text.Value == "" {
		return "", nil
	}
	ink := w.s.Ink(n)
	m := scene.NewMaterial(ink)
	m.Unlit = n.Geometry != nil
	if n.Geometry == nil && n.Material != nil {
		m = w.s.Materials[*n.Material]
	}
	return w.file("words", "words "+n.ID, []scene.Material{m}, scene.Node{Text: n.Text, T: scene.Vec{0, 0, w.front(n)}, S: scene.UnitVec{1, 1, 1}})
}

// file writes one node with its material as a model among the assets. What has
// the same key is written once.
func (w *writer) file(folder, key string, materials []scene.Material, n scene.Node) (string, error) {
	if path, ok := w.models[key]; ok {
		return path, nil
	}
	zero := 0
	n.ID, n.Path, n.Name, n.Kind, n.Parent, n.Visible, n.Material, n.R = "solid", "solid", "solid", "object", -1, true, &zero, scene.Quat{3: 1}
	one := &scene.Scene{
		V: w.s.V, Name: folder, SourceSHA256: w.s.SourceSHA256, Files: w.s.Files, Assets: w.s.Assets, Geometries: w.s.Geometries, Materials: materials,
		Nodes: []scene.Node{n},
	}
	made, err := gltf.Binary(&artefact.Input{Scene: one, Target: w.in.Target, Options: artefact.Options{}, Registry: w.in.Registry, Version: w.in.Version})
	if err != nil {
		return "", fmt.Errorf("write model: %w", err)
	}
	path := fmt.Sprintf("%s/%d.glb", folder, len(w.models))
	w.models[key] = path
	w.files = append(w.files, artefact.File{Path: assets + path, MediaType: "model/gltf-binary", Data: made.Files[0].Data})
	return path, nil
}

// asset is where a file of the source lies among the assets; false for what lies
// elsewhere. It is packed once.
func (w *writer) asset(i int) (string, bool) {
	a := &w.s.Assets[i]
	path := strings.TrimPrefix(a.Path, "./")
	if path == "" || strings.ContainsAny(path, ":\\") || strings.HasPrefix(path, "/") || strings.Contains("/"+path+"/", "/../") {
		return "", false
	}
	if _, there := w.models["asset "+path]; there {
		return path, true
	}
	w.models["asset "+path] = path
	if len(a.Data) == 0 {
		w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{a.Path}})
		return path, true
	}
	if !slices.ContainsFunc(w.files, func(f artefact.File) bool { return f.Path == assets+path }) {
		w.files = append(w.files, artefact.File{Path: assets + path, MediaType: a.MediaType, Data: a.Data})
	}
	return path, true
}

// unit is how high a capital of the letters is that a program writes with.
const unit = 6

// glyphs are the letters that a program may write: their width and their model by
// their number, the gap between them and the width of a space. There are none
// where no program writes.
func (w *writer) glyphs(program json.RawMessage) (map[string]any, error) {
	used := ""
	for i := range w.s.Nodes {
		if t := w.s.Nodes[i].Text; t != nil {
			used += t.Value + " "
		}
	}
	if used == "" || !bytes.Contains(program, []byte(`"text"`)) && !bytes.Contains(program, []byte(`"set_text"`)) {
		return nil, nil
	}
	for r := rune('!'); r <= '~'; r++ {
		used += string(r)
	}
	var consts struct {
		Consts []any `json:"consts"`
	}
	if err := json.Unmarshal(program, &consts); err != nil {
		return nil, fmt.Errorf("read program: %w", err)
	}
	for _, c := range consts.Consts {
		if s, ok := c.(string); ok {
			used += s
		}
	}
	white := scene.NewMaterial(scene.White)
	white.Unlit = true
	wide := func(s string) float64 { x, _ := shape.Extent(s, unit); return x }
	one, two := wide("n"), wide("nn")
	out := map[string]any{"gap": short(two - one - one), "space": short(wide("n n") - two)}
	for _, r := range used {
		key := fmt.Sprint(int(r))
		if _, there := out[key]; there || r <= ' ' {
			continue
		}
		if _, unknown := shape.Text(string(r), unit, 0, shape.Left); unknown > 0 {
			continue
		}
		path, err := w.file("glyphs", "glyph "+key, []scene.Material{white}, scene.Node{Text: &scene.Text{Value: string(r), Size: unit, Align: "left"}, S: scene.UnitVec{1, 1, 1}})
		if err != nil {
			return nil, err
		}
		out[key] = []any{short(wide(string(r))), path}
	}
	return out, nil
}

// short is a number that was worked out, in the fewest digits of single precision.
func short(x float64) float64 {
	v, err := strconv.ParseFloat(artefact.Float(x), 64)
	if err != nil {
		return 0
	}
	return v
}
