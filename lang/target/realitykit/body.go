package realitykit

import (
	"math"
	"slices"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// loose says whether a source says of a node that it moves by itself.
func loose(n *scene.Node) bool {
	return n.Body != nil && n.Body.Type == "dynamic" && n.Collider != nil && !n.Collider.Trigger
}

// bodyOf is what the engine does with a node; "" where it has no body. What hangs
// on a joint that moves is a dynamic one, where there is the joint; a collider without a body goes where the
// program puts it.
func bodyOf(n *scene.Node) string {
	c := n.Collider
	switch {
	case c != nil && c.Trigger:
		return "trigger"
	case n.Joint != nil && n.Prototype == "" && (n.Joint.Type != "fixed" || loose(n)):
		return "dynamic"
	case c == nil:
		return ""
	case loose(n):
		return "dynamic"
	case n.Body != nil && n.Body.Type == "static":
		return "static"
	}
	return "kinematic"
}

// body writes what a node bumps with. Sizes are those before its scale, which the
// engine applies.
func (w *writer) body(i int) {
	n := &w.s.Nodes[i]
	kind := bodyOf(n)
	if kind == "" {
		return
	}
	size, center, form := scene.Vec{0.1, 0.1, 0.1}, scene.Vec{}, "box"
	if c := n.Collider; c != nil {
		size, center, form = c.Size, c.Center, c.Shape
	} else if n.Geometry != nil {
		size = w.s.Geometries[*n.Geometry].Bounds()
	}
	for k := range 3 {
		size[k] = max(math.Abs(size[k]), 0.001)
	}
	hull := ""
	switch form {
	case "plane": // the top of a slab, so that nothing falls through
		size[1] = 1
		center[1] -= 0.5
		form = "box"
	case "cylinder":
		m := shape.Cylinder(max(size[0], size[2])/2, max(size[0], size[2])/2, size[1], 24)
		form, hull = "hull", corners(m)
	case "mesh":
		form, hull = w.hull(n)
	case "sphere", "capsule":
		if s := w.scale[i]; s.X != s.Y || s.Y != s.Z {
			w.tally.Approximate(artefact.Physics, n, "round colliders below unevenly scaled nodes stay round")
		}
	default:
		form = "box"
	}
	mass, friction, bounce, gravity := 1.0, 0.5, 0.0, true
	if b := n.Body; b != nil {
		mass, friction, bounce, gravity = float64(b.Mass), float64(b.Friction), b.Restitution, float64(b.Gravity) != 0
		if g := float64(b.Gravity); g != 0 && g != 1 && kind == "dynamic" {
			w.tally.Approximate(artefact.Physics, n, "a body has the weight of all or none")
		}
	}
	if n.Joint != nil && !loose(n) && n.Joint.Type != "revolute" && n.Joint.Type != "continuous" {
		gravity = false // a drive holds it
	}
	w.line("s.body(")
	w.line("    %s, kind: %s, shape: %s, size: %s, center: %s, hull: %s,", w.id(n), quoted(kind), quoted(form), triple(size), triple(center), quoted(hull))
	w.line("    mass: %s, friction: %s, bounce: %s, gravity: %t, solid: %t)", float(max(mass, 0.001)), float(friction), float(bounce), gravity, n.Collider != nil)
}

// hull are the corners of a node's own mesh.
func (w *writer) hull(n *scene.Node) (form, hull string) {
	if n.Geometry == nil {
		return "box", ""
	}
	m := w.s.Geometries[*n.Geometry].Mesh()
	if m == nil {
		w.tally.Approximate(artefact.Physics, n, "colliders of the shape of a model file are boxes of its size")
		return "box", ""
	}
	w.tally.Approximate(artefact.Physics, n, "colliders of the shape of a mesh are the hull around it")
	if w.hulls[*n.Geometry] == "" {
		w.hulls[*n.Geometry] = corners(m)
	}
	return "hull", w.hulls[*n.Geometry]
}

// corners are the places of the vertices of a mesh, once each.
func corners(m *shape.Mesh) string {
	var list [][3]float32
	seen := map[[3]float32]bool{}
	for _, p := range m.Positions {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return points(list)
}

// joint writes how a body hangs on another, or on the world.
func (w *writer) joint(i int) {
	n := &w.s.Nodes[i]
	j := n.Joint
	if j == nil || bodyOf(n) != "dynamic" {
		return
	}
	to := n.Parent
	if k, ok := w.index[j.To]; ok && k != i {
		to = k
	}
	for to >= 0 && (bodyOf(&w.s.Nodes[to]) == "" || bodyOf(&w.s.Nodes[to]) == "trigger") {
		to = w.s.Nodes[to].Parent
	}
	other := ""
	if to >= 0 {
		other = w.s.Nodes[to].ID
	}
	kinds := []string{"fixed", "revolute", "continuous", "prismatic", "ball"}
	kind := j.Type
	if !slices.Contains(kinds, kind) {
		kind = "fixed"
	}
	w.line("s.join(%s, kind: %s, to: %s, axis: %s, lower: %s, upper: %s)", w.id(n), quoted(kind), quoted(other), triple(j.Axis), float(min(j.Min, j.Max)),
		float(max(j.Min, j.Max)))
}
