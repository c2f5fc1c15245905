package godot

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// What the engine does with a node.
const (
	plainNode = ""
	rigid     = "Rigid"
	kinematic = "Kinematic"
	static    = "Static"
	area      = "Area"
)

// touchLayer is the one in which only the pointer finds things.
const touchLayer = "524288"

// bodyOf says which body a node becomes. What moves by itself, or hangs on a
// joint that moves, is a rigid one; a collider without a body goes where the
// program puts it.
func bodyOf(n *scene.Node) string {
	c := n.Collider
	switch {
	case c != nil && c.Trigger:
		return area
	case n.Joint != nil && (n.Joint.Type != "fixed" || loose(n)):
		return rigid
	case c == nil:
		return plainNode
	case loose(n):
		return rigid
	case n.Body != nil && n.Body.Type == "static":
		return static
	}
	return kinematic
}

// loose says whether a source says of a node that it moves by itself.
func loose(n *scene.Node) bool {
	return n.Body != nil && n.Body.Type == "dynamic" && n.Collider != nil && !n.Collider.Trigger
}

// body are the properties of a body.
func (w *writer) body(n *scene.Node, kind string) []string {
	var p []string
	if kind == area {
		return []string{"collision_layer = 1", "collision_mask = 1"}
	}
	friction, bounce := 0.5, 0.0
	if n.Body != nil {
		friction, bounce = float64(n.Body.Friction), n.Body.Restitution
	}
	p = append(p, "physics_material_override = "+w.d.resource("PhysicsMaterial", "friction = "+float(friction), "bounce = "+float(bounce)))
	if kind != rigid {
		if kind == kinematic && w.d.version == 4 {
			p = append(p, "sync_to_physics = false")
		}
		return p
	}
	mass, gravity := 1.0, 1.0
	if n.Body != nil {
		mass, gravity = float64(n.Body.Mass), float64(n.Body.Gravity)
	}
	if n.Joint != nil && !loose(n) && n.Joint.Type != "revolute" && n.Joint.Type != "continuous" {
		gravity = 0 // a drive holds it; hinges have one of their own
		p = append(p, "linear_damp = 5", "angular_damp = 5")
	}
	if n.Collider == nil {
		p = append(p, "collision_layer = 0", "collision_mask = 0")
	}
	return append(p, "mass = "+float(max(mass, 0.001)), "gravity_scale = "+float(gravity), "contact_monitor = true", w.d.name("contacts"))
}

// form writes the shape of a body below it. scale is that of the world, which
// bodies themselves do not have.
func (w *writer) form(n *scene.Node, kind, parent string, scale vec.Vec) {
	size, center, shape := scene.Vec{0.1, 0.1, 0.1}, scene.Vec{}, "box"
	if c := n.Collider; c != nil {
		size, center, shape = c.Size, c.Center, c.Shape
	} else if n.Geometry != nil {
		size = w.s.Geometries[*n.Geometry].Bounds()
	}
	by := [3]float64{scale.X, scale.Y, scale.Z}
	for k := range 3 {
		size[k] = max(math.Abs(float64(size[k]*by[k])), 0.001)
		center[k] = float64(center[k] * by[k])
	}
	at, ref := vec.At(center[0], center[1], center[2]), ""
	turn := vec.Quat{3: 1}
	switch shape {
	case "sphere":
		ref = w.d.resource("BallForm", "radius = "+float(max(size[0], size[1], size[2])/2))
	case "capsule":
		radius := max(size[0], size[2]) / 2
		if w.d.version == 4 {
			ref = w.d.resource("CapsuleForm", "radius = "+float(radius), "height = "+float(max(size[1], 2*radius)))
		} else { // stands along Z there, and counts what is between the ends
			ref = w.d.resource("CapsuleForm", "radius = "+float(radius), "height = "+float(max(size[1]-2*radius, 0.001)))
			turn = vec.AxisAngle(vec.At(1, 0, 0), math.Pi/2)
		}
	case "cylinder":
		ref = w.d.resource("CylinderForm", "radius = "+float(max(size[0], size[2])/2), "height = "+float(size[1]))
	case "plane": // the top of a slab, so that nothing falls through
		ref = w.box(size[0], 1, size[2])
		at.Y -= 0.5
	case "mesh":
		ref = w.hull(n, kind, by)
	}
	if ref == "" {
		ref = w.box(size[0], size[1], size[2])
	}
	w.d.node("Collision", "Shape", parent, w.d.transform(vec.TRS(at, turn, vec.At(1, 1, 1))), "shape = "+ref)
}

func (w *writer) box(x, y, z float64) string {
	if w.d.version == 4 {
		return w.d.resource("BoxForm", "size = "+w.d.vector(x, y, z))
	}
	return w.d.resource("BoxForm", "extents = "+w.d.vector(x/2, y/2, z/2))
}

// hull is the shape of a node's own mesh: its triangles where it stands still,
// else what is around it. Model files have none.
func (w *writer) hull(n *scene.Node, kind string, by [3]float64) string {
	if n.Geometry == nil {
		return ""
	}
	m := w.s.Geometries[*n.Geometry].Mesh()
	if m == nil {
		w.tally.Approximate(artefact.Physics, n, "colliders of the shape of a model file are boxes of its size")
		return ""
	}
	var points []float64
	put := func(i int) {
		for k := range 3 {
			points = append(points, float64(float64(m.Positions[i][k])*by[k]))
		}
	}
	if kind == static {
		for _, i := range m.Indices {
			put(int(i))
		}
		return w.d.resource("TrianglesForm", "data = "+w.d.call("Vectors", points...))
	}
	seen := map[[3]float32]bool{}
	for i, p := range m.Positions {
		if !seen[p] {
			seen[p] = true
			put(i)
		}
	}
	return w.d.resource("HullForm", "points = "+w.d.call("Vectors", points...))
}

// touch writes what the pointer finds of a node that has no body.
func (w *writer) touch(n *scene.Node, parent string) {
	var size scene.Vec
	switch {
	case n.Geometry != nil:
		size = w.s.Geometries[*n.Geometry].Bounds()
	case n.Text != nil:
		wide, tall := extent(n.Text)
		size = scene.Vec{wide, tall, 0.01}
	default:
		return
	}
	path := w.d.node("Area", "Touch", parent, "monitoring = false", "monitorable = false", "collision_layer = "+touchLayer, "collision_mask = 0")
	w.d.node("Collision", "Shape", path, "shape = "+w.box(max(size[0], 0.01), max(size[1], 0.01), max(size[2], 0.01)))
	w.touches = append(w.touches, [2]string{n.ID, path})
}

// joint writes how a body hangs on another, or on the world.
func (w *writer) joint(i int) {
	n := &w.s.Nodes[i]
	j := n.Joint
	if j == nil || w.kind[i] != rigid || inert(*n) {
		return
	}
	m := w.world[i]
	axis := vec.At(j.Axis[0], j.Axis[1], j.Axis[2])
	axis = m.Dir(axis).Unit()
	kind, along := "Lock", 2
	var p []string
	switch j.Type {
	case "revolute", "continuous":
		kind = "Hinge"
		if lo, hi := min(j.Min, j.Max), max(j.Min, j.Max); j.Type == "revolute" && lo < hi {
			if w.d.version == 3 {
				lo, hi = degrees(lo), degrees(hi)
			}
			p = append(p, "angular_limit/enable = true", "angular_limit/lower = "+float(lo), "angular_limit/upper = "+float(hi))
		}
		if !loose(n) { // a drive that holds what nobody turns
			p = append(p, "motor/enable = true", "motor/target_velocity = 0", "motor/max_impulse = 1000")
		}
	case "prismatic":
		kind, along = "Slider", 0
		lo, hi := min(j.Min, j.Max), max(j.Min, j.Max)
		p = append(p, "linear_limit/lower_distance = "+float(lo), "linear_limit/upper_distance = "+float(hi))
	case "ball":
		kind = "Pin"
	}
	// The joint turns around its own Z, or slides along its own X.
	side := vec.At(0, 1, 0)
	if math.Abs(axis.Y) > 0.9 {
		side = vec.At(1, 0, 0)
	}
	u := side.Cross(axis).Unit()
	v := axis.Cross(u).Unit()
	columns := [3]vec.Vec{u, v, axis}
	if along == 0 {
		columns = [3]vec.Vec{axis, u, v}
	}
	at := vec.Identity()
	for c, x := range columns {
		at[4*c], at[4*c+1], at[4*c+2] = x.X, x.Y, x.Z
	}
	at[12], at[13], at[14] = m[12], m[13], m[14]
	p = append([]string{w.d.transform(at), "nodes/node_a = NodePath(" + quoted("../"+w.path[i]) + ")"}, p...)
	if w.d.version == 4 {
		p[1] = "node_a = NodePath(" + quoted("../"+w.path[i]) + ")"
	}
	if to := w.other(i); to >= 0 {
		key := map[int]string{3: "nodes/node_b", 4: "node_b"}[w.d.version]
		p = append(p, key+" = NodePath("+quoted("../"+w.path[to])+")")
	}
	w.d.node(kind, or(n.Name, n.Kind)+" joint", "", p...)
}

// other is the body that a joint attaches to: the one that is named, or the nearest
// above; -1 is the world.
func (w *writer) other(i int) int {
	up := w.s.Nodes[i].Parent
	if to, ok := w.index[w.s.Nodes[i].Joint.To]; ok && to != i {
		up = to
	}
	for up >= 0 && (w.kind[up] == plainNode || w.kind[up] == area) {
		up = w.s.Nodes[up].Parent
	}
	return up
}
