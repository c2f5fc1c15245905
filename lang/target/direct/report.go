package direct

import (
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// Report names the functions that no readable code stands for, by what they have:
// they do the same, but in the data of an interpreter.
func (s *Scripts) Report(tally *artefact.Tally, in *scene.Scene) {
	nodes := map[string]*scene.Node{}
	for i := range in.Nodes {
		nodes[in.Nodes[i].ID] = &in.Nodes[i]
	}
	for _, l := range s.Left {
		if l.Reason == early { // the first value of a key is no code that somebody reads
			continue
		}
		tally.Approximate(artefact.Behaviour, nodes[l.Owner], "what has "+l.kind()+" is run by the interpreter that comes with the scene, not by a script to read")
	}
}

// kind is the reason without names of the source.
func (l Left) kind() string {
	if l.Called {
		return "a call of a function that is left"
	}
	return l.Reason
}
