package robot

import (
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// floorDepth is how far the box that stands for a flat collider reaches below
// its face: a box of no depth lets fast bodies through.
const floorDepth = 0.1

// MJCF makes model.xml for MuJoCo: a body for every node. Bodies that move by
// themselves stand in the world with a free joint, all others hang where their
// joint or the scene puts them. What is seen and what bumps are two shapes.
func MJCF(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	if len(s.Nodes) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one node")
	}
	w := &mjcf{in: in, s: s, frames: frames(s), up: parents(s), tally: artefact.NewTally(in), names: names{taken: map[string]bool{"world": true}}}
	for i := range s.Nodes {
		in.Pause()
		w.links = append(w.links, w.names.name(in, &s.Nodes[i]))
		if w.free(i) {
			w.up[i] = -1
		}
	}
	w.below = make([][]int, len(s.Nodes))
	for i, up := range w.up {
		if up >= 0 {
			w.below[up] = append(w.below[up], i)
		}
	}
	w.d.Begin(in.Header())
	name := artefact.OneLine(s.Name)
	if name == "" {
		name = "scene"
	}
	w.d.Open("mujoco", "model", name)
	w.d.Empty("compiler", "angle", "radian", "autolimits", "true", "inertiafromgeom", "false", "balanceinertia", "true")
	g := scene.DefaultGravity
	if s.Environment.Gravity != nil {
		g = *s.Environment.Gravity
	}
	a := axes(vec.At(g[0], g[1], g[2]))
	w.d.Empty("option", "gravity", triple(a.X, a.Y, a.Z))
	w.assets()
	w.d.Open("worldbody")
	for i, up := range w.up {
		if up < 0 {
			w.body(i)
		}
	}
	w.d.Close("worldbody")
	w.contacts()
	w.d.Close("mujoco")
	out := &artefact.Output{Files: []artefact.File{{Path: "model.xml", MediaType: "application/xml", Data: w.d.Bytes()}}}
	for i := range s.Nodes {
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: "body " + w.links[i]})
	}
	out.Losses, out.Notes = w.tally.All(), append(w.names.notes, w.notes...)
	return out, nil
}

type mjcf struct {
	in     *artefact.Input
	s      *scene.Scene
	d      artefact.XML
	frames []frame
	up     []int   // the body above; -1 is the world
	below  [][]int // the bodies that hang on a body
	links  []string
	names  names
	notes  []artefact.Note
	tally  *artefact.Tally
}

// free says whether a node moves by itself.
func (w *mjcf) free(i int) bool {
	n := &w.s.Nodes[i]
	return n.Joint == nil && n.Body != nil && n.Body.Type == "dynamic"
}

// bumps says whether a node has a shape that others bump into.
func (w *mjcf) bumps(i int) bool {
	n := &w.s.Nodes[i]
	return n.Collider != nil && !n.Collider.Trigger
}

// mesh is the model file of a node that MuJoCo can read.
func (w *mjcf) mesh(n *scene.Node) (file string, ok bool) {
	if n.Geometry == nil || w.s.Geometries[*n.Geometry].Kind != "model" {
		return "", false
	}
	file = w.s.Assets[*w.s.Geometries[*n.Geometry].Asset].Path
	switch strings.ToLower(path.Ext(file)) {
	case ".obj", ".stl":
		return artefact.OneLine(file), true
	}
	return file, false
}

// assets writes the materials and the model files.
func (w *mjcf) assets() {
	w.d.Open("asset")
	for i := range w.s.Materials {
		m := &w.s.Materials[i]
		set := []string{
			"name", "m" + strconv.Itoa(i), "rgba", color(m.BaseColor), "metallic", artefact.Float(m.Metallic), "roughness", artefact.Float(float64(m.Roughness)),
			"shininess", artefact.Float(1 - min(float64(m.Roughness), 1)),
		}
		if m.Emissive != "" {
			set = append(set, "emission", artefact.Float(min(float64(m.EmissiveIntensity), 1)))
		}
		w.d.Empty("material", set...)
	}
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		file, ok := w.mesh(n)
		switch {
		case ok:
			s := w.frames[i].scale // of the file, before its axes are turned
			w.d.Empty("mesh", "name", "mesh_"+w.links[i], "file", file, "scale", triple(s[0], s[1], s[2]))
			w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{file}})
		case file != "":
			w.tally.Drop(artefact.Models, n, "MuJoCo reads model files of type OBJ and STL only")
		}
	}
	w.d.Close("asset")
}

func (w *mjcf) body(i int) {
	n := &w.s.Nodes[i]
	f := w.frames[i]
	if up := w.up[i]; up >= 0 {
		f = f.below(w.frames[up])
	}
	p := axes(f.at)
	w.d.Comment(w.in.Source(n.Src))
	w.d.Open("body", "name", w.links[i], "pos", triple(p.X, p.Y, p.Z), "quat", turned(f.turn))
	moves := w.joint(i)
	size := scene.Vec{0.01, 0.01, 0.01}
	if n.Geometry != nil && w.s.Geometries[*n.Geometry].Kind != "model" {
		sh, _ := shapeOf(&w.s.Geometries[*n.Geometry], w.frames[i].scale)
		size = sh.size
	}
	if moves || n.Body != nil {
		m := math.Max(mass(n), 1e-9) // MuJoCo moves nothing lighter
		in := inertia(m, size)
		w.d.Empty("inertial", "pos", "0 0 0", "mass", artefact.Float(m), "diaginertia", triple(in[0], in[1], in[2]))
	}
	w.seen(i)
	w.bumping(i)
	for _, k := range w.below[i] {
		w.body(k)
	}
	w.d.Close("body")
}

// turned is a turn in the robot's axes, w first.
func turned(q vec.Quat) string {
	return artefact.Float(q[3]) + " " + triple(-q[2], -q[0], q[1])
}

// joint writes how a body moves against the one above, and says whether it does.
func (w *mjcf) joint(i int) bool {
	if w.free(i) {
		w.d.Empty("freejoint", "name", "free_"+w.links[i])
		return true
	}
	n := &w.s.Nodes[i]
	j := n.Joint
	if j == nil || j.Type == "fixed" {
		return false
	}
	set := []string{"name", "to_" + w.links[i], "type", map[string]string{"revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "ball": "ball"}[j.Type]}
	if j.Type != "ball" {
		a := axes(vec.At(j.Axis[0], j.Axis[1], j.Axis[2])).Unit()
		set = append(set, "axis", triple(a.X, a.Y, a.Z))
	}
	if j.Type == "revolute" || j.Type == "prismatic" {
		lo, hi := min(j.Min, j.Max), max(j.Min, j.Max)
		if float32(lo) >= float32(hi) {
			w.tally.Approximate(artefact.Joints, n, "joints whose limits leave them no room become fixed ones")
			return false
		}
		set = append(set, "range", artefact.Float(lo)+" "+artefact.Float(hi))
	}
	w.d.Empty("joint", set...)
	return true
}

// seen writes the shape that is seen; it bumps into nothing.
func (w *mjcf) seen(i int) {
	n := &w.s.Nodes[i]
	if n.Geometry == nil {
		return
	}
	var set []string
	if g := &w.s.Geometries[*n.Geometry]; g.Kind == "model" {
		if _, ok := w.mesh(n); !ok {
			return
		}
		set = []string{"type", "mesh", "mesh", "mesh_" + w.links[i], "quat", "0.5 0.5 -0.5 -0.5"}
	} else {
		sh, exact := shapeOf(g, w.frames[i].scale)
		switch {
		case g.Kind == "sphere" && sh.kind == "box":
			sh.kind = "ellipsoid"
		case !exact && sh.kind != "capsule":
			w.tally.Approximate(artefact.Geometry, n, "solids other than boxes, spheres, cylinders and capsules become boxes of their size")
		}
		set = geom(sh)
	}
	if n.Material != nil {
		set = append(set, "material", "m"+strconv.Itoa(*n.Material))
	}
	w.d.Empty("geom", append(set, "group", "2", "contype", "0", "conaffinity", "0", "mass", "0")...)
}

// bumping writes the shape that bumps; it is not shown.
func (w *mjcf) bumping(i int) {
	if !w.bumps(i) {
		return
	}
	n := &w.s.Nodes[i]
	c := n.Collider
	if c.Shape == "mesh" {
		w.tally.Approximate(artefact.Physics, n, "colliders of the shape of a mesh become boxes of its size")
	}
	scale := w.frames[i].scale
	at := vec.At(c.Center[0]*scale[0], c.Center[1]*scale[1], c.Center[2]*scale[2])
	g := scene.Geometry{Kind: c.Shape, Stretch: scene.UnitVec{1, 1, 1}}
	switch size := c.Size; c.Shape {
	case "sphere", "capsule", "cylinder":
		g.Radius, g.Height = size[0]/2, size[1]
	case "plane":
		g.Kind, g.Size = "box", &scene.Vec{size[0], floorDepth / math.Max(math.Abs(scale[1]), 1e-4), size[2]}
		at.Y -= floorDepth / 2
	default:
		g.Kind, g.Size = "box", &size
	}
	sh, _ := shapeOf(&g, scale)
	friction := 0.5
	if n.Body != nil {
		friction = float64(n.Body.Friction)
	}
	p := axes(at)
	w.d.Empty("geom", append(geom(sh), "pos", triple(p.X, p.Y, p.Z), "group", "3", "friction", artefact.Float(friction)+" 0.005 0.0001", "mass", "0")...)
}

// geom is a shape with the half sizes that the format has.
func geom(sh solid) []string {
	f := artefact.Float
	switch sh.kind {
	case "sphere":
		return []string{"type", "sphere", "size", f(sh.radius)}
	case "cylinder", "capsule":
		return []string{"type", sh.kind, "size", f(sh.radius) + " " + f(sh.length/2)}
	}
	s := sizes(sh.size)
	return []string{"type", sh.kind, "size", triple(s[0]/2, s[1]/2, s[2]/2)}
}

// contacts keeps bodies from bumping into what they are jointed to, as their
// solids overlap where the joint is.
func (w *mjcf) contacts() {
	w.d.Open("contact")
	for i, up := range w.up {
		if up >= 0 && w.s.Nodes[i].Joint != nil && w.bumps(i) && w.bumps(up) {
			w.d.Empty("exclude", "body1", w.links[up], "body2", w.links[i])
		}
	}
	w.d.Close("contact")
}
