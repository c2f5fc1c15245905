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
		in.Pause()
		w.links = append(w.links, w.names.name(in, &s.Nodes[i]))
	}
	w.d.Begin(in.Header())
	w.d.Open("sdf", "version", "1.9")
	w.d.Open("world", "name", "scene")
	g := scene.DefaultGravity
	if s.Environment.Gravity != nil {
		g = *s.Environment.Gravity
	}
	a := axes(vec.At(g[0], g[1], g[2]))
	w.d.Text("gravity", triple(a.X, a.Y, a.Z))
	w.d.Open("physics", "name", "default", "type", "ode")
	w.d.Text("max_step_size", "0.001")
	w.d.Text("real_time_factor", "1")
	w.d.Close("physics")
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
	w.d.Close("world")
	w.d.Close("sdf")
	out.Files = []artefact.File{{Path: "world.sdf", MediaType: "application/xml", Data: w.d.Bytes()}}
	out.Losses, out.Notes = w.tally.All(), append(w.names.notes, w.notes...)
	return out, nil
}

type sdf struct {
	in     *artefact.Input
	s      *scene.Scene
	d      artefact.XML
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
	w.d.Open("scene")
	w.d.Text("ambient", triple(float64(c[0])/255*k, float64(c[1])/255*k, float64(c[2])/255*k)+" 1")
	if len(e.Sky.Colors) > 0 {
		w.d.Text("background", color(e.Sky.Colors[len(e.Sky.Colors)-1]))
	}
	w.d.Text("shadows", strconv.FormatBool(e.Shadows))
	w.d.Close("scene")
}

func (w *sdf) pose(f frame, attributes ...string) {
	xyz, rpy := f.pose()
	w.d.Text("pose", xyz+" "+rpy, attributes...)
}

func (w *sdf) model(root int, nodes, up []int, out *artefact.Output) {
	moves := false
	for _, i := range nodes {
		n := &w.s.Nodes[i]
		moves = moves || n.Body != nil && n.Body.Type == "dynamic" || n.Joint != nil && n.Joint.Type != "fixed"
	}
	name := w.links[root]
	w.d.Open("model", "name", name)
	w.d.Text("static", strconv.FormatBool(!moves))
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
	w.d.Close("model")
}

func (w *sdf) link(i, root int) {
	n := &w.s.Nodes[i]
	w.d.Comment(w.in.Source(n.Src))
	w.d.Open("link", "name", w.links[i])
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
	w.d.Open("inertial")
	w.d.Text("mass", artefact.Float(m))
	w.d.Open("inertia")
	for k, key := range [3]string{"ixx", "iyy", "izz"} {
		w.d.Text(key, artefact.Float(in[k]))
	}
	w.d.Close("inertia")
	w.d.Close("inertial")
	if n.Geometry != nil && sh == nil {
		path := w.s.Assets[*w.s.Geometries[*n.Geometry].Asset].Path
		w.d.Open("visual", "name", "visual")
		w.d.Open("geometry")
		w.d.Open("mesh")
		w.d.Text("uri", artefact.OneLine(path))
		w.d.Close("mesh")
		w.d.Close("geometry")
		w.d.Close("visual")
		w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
	}
	if sh != nil {
		w.d.Open("visual", "name", "visual")
		w.shape(*sh)
		if n.Material != nil {
			mat := &w.s.Materials[*n.Material]
			w.d.Open("material")
			w.d.Text("ambient", color(mat.BaseColor))
			w.d.Text("diffuse", color(mat.BaseColor))
			if mat.Emissive != "" {
				w.d.Text("emissive", color(mat.Emissive))
			}
			w.d.Close("material")
		}
		w.d.Close("visual")
		if n.Collider != nil && !n.Collider.Trigger || n.Body != nil {
			w.d.Open("collision", "name", "collision")
			w.shape(*sh)
			w.d.Close("collision")
		}
	}
	w.camera(n)
	w.d.Close("link")
}

func (w *sdf) shape(sh solid) {
	w.d.Open("geometry")
	w.d.Open(sh.kind)
	switch sh.kind {
	case "sphere":
		w.d.Text("radius", artefact.Float(sh.radius))
	case "cylinder", "capsule":
		w.d.Text("radius", artefact.Float(sh.radius))
		w.d.Text("length", artefact.Float(sh.length))
	default:
		s := sizes(sh.size)
		w.d.Text("size", triple(s[0], s[1], s[2]))
	}
	w.d.Close(sh.kind)
	w.d.Close("geometry")
}

func (w *sdf) camera(n *scene.Node) {
	c := n.Camera
	if c == nil {
		return
	}
	w.d.Open("sensor", "name", "camera", "type", "camera")
	w.d.Open("camera")
	w.d.Text("horizontal_fov", artefact.Float(math.Min(c.FOV*4/3, 3.1)))
	w.d.Open("image")
	w.d.Text("width", "640")
	w.d.Text("height", "480")
	w.d.Close("image")
	w.d.Open("clip")
	w.d.Text("near", artefact.Float(c.Near))
	w.d.Text("far", artefact.Float(c.Far))
	w.d.Close("clip")
	w.d.Close("camera")
	w.d.Close("sensor")
}

func (w *sdf) joint(i int, parent string) {
	n := &w.s.Nodes[i]
	kind := "fixed"
	if n.Joint != nil {
		kind = n.Joint.Type
	}
	w.d.Open("joint", "name", "to_"+w.links[i], "type", kind)
	w.d.Text("parent", parent)
	w.d.Text("child", w.links[i])
	if j := n.Joint; j != nil && kind != "fixed" && kind != "ball" {
		a := axes(vec.At(j.Axis[0], j.Axis[1], j.Axis[2])).Unit()
		w.d.Open("axis")
		w.d.Text("xyz", triple(a.X, a.Y, a.Z))
		if kind != "continuous" {
			w.d.Open("limit")
			w.d.Text("lower", artefact.Float(math.Min(j.Min, j.Max)))
			w.d.Text("upper", artefact.Float(math.Max(j.Min, j.Max)))
			w.d.Text("effort", effort)
			w.d.Text("velocity", velocity)
			w.d.Close("limit")
		}
		w.d.Close("axis")
	}
	w.d.Close("joint")
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
	w.d.Open("light", "name", "light_"+w.links[i], "type", kind)
	w.pose(w.frames[i])
	w.d.Text("cast_shadows", strconv.FormatBool(l.Shadow))
	w.d.Text("diffuse", color(l.Color))
	w.d.Text("specular", "0.2 0.2 0.2 1")
	w.d.Text("intensity", artefact.Float(float64(l.Intensity)))
	forward := axes(vec.At(0, 0, -1))
	w.d.Text("direction", triple(forward.X, forward.Y, forward.Z))
	if kind != "directional" {
		reach := l.Range
		if reach <= 0 {
			reach = 100
		}
		w.d.Open("attenuation")
		w.d.Text("range", artefact.Float(reach))
		w.d.Text("constant", "0")
		w.d.Text("linear", "0")
		w.d.Text("quadratic", "1")
		w.d.Close("attenuation")
	}
	if kind == "spot" {
		outer := l.Angle
		if outer == 0 {
			outer = 1.4
		}
		w.d.Open("spot")
		w.d.Text("inner_angle", artefact.Float(outer*2*(1-l.Penumbra)))
		w.d.Text("outer_angle", artefact.Float(outer*2))
		w.d.Text("falloff", "1")
		w.d.Close("spot")
	}
	w.d.Close("light")
}
