package artefact

import (
	"slices"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// featureNames are the features as messages call them.
var featureNames = map[Feature]string{
	Nodes: "nodes", Geometry: "solids", Models: "model files", Materials: "materials", Lights: "lights", Environment: "sky and fog",
	Effects: "image effects", Cameras: "cameras", Animations: "animations", Physics: "bodies and colliders", Joints: "joints", Audio: "sounds",
	Particles: "particles", UI: "controls", Events: "interaction", Behaviour: "state and handlers", Machines: "state machines and trees",
	Agents: "agents", Network: "replication", XR: "immersive mode", Pipelines: "pipelines",
}

// Name is the feature as messages call it.
func (f Feature) Name() string { return featureNames[f] }

// Losses are what a target cannot carry of a scene, by its row of the matrix:
// one for each feature, one for each trait that no feature stands for. how says
// what an approximated feature becomes.
func Losses(s *scene.Scene, registry *trait.Registry, target string, row Matrix, how map[Feature]string) []scene.Loss {
	uses := Uses(s, registry)
	var out []scene.Loss
	for _, f := range Features {
		places := uses[f]
		if len(places) == 0 {
			continue
		}
		if code, reason := Verdict(f, row, how); code != "" {
			out = append(out, loss(code, target, f, "", reason, places))
		}
	}
	if row.Whole() {
		return out
	}
	return append(out, traitLosses(s, registry, target)...)
}

// Verdict is the loss that a row of the matrix means for a feature, or none.
func Verdict(f Feature, row Matrix, how map[Feature]string) (code, reason string) {
	switch row[f] {
	case Part:
		if how[f] != "" {
			return "TGT003", how[f]
		} // else the writer names the loss where it happens
	case None:
		return "TGT002", "the format has no place for it; it is kept as data where data can be kept"
	}
	return "", ""
}

// DataOnly is why a trait that stands for no capability is a loss.
const DataOnly = "the trait stands for no capability; it is kept as data where data can be kept"

// traitLosses names the traits that are data only.
func traitLosses(s *scene.Scene, registry *trait.Registry, target string) []scene.Loss {
	places := map[string][]scene.LossNode{}
	var names []string
	for i := range s.Nodes {
		for _, t := range s.Nodes[i].Traits {
			if e, ok := registry.Lookup(t.Name); ok && e.Core() {
				continue
			}
			if places[t.Name] == nil {
				names = append(names, t.Name)
			}
			places[t.Name] = append(places[t.Name], LossNode(s, &s.Nodes[i]))
		}
	}
	var out []scene.Loss
	for _, n := range names {
		l := loss("TGT002", target, "traits", n, DataOnly, places[n])
		out = append(out, l)
	}
	return out
}

func loss(code, target string, f Feature, trait, reason string, places []scene.LossNode) scene.Loss {
	places = slices.Compact(slices.Clone(places))
	l := scene.Loss{Code: code, Target: target, Feature: string(f), Trait: trait, Reason: reason, Count: len(places)}
	l.Nodes = places[:min(len(places), scene.MaxLossNodes)]
	return l
}

// Tally gathers the losses that a writer sees node by node.
type Tally struct {
	s      *scene.Scene
	target string
	out    []scene.Loss
}

// NewTally makes an empty one.
func NewTally(in *Input) *Tally { return &Tally{s: in.Scene, target: in.Target} }

// Approximate says that a node's feature is carried in part (TGT003).
func (t *Tally) Approximate(f Feature, n *scene.Node, reason string) { t.add("TGT003", f, n, reason) }

// Drop says that a node's feature is left out (TGT002).
func (t *Tally) Drop(f Feature, n *scene.Node, reason string) { t.add("TGT002", f, n, reason) }

func (t *Tally) add(code string, f Feature, n *scene.Node, reason string) {
	place := scene.LossNode{File: t.s.Files[0], Line: 1}
	if n != nil {
		place = LossNode(t.s, n)
	}
	for i := range t.out {
		l := &t.out[i]
		if l.Code == code && l.Feature == string(f) && l.Reason == reason {
			l.Count++
			if len(l.Nodes) < scene.MaxLossNodes {
				l.Nodes = append(l.Nodes, place)
			}
			return
		}
	}
	t.out = append(t.out, scene.Loss{Code: code, Target: t.target, Feature: string(f), Reason: reason, Count: 1, Nodes: []scene.LossNode{place}})
}

// All are the losses in the order of their first places.
func (t *Tally) All() []scene.Loss { return t.out }
