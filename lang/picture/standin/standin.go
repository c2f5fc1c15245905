// Package standin has what is shown for a model file that is not there: a few
// solids in the proportions of what its name says it is. The viewer has the same
// table in standin.ts.
package standin

import (
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// Part is a solid of a stand-in: a box, sphere, cylinder, cone or capsule of a size,
// with its middle at a place above the origin of the model.
type Part struct {
	Kind  string
	Size  vec.Vec
	At    vec.Vec
	Color string
}

// Shape is what is shown for a model file that is not there: parts in the
// proportions of what its name says it is.
type Shape struct {
	Words string // in the name of the node or of the file
	Parts []Part
}

// Table are looked through in this order; the last is for all others.
var Table = []Shape{
	{"tree pine oak palm birch fir willow", []Part{
		{"cylinder", vec.At(0.3, 1.2, 0.3), vec.At(0, 0.6, 0), "#8a6a4a"}, {"cone", vec.At(2, 2.6, 2), vec.At(0, 2.4, 0), "#6d9b6a"}}},
	{"house hut cottage building barn shop tavern castle temple cabin", []Part{
		{"box", vec.At(5, 3, 4), vec.At(0, 1.5, 0), "#c9bda8"}, {"pyramid", vec.At(5.6, 2, 4.6), vec.At(0, 4, 0), "#a5664f"}}},
	{"tower lighthouse skyscraper mast", []Part{
		{"cylinder", vec.At(2.4, 8, 2.4), vec.At(0, 4, 0), "#c9bda8"}, {"cone", vec.At(2.8, 1.6, 2.8), vec.At(0, 8.8, 0), "#a5664f"}}},
	{"car truck van bus taxi vehicle", []Part{
		{"box", vec.At(1.8, 0.7, 4.2), vec.At(0, 0.65, 0), "#6b87a8"}, {"box", vec.At(1.6, 0.6, 2.2), vec.At(0, 1.3, 0.1), "#9fb4c8"}}},
	{"person human npc man woman guard villager player merchant keeper avatar character guide wizard knight hero child body robot", []Part{
		{"capsule", vec.At(0.5, 1.4, 0.5), vec.At(0, 0.7, 0), "#7d8fa8"}, {"sphere", vec.At(0.32, 0.32, 0.32), vec.At(0, 1.56, 0), "#d9b99b"}}},
	{"horse cow dog cat wolf deer animal sheep lion dragon fox", []Part{
		{"box", vec.At(0.4, 0.45, 1), vec.At(0, 0.65, 0), "#a58a6a"}, {"box", vec.At(0.25, 0.3, 0.35), vec.At(0, 0.95, 0.6), "#a58a6a"},
		{"box", vec.At(0.3, 0.45, 0.1), vec.At(0, 0.22, 0.4), "#8a7052"}, {"box", vec.At(0.3, 0.45, 0.1), vec.At(0, 0.22, -0.4), "#8a7052"}}},
	{"table desk counter bench workbench", []Part{
		{"box", vec.At(1.6, 0.06, 0.8), vec.At(0, 0.72, 0), "#b08a5e"}, {"box", vec.At(0.08, 0.7, 0.7), vec.At(-0.7, 0.35, 0), "#8f6f4a"},
		{"box", vec.At(0.08, 0.7, 0.7), vec.At(0.7, 0.35, 0), "#8f6f4a"}}},
	{"chair stool seat armchair throne", []Part{
		{"box", vec.At(0.5, 0.45, 0.5), vec.At(0, 0.23, 0), "#b08a5e"}, {"box", vec.At(0.5, 0.5, 0.08), vec.At(0, 0.7, -0.21), "#8f6f4a"}}},
	{"sofa couch bed", []Part{
		{"box", vec.At(2, 0.45, 0.9), vec.At(0, 0.23, 0), "#8d93a5"}, {"box", vec.At(2, 0.5, 0.2), vec.At(0, 0.6, -0.35), "#777d90"}}},
	{"lamp lantern torch light candle", []Part{
		{"cylinder", vec.At(0.08, 1.4, 0.08), vec.At(0, 0.7, 0), "#6a6f78"}, {"cone", vec.At(0.45, 0.35, 0.45), vec.At(0, 1.5, 0), "#f2d58a"}}},
	{"plant bush flower shrub grass fern", []Part{
		{"cone", vec.At(0.35, 0.3, 0.35), vec.At(0, 0.15, 0), "#a5664f"}, {"sphere", vec.At(0.6, 0.6, 0.6), vec.At(0, 0.55, 0), "#6d9b6a"}}},
	{"rock stone boulder mountain", []Part{{"crystal", vec.At(1.2, 0.9, 1.1), vec.At(0, 0.4, 0), "#8f9296"}}},
	{"statue bust sculpture trophy", []Part{
		{"box", vec.At(0.7, 0.8, 0.7), vec.At(0, 0.4, 0), "#b9b6ae"}, {"capsule", vec.At(0.45, 1.2, 0.45), vec.At(0, 1.4, 0), "#d6d3ca"}}},
	{"ship boat plane rocket drone spaceship", []Part{
		{"capsule", vec.At(0.9, 3.6, 0.9), vec.At(0, 1.8, 0), "#b7c0cb"}, {"box", vec.At(2.6, 0.8, 0.1), vec.At(0, 0.9, 0), "#8794a5"}}},
	{"", []Part{{"box", vec.At(0.9, 0.9, 0.9), vec.At(0, 0.45, 0), "#9aa7b5"}, {"box", vec.At(0.96, 0.1, 0.96), vec.At(0, 0.85, 0), "#7f8d9d"}}},
}

// Of is the stand-in of a node that shows a model file.
func Of(s *scene.Scene, n *scene.Node) *Shape {
	name := " " + parts(n.Name) + " "
	if g := n.Geometry; g != nil && s.Geometries[*g].Asset != nil {
		name += parts(s.Assets[*s.Geometries[*g].Asset].Path) + " "
	}
	for i := range Table {
		for word := range strings.FieldsSeq(Table[i].Words) {
			if strings.Contains(name, " "+word+" ") || strings.Contains(name, " "+word+"s ") {
				return &Table[i]
			}
		}
	}
	return &Table[len(Table)-1]
}

// parts are the words of a name, in lower case: fire_truck2.glb has three.
func parts(name string) string {
	var b strings.Builder
	small := false
	for _, r := range name {
		lower, upper := r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z'
		switch {
		case upper:
			if small {
				b.WriteByte(' ')
			}
			b.WriteRune(r + 'a' - 'A')
		case lower:
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
		small = lower
	}
	return b.String()
}

// Box is the box around a stand-in.
func (t *Shape) Box() (lo, hi vec.Vec) {
	for i := range t.Parts {
		h := t.Parts[i].Size.Scale(0.5)
		low, high := t.Parts[i].At.Sub(h), t.Parts[i].At.Add(h)
		if i > 0 {
			low, high = low.Min(lo), high.Max(hi)
		}
		lo, hi = low, high
	}
	return lo, hi
}

// Geometry is the solid of a part.
func (p *Part) Geometry() *scene.Geometry {
	g := &scene.Geometry{Kind: p.Kind, Stretch: scene.UnitVec{1, 1, 1}}
	switch p.Kind {
	case "sphere":
		g.Radius = p.Size.X / 2
	case "cylinder", "cone", "capsule":
		g.Radius, g.Height = p.Size.X/2, p.Size.Y
	default:
		g.Size = &scene.Vec{p.Size.X, p.Size.Y, p.Size.Z}
	}
	return g
}

// Called is what a stand-in is labelled: the name of the node, or of the file.
func Called(s *scene.Scene, n *scene.Node) string {
	if n.Label != "" {
		return n.Label
	}
	if n.Name != "" {
		return n.Name
	}
	if g := n.Geometry; g != nil && s.Geometries[*g].Asset != nil {
		path := s.Assets[*s.Geometries[*g].Asset].Path
		return path[strings.LastIndex(path, "/")+1:]
	}
	return n.Path
}
