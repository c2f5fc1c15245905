package artefact

import (
	"slices"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Feature is a column of the feature matrix.
type Feature string

// The features in the order of the matrix.
const (
	Nodes       Feature = "nodes"
	Geometry    Feature = "geometry"
	Models      Feature = "models"
	Materials   Feature = "materials"
	Lights      Feature = "lights"
	Environment Feature = "environment"
	Effects     Feature = "effects"
	Cameras     Feature = "cameras"
	Animations  Feature = "animations"
	Physics     Feature = "physics"
	Joints      Feature = "joints"
	Audio       Feature = "audio"
	Particles   Feature = "particles"
	UI          Feature = "ui"
	Events      Feature = "events"
	Behaviour   Feature = "behaviour"
	Machines    Feature = "machines"
	Agents      Feature = "agents"
	Network     Feature = "network"
	XR          Feature = "xr"
	Pipelines   Feature = "pipelines"
)

// Features lists all columns.
var Features = []Feature{
	Nodes, Geometry, Models, Materials, Lights, Environment, Effects, Cameras, Animations, Physics, Joints, Audio, Particles, UI, Events,
	Behaviour, Machines, Agents, Network, XR, Pipelines,
}

// Level is how well a target carries a feature.
type Level string

// The levels: carried in full, approximated (TGT003), carried as data (TGT002),
// outside of the target's purpose.
const (
	Full   Level = "F"
	Part   Level = "P"
	None   Level = "X"
	Beside Level = "-"
)

// Matrix is a row of the feature matrix.
type Matrix map[Feature]Level

// Row reads the letters of a row of the matrix, in the order of Features; spaces
// do not count.
func Row(letters string) Matrix {
	m := Matrix{}
	i := 0
	for _, c := range letters {
		if c == ' ' {
			continue
		}
		m[Features[i]] = Level(c)
		i++
	}
	return m
}

// Whole says whether a row is that of a form of the whole model, which loses nothing.
func (m Matrix) Whole() bool {
	return m[Behaviour] == Full && m[Pipelines] == Full && m[Network] == Full
}

// columns are the features that stand for the capabilities of the model. Twins, robots
// and services have none: their targets are judged by what else they carry.
var columns = map[trait.Capability]Feature{
	"nodes": Nodes, "geometry": Geometry, "material": Materials, "light": Lights, "environment": Environment, "post": Effects, "camera": Cameras,
	"animation": Animations, "physics": Physics, "joint": Joints, "audio": Audio, "particles": Particles, "ui": UI, "events": Events,
	"script": Behaviour, "machine": Machines, "agent": Agents, "network": Network, "xr": XR, "pipeline": Pipelines,
}

// Column is the feature that stands for a capability, if one does.
func Column(c trait.Capability) (Feature, bool) {
	f, ok := columns[c]
	return f, ok
}

// Uses are the places where a scene uses each feature.
func Uses(s *scene.Scene, registry *trait.Registry) map[Feature][]scene.LossNode {
	u := map[Feature][]scene.LossNode{}
	file := func(src scene.Src) string {
		if src[0] < len(s.Files) {
			return s.Files[src[0]]
		}
		return ""
	}
	at := func(f Feature, src scene.Src) {
		u[f] = append(u[f], scene.LossNode{File: file(src), Line: src[1]})
	}
	ids := make(map[string]*scene.Node, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		ids[n.ID] = n
		for _, f := range nodeFeatures(s, n, registry) {
			u[f] = append(u[f], LossNode(s, n))
		}
	}
	top := scene.Src{0, 1, 1}
	e := &s.Environment
	if e.Sky.Kind != "" || e.Fog != nil || e.Ambient != nil || e.ToneMapping != "" {
		at(Environment, top)
	}
	if len(s.Post) > 0 {
		at(Effects, top)
	}
	for i := range s.Animations {
		if n := ids[s.Animations[i].Node]; n != nil {
			u[Animations] = append(u[Animations], LossNode(s, n))
		}
	}
	for i := range s.Timelines {
		at(Animations, s.Timelines[i].Src)
	}
	for i := range s.UI {
		at(UI, s.UI[i].Src)
	}
	for i := range s.Pipelines {
		at(Pipelines, s.Pipelines[i].Src)
	}
	for i := range s.Agents {
		at(Agents, s.Agents[i].Src)
	}
	behaviourUses(s, ids, u)
	return u
}

// LossNode is the place of a node in a loss.
func LossNode(s *scene.Scene, n *scene.Node) scene.LossNode {
	file := ""
	if n.Src[0] < len(s.Files) {
		file = s.Files[n.Src[0]]
	}
	return scene.LossNode{ID: n.ID, Path: n.Path, File: file, Line: n.Src[1]}
}

func nodeFeatures(s *scene.Scene, n *scene.Node, registry *trait.Registry) []Feature {
	out := []Feature{Nodes}
	add := func(f Feature, yes bool) {
		if yes && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	if n.Geometry != nil {
		model := s.Geometries[*n.Geometry].Kind == "model"
		add(Models, model)
		add(Geometry, !model)
	}
	add(Geometry, n.Text != nil)
	add(Materials, n.Material != nil)
	add(Lights, n.Light != nil)
	add(Cameras, n.Camera != nil)
	add(Physics, n.Body != nil || n.Collider != nil)
	add(Joints, n.Joint != nil)
	add(Audio, n.Audio != nil)
	add(Particles, n.Particle.Kind != trait.Unknown)
	add(Events, len(n.Interact) > 0)
	for _, t := range n.Traits {
		e, ok := registry.Lookup(t.Name)
		if !ok {
			continue
		}
		for _, capability := range e.Lowers {
			switch capability {
			case "xr":
				add(XR, true)
			case "network":
				add(Network, true)
			case "machine":
				add(Machines, true)
			}
		}
	}
	return out
}

func behaviourUses(s *scene.Scene, ids map[string]*scene.Node, u map[Feature][]scene.LossNode) {
	b := s.Behaviour
	if b == nil {
		return
	}
	code := func(f Feature, list []scene.Code) {
		for _, c := range list {
			if c.Node == nil || c.File == nil {
				continue
			}
			line, _ := c.File.Stream.Source.Position(int(c.Node.Span().Start))
			u[f] = append(u[f], scene.LossNode{File: c.File.Path(), Line: line})
		}
	}
	for i := range b.Owners {
		o := &b.Owners[i]
		n := ids[o.Node]
		if n == nil {
			for _, st := range o.State {
				code(Behaviour, []scene.Code{st.Code})
			}
			code(Behaviour, o.Computed)
			code(Behaviour, o.Watches)
			code(Behaviour, o.Functions)
			code(Behaviour, o.Handlers)
			code(Machines, o.Machines)
			code(Machines, o.Trees)
			continue
		}
		here := LossNode(s, n)
		if len(o.State)+len(o.Computed)+len(o.Watches)+len(o.Functions)+len(o.Handlers)+len(o.Binds) > 0 {
			u[Behaviour] = append(u[Behaviour], here)
		}
		if len(o.Machines)+len(o.Trees) > 0 && !slices.Contains(u[Machines], here) {
			u[Machines] = append(u[Machines], here)
		}
	}
	for _, w := range b.Wires {
		code(Behaviour, []scene.Code{w.Code})
	}
	for _, r := range b.Runs {
		code(Behaviour, []scene.Code{r.Code})
	}
}
