package robot

import (
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// SDF makes world.sdf: a world with its light and gravity and a model for every
// root of the scene, whose nodes are links.
func SDF(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	if len(s.Nodes) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one node")
	}
	w := &sdf{in: in, s: s, frames: frames(s), tally: artefact.NewTally(in), names: names{taken: map[string]bool{"world": true}}}
	for i := range s.Nodes {
		w.links = append(w.links, w.names.name(in, &s.Nodes[i]))
	}
	w.d.b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
	w.d.comment(in.Header())
	w.d.open("sdf", "version", "1.9")
	w.d.open("world", "name", "scene")
	g := scene.DefaultGravity
	if s.Environment.Gravity != nil {
		g = *s.Environment.Gravity
	}
	a := axes(vec.At(g[0], g[1], g[2]))
	w.d.text("gravity", triple(a.X, a.Y, a.Z))
	w.d.open("physics", "name", "default", "type", "ode")
	w.d.text("max_step_size", "0.001")
	w.d.text("real_time_factor", "1")
	w.d.close("physics")
	w.surroundings()
	out := &artefact.Output{}
	up := parents(s)
	groups, order := w.group(up)
	for _, root := range order {
		w.model(root, groups[root], up, out)
	}
	for i := range s.Nodes {
		w.light(i)
	}
	w.d.close("world")
	w.d.close("sdf")
	out.Files = []artefact.File{{Path: "world.sdf", MediaType: "application/xml", Data: w.d.b.Bytes()}}
	out.Losses, out.Notes = w.tally.All(), append(w.names.notes, w.notes...)
	return out, nil
}

type sdf struct {
	in     *artefact.Input
	s      *scene.Scene
	d      document
	frames []frame
	links  []string
	names  names
	notes  []artefact.Note
	tally  *artefact.Tally
}

// group gathers the nodes of every model: those that hang together.
func (w *sdf) group(up []int) (map[int][]int, []int) {
	groups := map[int][]int{}
	var order []int
	for i := range w.s.Nodes {
		root := i
		for up[root] >= 0 {
			root = up[root]
		}
		if groups[root] == nil {
			order = append(order, root)
		}
		groups[root] = append(groups[root], i)
	}
	return groups, order
}

func color(c string) string {
	b := scene.RGBA(c)
	f := func(x uint8) string { return artefact.Float(float64(x) / 255) }
	return f(b[0]) + " " + f(b[1]) + " " + f(b[2]) + " " + f(b[3])
}

func (w *sdf) surroundings() {
	e := &w.s.Environment
	ambient := scene.DefaultAmbient
	if e.Ambient != nil {
		ambient = *e.Ambient
	}
	c := scene.RGBA(ambient.Color)
	k := math.Min(ambient.Intensity, 1)
	w.d.open("scene")
	w.d.text("ambient", triple(float64(c[0])/255*k, float64(c[1])/255*k, float64(c[2])/255*k)+" 1")
	if len(e.Sky.Colors) > 0 {
		w.d.text("background", color(e.Sky.Colors[len(e.Sky.Colors)-1]))
	}
	w.d.text("shadows", strconv.FormatBool(e.Shadows))
	w.d.close("scene")
}

func (w *sdf) pose(f frame, attributes ...string) {
	xyz, rpy := f.pose()
	w.d.indent()
	w.d.b.WriteString("<pose")
	for i := 0; i+1 < len(attributes); i += 2 {
		w.d.b.WriteString(" " + attributes[i] + `="` + escape(attributes[i+1]) + `"`)
	}
	w.d.b.WriteString(">" + xyz + " " + rpy + "</pose>\n")
}

func (w *sdf) model(root int, nodes, up []int, out *artefact.Output) {
	moves := false
	for _, i := range nodes {
		n := &w.s.Nodes[i]
		moves = moves || n.Body != nil && n.Body.Type == "dynamic" || n.Joint != nil && n.Joint.Type != "fixed"
	}
	name := w.links[root]
	w.d.open("model", "name", name)
	w.d.text("static", strconv.FormatBool(!moves))
	w.pose(w.frames[root])
	for _, i := range nodes {
		w.link(i, root)
		out.Places = append(out.Places, artefact.Place{ID: w.s.Nodes[i].ID, Place: "model " + name + " link " + w.links[i]})
	}
	for _, i := range nodes {
		if i != root {
			w.joint(i, w.links[up[i]])
		} else if j := w.s.Nodes[i].Joint; j != nil {
			w.joint(i, "world")
		}
	}
	w.d.close("model")
}

func (w *sdf) link(i, root int) {
	n := &w.s.Nodes[i]
	w.d.comment(w.in.Source(n.Src))
	w.d.open("link", "name", w.links[i])
	w.pose(w.frames[i].below(w.frames[root]))
	size := scene.Vec{0.01, 0.01, 0.01}
	var sh *solid
	if n.Geometry != nil && w.s.Geometries[*n.Geometry].Kind != "model" {
		found, exact := shapeOf(&w.s.Geometries[*n.Geometry], w.frames[i].scale)
		if !exact && found.kind != "capsule" {
			w.tally.Approximate(artefact.Geometry, n, "solids other than boxes, spheres, cylinders and capsules become boxes of their size")
		}
		sh, size = &found, found.size
	}
	m := mass(n)
	in := inertia(m, size)
	w.d.open("inertial")
	w.d.text("mass", artefact.Float(m))
	w.d.open("inertia")
	for k, key := range [3]string{"ixx", "iyy", "izz"} {
		w.d.text(key, artefact.Float(in[k]))
	}
	w.d.close("inertia")
	w.d.close("inertial")
	if n.Geometry != nil && sh == nil {
		path := w.s.Assets[*w.s.Geometries[*n.Geometry].Asset].Path
		w.d.open("visual", "name", "visual")
		w.d.open("geometry")
		w.d.open("mesh")
		w.d.text("uri", clean(path))
		w.d.close("mesh")
		w.d.close("geometry")
		w.d.close("visual")
		w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
	}
	if sh != nil {
		w.d.open("visual", "name", "visual")
		w.shape(*sh)
		if n.Material != nil {
			mat := &w.s.Materials[*n.Material]
			w.d.open("material")
			w.d.text("ambient", color(mat.BaseColor))
			w.d.text("diffuse", color(mat.BaseColor))
			if mat.Emissive != "" {
				w.d.text("emissive", color(mat.Emissive))
			}
			w.d.close("material")
		}
		w.d.close("visual")
		if n.Collider != nil && !n.Collider.Trigger || n.Body != nil {
			w.d.open("collision", "name", "collision")
			w.shape(*sh)
			w.d.close("collision")
		}
	}
	w.camera(n)
	w.d.close("link")
}

func (w *sdf) shape(sh solid) {
	w.d.open("geometry")
	w.d.open(sh.kind)
	switch sh.kind {
	case "sphere":
		w.d.text("radius", artefact.Float(sh.radius))
	case "cylinder", "capsule":
		w.d.text("radius", artefact.Float(sh.radius))
		w.d.text("length", artefact.Float(sh.length))
	default:
		s := sizes(sh.size)
		w.d.text("size", triple(s[0], s[1], s[2]))
	}
	w.d.close(sh.kind)
	w.d.close("geometry")
}

func (w *sdf) camera(n *scene.Node) {
	c := n.Camera
	if c == nil {
		return
	}
	w.d.open("sensor", "name", "camera", "type", "camera")
	w.d.open("camera")
	w.d.text("horizontal_fov", artefact.Float(math.Min(c.FOV*4/3, 3.1)))
	w.d.open("image")
	w.d.text("width", "640")
	w.d.text("height", "480")
	w.d.close("image")
	w.d.open("clip")
	w.d.text("near", artefact.Float(c.Near))
	w.d.text("far", artefact.Float(c.Far))
	w.d.close("clip")
	w.d.close("camera")
	w.d.close("sensor")
}

func (w *sdf) joint(i int, parent string) {
	n := &w.s.Nodes[i]
	kind := "fixed"
	if n.Joint != nil {
		kind = n.Joint.Type
	}
	w.d.open("joint", "name", "to_"+w.links[i], "type", kind)
	w.d.text("parent", parent)
	w.d.text("child", w.links[i])
	if j := n.Joint; j != nil && kind != "fixed" && kind != "ball" {
		a := axes(vec.At(j.Axis[0], j.Axis[1], j.Axis[2])).Unit()
		w.d.open("axis")
		w.d.text("xyz", triple(a.X, a.Y, a.Z))
		if kind != "continuous" {
			w.d.open("limit")
			w.d.text("lower", artefact.Float(math.Min(j.Min, j.Max)))
			w.d.text("upper", artefact.Float(math.Max(j.Min, j.Max)))
			w.d.text("effort", effort)
			w.d.text("velocity", velocity)
			w.d.close("limit")
		}
		w.d.close("axis")
	}
	w.d.close("joint")
}

func (w *sdf) light(i int) {
	n := &w.s.Nodes[i]
	l := n.Light
	if l == nil {
		return
	}
	kind := l.Type
	switch kind {
	case "ambient", "hemisphere":
		w.tally.Drop(artefact.Lights, n, "light from everywhere belongs to the scene and is taken from its environment alone")
		return
	case "area":
		w.tally.Approximate(artefact.Lights, n, "area lights become spot lights")
		kind = "spot"
	}
	w.d.open("light", "name", "light_"+w.links[i], "type", kind)
	w.pose(w.frames[i])
	w.d.text("cast_shadows", strconv.FormatBool(l.Shadow))
	w.d.text("diffuse", color(l.Color))
	w.d.text("specular", "0.2 0.2 0.2 1")
	w.d.text("intensity", artefact.Float(float64(l.Intensity)))
	forward := axes(vec.At(0, 0, -1))
	w.d.text("direction", triple(forward.X, forward.Y, forward.Z))
	if kind != "directional" {
		reach := l.Range
		if reach <= 0 {
			reach = 100
		}
		w.d.open("attenuation")
		w.d.text("range", artefact.Float(reach))
		w.d.text("constant", "0")
		w.d.text("linear", "0")
		w.d.text("quadratic", "1")
		w.d.close("attenuation")
	}
	if kind == "spot" {
		outer := l.Angle
		if outer == 0 {
			outer = 1.4
		}
		w.d.open("spot")
		w.d.text("inner_angle", artefact.Float(outer*2*(1-l.Penumbra)))
		w.d.text("outer_angle", artefact.Float(outer*2))
		w.d.text("falloff", "1")
		w.d.close("spot")
	}
	w.d.close("light")
}
