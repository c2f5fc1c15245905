package unity

import (
	"fmt"
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// What the engine does with a node.
const (
	plainNode = ""
	dynamic   = "dynamic"
	kinematic = "kinematic"
	static    = "static"
	trigger   = "trigger"
)

// bodyOf says which body a node becomes. What moves by itself, or hangs on a joint
// that moves, is a dynamic one; a collider without a body goes where the program
// puts it.
func bodyOf(n *scene.Node) string {
	c := n.Collider
	switch {
	case c != nil && c.Trigger:
		return trigger
	case n.Joint != nil && n.Prototype == "":
		return dynamic
	case c == nil:
		return plainNode
	case loose(n):
		return dynamic
	case n.Body != nil && n.Body.Type == static:
		return static
	}
	return kinematic
}

// loose says whether a source says of a node that it moves by itself.
func loose(n *scene.Node) bool {
	return n.Body != nil && n.Body.Type == dynamic && n.Collider != nil && !n.Collider.Trigger
}

// form writes the collider and the body of a node.
func (w *writer) form(i int) {
	n := &w.s.Nodes[i]
	kind := w.kind[i]
	if kind == plainNode {
		return
	}
	friction, bounce, mass, weight := 0.5, 0.0, 1.0, 1.0
	if b := n.Body; b != nil {
		friction, bounce, mass, weight = float64(b.Friction), b.Restitution, float64(b.Mass), float64(b.Gravity)
	}
	if n.Collider != nil {
		w.collider(i, yes(kind == trigger)+", "+floats(friction, bounce))
	}
	drag := 0.0
	if n.Joint != nil && n.Prototype == "" && !loose(n) { // a drive holds it
		weight, drag = 0, 5
	}
	if w.worlds && n.Joint != nil { // nothing holds it: it stays
		kind = kinematic
	}
	w.say("builder.Body(%s, %s, %s);", w.at(i), quoted(kind), floats(max(mass, 0.001), weight, drag))
}

// collider writes the shape of a body. The engine scales it with the node.
func (w *writer) collider(i int, rest string) {
	n := &w.s.Nodes[i]
	c := n.Collider
	var size scene.Vec
	for k := range 3 {
		size[k] = max(math.Abs(c.Size[k]), 0.001)
	}
	at := place(c.Center[0], c.Center[1], c.Center[2])
	box := fmt.Sprintf("builder.Box(%s, %s, %s, %s);", w.at(i), at, extent(size[0], size[1], size[2]), rest)
	switch c.Shape {
	case "sphere":
		w.say("builder.Ball(%s, %s, %s, %s);", w.at(i), at, float(max(size[0], size[1], size[2])/2), rest)
	case "capsule":
		radius := max(size[0], size[2]) / 2
		w.say("builder.Capsule(%s, %s, %s, %s);", w.at(i), at, floats(radius, max(size[1], 2*radius)), rest)
	case "cylinder":
		w.say("builder.Hull(%s, builder.Cylinder(%s, %s), true, %s);", w.at(i), at, floats(max(size[0], size[2])/2, size[1]), rest)
	case "plane": // the top of a slab, so that nothing falls through
		w.say("builder.Box(%s, %s, %s, %s);", w.at(i), place(c.Center[0], c.Center[1]-0.5, c.Center[2]), extent(size[0], 1, size[2]), rest)
	case "mesh":
		if n.Geometry != nil {
			if k, ok := w.drawing(*n.Geometry); ok {
				w.say("builder.Hull(%s, builder.Drawing(%d, false), %s, %s);", w.at(i), k, yes(w.kind[i] != static), rest)
				return
			}
		}
		w.tally.Approximate(artefact.Physics, n, "colliders of the shape of a model file are boxes of its size")
		w.say("%s", box)
	default:
		w.say("%s", box)
	}
}

// joint writes how a body hangs on another, or on the world.
func (w *writer) joint(i int) {
	n := &w.s.Nodes[i]
	j := n.Joint
	if j != nil && n.Prototype != "" {
		w.tally.Drop(artefact.Joints, n, "joints of what a program spawns are not made")
		return
	}
	if j == nil || w.kind[i] != dynamic {
		return
	}
	to := "null"
	if k := w.other(i); k >= 0 {
		to = fmt.Sprintf("at[%d]", k)
	}
	a := vec.At(j.Axis[0], j.Axis[1], j.Axis[2])
	lo, hi := min(j.Min, j.Max), max(j.Min, j.Max)
	held := yes(!loose(n))
	switch j.Type {
	case "revolute":
		w.say("builder.Hinge(%s, %s, %s, %s, %s);", w.at(i), to, axis(a), floats(degrees(lo), degrees(hi)), held)
	case "continuous":
		w.say("builder.Hinge(%s, %s, %s, 0f, 0f, %s);", w.at(i), to, axis(a), held)
	case "prismatic":
		w.say("builder.Slider(%s, %s, %s, %s, %s);", w.at(i), to, place(a.X, a.Y, a.Z), floats(lo, hi), held)
	case "ball":
		w.say("builder.Pivot(%s, %s);", w.at(i), to)
	default:
		w.say("builder.Lock(%s, %s);", w.at(i), to)
	}
}

// other is the body that a joint attaches to: the one that is named, or the nearest
// above; -1 is the world.
func (w *writer) other(i int) int {
	up := w.s.Nodes[i].Parent
	if to, ok := w.index[w.s.Nodes[i].Joint.To]; ok && to != i {
		up = to
	}
	for up >= 0 && (w.kind[up] == plainNode || w.kind[up] == trigger) {
		up = w.s.Nodes[up].Parent
	}
	return up
}
