package robot

import (
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// What a joint that says nothing of it can bear.
const (
	effort   = "10"
	velocity = "1"
)

// URDF makes robot.urdf: a base link, a link for every node, and a joint from
// each to the one above.
func URDF(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	if len(s.Nodes) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one node")
	}
	w := &urdf{in: in, s: s, frames: frames(s), tally: artefact.NewTally(in), names: names{taken: map[string]bool{"base_link": true}}}
	for i := range s.Nodes {
		in.Pause()
		w.links = append(w.links, w.names.name(in, &s.Nodes[i]))
	}
	w.d.Begin(in.Header())
	name := artefact.OneLine(s.Name)
	if name == "" {
		name = "robot"
	}
	w.d.Open("robot", "name", name)
	w.materials()
	w.d.Empty("link", "name", "base_link")
	up := parents(s)
	out := &artefact.Output{}
	for i := range s.Nodes {
		w.link(i)
		w.joint(i, up[i])
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: "link " + w.links[i]})
	}
	w.d.Close("robot")
	out.Files = []artefact.File{{Path: "robot.urdf", MediaType: "application/xml", Data: w.d.Bytes()}}
	out.Losses, out.Notes = w.tally.All(), append(w.names.notes, w.notes...)
	return out, nil
}

type urdf struct {
	in     *artefact.Input
	s      *scene.Scene
	d      artefact.XML
	frames []frame
	links  []string
	names  names
	notes  []artefact.Note
	tally  *artefact.Tally
}

func (w *urdf) materials() {
	for i := range w.s.Materials {
		c := scene.RGBA(w.s.Materials[i].BaseColor)
		f := func(b uint8) string { return artefact.Float(float64(b) / 255) }
		w.d.Open("material", "name", "m"+strconv.Itoa(i))
		w.d.Empty("color", "rgba", f(c[0])+" "+f(c[1])+" "+f(c[2])+" "+f(c[3]))
		w.d.Close("material")
	}
}

func (w *urdf) link(i int) {
	n := &w.s.Nodes[i]
	w.d.Comment(w.in.Source(n.Src))
	w.d.Open("link", "name", w.links[i])
	size := scene.Vec{0.01, 0.01, 0.01}
	if n.Geometry != nil {
		g := &w.s.Geometries[*n.Geometry]
		if g.Kind == "model" {
			w.mesh(n, g)
		} else {
			sh, exact := shapeOf(g, w.frames[i].scale)
			size = sh.size
			if !exact {
				w.tally.Approximate(artefact.Geometry, n, "solids other than boxes, spheres and cylinders become boxes or cylinders of their size")
			}
			w.d.Open("visual")
			w.shape(sh)
			if n.Material != nil {
				w.d.Empty("material", "name", "m"+strconv.Itoa(*n.Material))
			}
			w.d.Close("visual")
			if n.Collider != nil && !n.Collider.Trigger || n.Body != nil {
				w.d.Open("collision")
				w.shape(sh)
				w.d.Close("collision")
			}
		}
	}
	m := mass(n)
	in := inertia(m, size)
	f := artefact.Float
	w.d.Open("inertial")
	w.d.Empty("mass", "value", f(m))
	w.d.Empty("inertia", "ixx", f(in[0]), "ixy", "0", "ixz", "0", "iyy", f(in[1]), "iyz", "0", "izz", f(in[2]))
	w.d.Close("inertial")
	w.d.Close("link")
}

func (w *urdf) mesh(n *scene.Node, g *scene.Geometry) {
	path := w.s.Assets[*g.Asset].Path
	w.d.Open("visual")
	w.d.Open("geometry")
	w.d.Empty("mesh", "filename", artefact.OneLine(path))
	w.d.Close("geometry")
	w.d.Close("visual")
	w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
}

func (w *urdf) shape(sh solid) {
	w.d.Open("geometry")
	switch sh.kind {
	case "sphere":
		w.d.Empty("sphere", "radius", artefact.Float(sh.radius))
	case "cylinder", "capsule":
		w.d.Empty("cylinder", "radius", artefact.Float(sh.radius), "length", artefact.Float(sh.size[1]))
	default:
		s := sizes(sh.size)
		w.d.Empty("box", "size", triple(s[0], s[1], s[2]))
	}
	w.d.Close("geometry")
}

func (w *urdf) joint(i, up int) {
	n := &w.s.Nodes[i]
	parent, above := "base_link", origin
	if up >= 0 {
		parent, above = w.links[up], w.frames[up]
	}
	kind := "fixed"
	j := n.Joint
	if j != nil {
		kind = j.Type
		if kind == "ball" {
			w.tally.Approximate(artefact.Joints, n, "ball joints become fixed ones")
			kind = "fixed"
		}
	}
	w.d.Open("joint", "name", "to_"+w.links[i], "type", kind)
	xyz, rpy := w.frames[i].below(above).pose()
	w.d.Empty("origin", "xyz", xyz, "rpy", rpy)
	w.d.Empty("parent", "link", parent)
	w.d.Empty("child", "link", w.links[i])
	if j != nil && kind != "fixed" {
		a := axes(vec.At(j.Axis[0], j.Axis[1], j.Axis[2])).Unit()
		w.d.Empty("axis", "xyz", triple(a.X, a.Y, a.Z))
		if kind != "continuous" {
			w.d.Empty("limit", "lower", artefact.Float(math.Min(j.Min, j.Max)), "upper", artefact.Float(math.Max(j.Min, j.Max)), "effort", effort, "velocity", velocity)
		}
	}
	w.d.Close("joint")
}
