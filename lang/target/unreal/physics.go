package unreal

import (
	"fmt"
	"math"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// bodyOf finds which body a node becomes, and its scale in the world. What moves by
// itself, or hangs on a joint that moves, is a rigid one; a collider without a body
// goes where the program puts it.
func (w *writer) bodyOf(i int) {
	n := &w.s.Nodes[i]
	scale := vec.At(n.S[0], n.S[1], n.S[2])
	if n.Parent >= 0 {
		above := w.scale[n.Parent]
		if (above.X != above.Y || above.Y != above.Z) && vec.Quat(n.R) != (vec.Quat{3: 1}) {
			w.tally.Approximate(artefact.Nodes, n, "what is turned below an unevenly scaled node is stretched along its own axes, not slanted")
		}
		scale = above.Mul(scale)
	}
	w.scale = append(w.scale, scale)
	c, kind := n.Collider, "Kinematic"
	switch {
	case c != nil && c.Trigger:
		kind = "Area"
	case hung(n) && (n.Joint.Type != "fixed" || loose(n)):
		kind = "Rigid"
	case c == nil:
		kind = "None"
	case loose(n):
		kind = "Rigid"
	case n.Body != nil && n.Body.Type == "static":
		kind = "Fixed"
	}
	w.body = append(w.body, kind)
}

// loose says whether a source says of a node that it moves by itself.
func loose(n *scene.Node) bool {
	return n.Body != nil && n.Body.Type == "dynamic" && n.Collider != nil && !n.Collider.Trigger
}

// hung says whether a node hangs on a joint.
func hung(n *scene.Node) bool { return n.Joint != nil && n.Prototype == "" }

// form writes the row of a body, and gives its index. The shape has the scale of the
// world, which bodies themselves do not have.
func (w *writer) form(i int) int {
	n := &w.s.Nodes[i]
	size, center, kind := scene.Vec{0.1, 0.1, 0.1}, scene.Vec{}, "box"
	if c := n.Collider; c != nil {
		size, center, kind = c.Size, c.Center, c.Shape
	} else if n.Geometry != nil {
		size = w.s.Geometries[*n.Geometry].Bounds()
	}
	by := [3]float64{w.scale[i].X, w.scale[i].Y, w.scale[i].Z}
	for k := range 3 {
		size[k] = max(math.Abs(float64(size[k]*by[k])), 0.001)
		center[k] = float64(center[k] * by[k])
	}
	form, extent, mesh := "Box", sizes([3]float64{size[0] / 2, size[1] / 2, size[2] / 2}), -1
	hull := func(m *shape.Mesh) { // off its middle the engine has no other shape
		form, mesh = "Hull", w.triangles(m, [3]float64{1, 1, 1}, center)
	}
	off := center != scene.Vec{}
	switch kind {
	case "sphere":
		r := max(size[0], size[1], size[2]) / 2
		form, extent = "Ball", [3]float64{float64(100 * r)}
		if off {
			w.tally.Approximate(artefact.Physics, n, "round colliders beside the middle of their node have edges")
			hull(shape.Sphere(r, 16))
		}
	case "capsule":
		r := max(size[0], size[2]) / 2
		form, extent = "Capsule", [3]float64{float64(100 * r), float64(100 * max(size[1]/2, r))}
		if off {
			w.tally.Approximate(artefact.Physics, n, "round colliders beside the middle of their node have edges")
			hull(shape.Capsule(r, max(size[1], 2*r), 16))
		}
	case "cylinder":
		r := max(size[0], size[2]) / 2
		hull(shape.Cylinder(r, r, size[1], 32))
	case "plane": // the top of a slab, so that nothing falls through
		center[1] -= 0.5
		hull(shape.Box(size[0], 1, size[2]))
	case "mesh":
		var m *shape.Mesh
		if n.Geometry != nil {
			m = w.s.Geometries[*n.Geometry].Mesh()
		}
		switch {
		case m == nil:
			w.tally.Approximate(artefact.Physics, n, "colliders of the shape of a model file are boxes of its size")
		case w.body[i] == "Fixed":
			form, mesh = "Triangles", w.triangles(m, by, [3]float64{})
		default:
			form, mesh = "Hull", w.triangles(m, by, [3]float64{})
		}
	default:
		if off {
			hull(shape.Box(size[0], size[1], size[2]))
		}
	}
	mass, gravity, friction, bounce, damping := 1.0, 1.0, 0.5, 0.0, 0.01
	if b := n.Body; b != nil {
		mass, gravity, friction, bounce = max(float64(b.Mass), 0.001), float64(b.Gravity), float64(b.Friction), b.Restitution
	}
	if hung(n) && !loose(n) { // a drive holds it
		gravity, damping = 0, 5
	}
	w.bodies = append(w.bodies, fmt.Sprintf("{EFormKind::%s, %s, %d, %s, %s, %s, %s, %s, %s}", form, doubles(extent[:]...), mesh, artefact.CDouble(mass), artefact.CDouble(gravity),
		artefact.CDouble(friction), artefact.CDouble(bounce), artefact.CDouble(damping), yes(n.Collider != nil)))
	return len(w.bodies) - 1
}

// joint writes how a body hangs on another, or on the world.
func (w *writer) joint(i int) {
	n := &w.s.Nodes[i]
	j := n.Joint
	if j != nil && n.Prototype != "" {
		w.tally.Drop(artefact.Physics, n, "what a program spawns has no joints")
		return
	}
	if j == nil || w.body[i] != "Rigid" {
		return
	}
	m := w.world[i]
	axis := m.Dir(vec.At(j.Axis[0], j.Axis[1], j.Axis[2])).Unit()
	lo, hi := min(j.Min, j.Max), max(j.Min, j.Max)
	kind, limited := "Lock", false
	switch j.Type {
	case "revolute", "continuous":
		kind, limited = "Hinge", j.Type == "revolute" && lo < hi
		lo, hi = degrees(lo), degrees(hi)
	case "prismatic":
		kind, lo, hi = "Slider", float64(100*lo), float64(100*hi)
	case "ball":
		kind = "Ball"
	}
	along := direction([3]float64{axis.X, axis.Y, axis.Z})
	w.joints = append(w.joints, fmt.Sprintf("{%d, %d, EJointKind::%s, %s, %s, %s, %s, %s}", i, w.other(i), kind, doubles(along[:]...), artefact.CDouble(lo), artefact.CDouble(hi),
		yes(limited), yes(!loose(n))))
}

// degrees are as people wrote them: to a ten thousandth, as the model has them in
// fewer digits.
func degrees(radians float64) float64 {
	return math.Round(float64(radians*1800000)/math.Pi) / 10000
}

// other is the body that a joint attaches to: the one that is named, or the nearest
// above; -1 is the world.
func (w *writer) other(i int) int {
	up := w.s.Nodes[i].Parent
	if to, ok := w.index[w.s.Nodes[i].Joint.To]; ok && to != i && to < w.first {
		up = to
	}
	for up >= 0 && (w.body[up] == "None" || w.body[up] == "Area") {
		up = w.s.Nodes[up].Parent
	}
	return up
}
