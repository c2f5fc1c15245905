// Package ruling turns the labels on one object into a decision of this node.
// It is an opinion of that node: it decides what is shown and relayed there, and
// nothing that nodes must agree on.
//
// Two kinds of voices decide. The house is whoever runs this node: its own service
// agent and the admins of its configuration. A labeler is somebody else whose
// labels the node follows. Everybody else reports.
package ruling

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
)

// Voice is what the word of an agent is worth at this node.
type Voice int

// The voices.
const (
	Reporter Voice = iota // its labels are reports
	Labeler               // its labels decide until it, or the house, takes them back
	House                 // as a labeler's; its dismissal takes back the labels of every voice
)

// Ruling is the outcome over the labels of one object.
type Ruling struct {
	Standing []fold.Label // labels of labelers and the house that nobody took back, in order
	Reports  []fold.Label // labels of reporters after the last decision to let it stay
}

// Of judges the labels on an object, which stand in (hlc, id) order. A label on a
// forked chain weighs nothing. A dismissal by the house takes back whatever stood
// before it, whoever said it, and answers the reports up to there; one by a labeler
// takes back its own labels and answers the reports up to there. What comes later
// counts anew.
func Of(labels []fold.Label, voice func(change.AgentID) Voice) Ruling {
	var out Ruling
	for _, l := range labels {
		if l.Forked {
			continue
		}
		v := voice(l.Agent)
		switch {
		case v == Reporter:
			// An arbiter's words are nothing in the mouth of a reporter.
			if l.Value != body.LabelDismissed && l.Value != body.LabelUpheld {
				out.Reports = append(out.Reports, l)
			}
		case l.Value != body.LabelDismissed:
			out.Standing = append(out.Standing, l)
		case v == House:
			out = Ruling{}
		default:
			out.Reports = nil
			out.Standing = without(out.Standing, l.Agent)
		}
	}
	return out
}

// without returns the labels that are not of an agent, in a slice of their own.
func without(labels []fold.Label, agent change.AgentID) []fold.Label {
	var rest []fold.Label
	for _, l := range labels {
		if l.Agent != agent {
			rest = append(rest, l)
		}
	}
	return rest
}
