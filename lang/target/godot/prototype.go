package godot

import (
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// prototypes is the node below which the script finds what spawn copies. The
// nodes of a prototype stand there side by side, each with what belongs to it
// alone: what is spawned hangs on what it was spawned with.
const prototypes = "Prototypes"

// inert says whether a node is there to be copied only.
func inert(n scene.Node) bool { return n.Prototype != "" }

// prototype is a node of a prototype as its copies are: what can only be made
// once, for the scene, is left out.
func (w *writer) prototype(n *scene.Node) *scene.Node {
	out := *n
	if n.Joint != nil {
		w.tally.Drop(artefact.Physics, n, "what is spawned hangs on no joint")
		out.Joint = nil
	}
	if l := n.Light; l != nil && (l.Type == "ambient" || l.Type == "hemisphere") {
		w.tally.Approximate(artefact.Lights, n, "light from everywhere is that of the scene: what is spawned gives none")
		if l.Type == "ambient" {
			out.Light = nil
		}
	}
	return &out
}
