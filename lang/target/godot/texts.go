package godot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// raw writes a node by a name that is kept for it.
func (w *writer) raw(kind, name, parent string, properties ...string) {
	w.d.nodes = append(w.d.nodes, &record{name: name, class: w.d.name(kind), parent: or(parent, "."), path: strings.TrimPrefix(parent+"/"+name, "/"), properties: properties})
}

// text writes the text of a node: a label in the fourth version, a mesh of strokes
// in the third, which has none. The script writes another when the text changes.
func (w *writer) text(n *scene.Node, parent string) {
	if n.Text.Value == "" {
		return
	}
	at := vec.Identity()
	if n.Geometry != nil {
		at[14] = float64(float32(w.s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001))
	}
	side := max(slices.Index([]string{"left", "center", "right"}, or(n.Text.Align, "center")), 0)
	if w.d.version == 4 {
		// A capital is seven tenths of the size of the font.
		w.raw("Label3D", "Letters", parent, w.d.transform(at), "text = "+quoted(n.Text.Value), "font_size = 64", "outline_size = 0",
			"pixel_size = "+float(float64(n.Text.Size)/(0.7*64)), fmt.Sprintf("horizontal_alignment = %d", side), "modulate = "+w.color(w.s.Ink(n)))
		return
	}
	align := []shape.Align{shape.Left, shape.Center, shape.Right}[side]
	m, _ := shape.Text(n.Text.Value, float64(n.Text.Size), 0, align)
	if len(m.Positions) == 0 {
		return
	}
	ink := w.d.resource("Material", "flags_unshaded = true", "params_cull_mode = 2", "albedo_color = "+w.color(w.s.Ink(n)))
	w.raw("Mesh", "Letters", parent, w.d.transform(at), "mesh = "+w.triangles(m), "material_override = "+ink)
}

// sounding writes the player of a node's sound; the script gives it the file, where
// the project has it.
func (w *writer) sounding(n *scene.Node, parent string) {
	w.raw("AudioStreamPlayer3D", "Sound", parent, "unit_size = "+float(max(n.Audio.Min, 1)), "max_distance = "+float(n.Audio.Max))
}

// triangles is a mesh of the third version's form.
func (w *writer) triangles(m *shape.Mesh) string {
	var corners, normals []float64
	for i := range m.Positions {
		for k := range 3 {
			corners, normals = append(corners, float64(m.Positions[i][k])), append(normals, float64(m.Normals[i][k]))
		}
	}
	order := make([]string, len(m.Indices))
	for i := range m.Indices {
		order[i] = fmt.Sprint(m.Indices[i-i%3+(3-i%3)%3]) // the engine takes the other side for the front
	}
	return w.d.resource("ArrayMesh", fmt.Sprintf("surfaces/0 = {\n\"primitive\": 4,\n\"arrays\": [ %s, %s, null, null, null, null, null, null, PoolIntArray( %s ) ],\n\"morph_arrays\": [  ]\n}",
		w.d.call("Vectors", corners...), w.d.call("Vectors", normals...), strings.Join(order, ", ")))
}
