package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// stamp is the value of a label, as its place in body.Labels.
type stamp uint8

var (
	stamps    = body.Labels()
	dismissed = stampOf(body.LabelDismissed)
)

func stampOf(value string) stamp { return stamp(slices.Index(stamps, value)) }

func (s stamp) pack(w *writer) { w.uint(uint64(s)) }

func (s stamp) String() string { return stamps[s] }

func unpackLabel(r *reader) said {
	n := r.uint()
	if n >= uint64(len(stamps)) {
		r.fail()
		return stamp(0)
	}
	return stamp(n)
}

func readLabel(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseLabel(c.Body, c.Head.Parents())
	if err != nil {
		return b.Target, nil, err
	}
	return b.Target, stampOf(b.Value), nil
}

// Label is a label, without the reason its author gave.
type Label struct {
	Act
	Value string // one of body.Labels
}

// Labels are the labels of a target that have effect and were not retracted, in
// (hlc, id) order. Anybody may label; whose labels mean something is the reader's
// to decide. A label of another space than its target's is none.
func (v *actQueries) Labels(target change.ID) []Label {
	v.mu.RLock()
	quiet := len(v.about[target]) == 0
	v.mu.RUnlock()
	if quiet {
		return nil
	}
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	space, _, ok := v.whose(target)
	if !ok {
		return nil
	}
	var out []Label
	v.on(target, change.KindLabel, func(a *act) {
		if !a.retracted && a.space == space {
			out = append(out, Label{v.describeAct(a), a.said.(stamp).String()})
		}
	})
	return out
}

// AgentLabels are the labels on the beginning of an agent, which say something of all
// it writes, in (hlc, id) order, as Labels.
func (v *actQueries) AgentLabels(id change.AgentID) []Label {
	v.mu.RLock()
	genesis := v.genesis(id)
	quiet := len(v.about[genesis]) == 0
	v.mu.RUnlock()
	if quiet {
		return nil
	}
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	var out []Label
	v.on(genesis, change.KindLabel, func(a *act) {
		if !a.retracted && a.space == id.Space() {
			out = append(out, Label{v.describeAct(a), a.said.(stamp).String()})
		}
	})
	return out
}

// Labelled calls yield with every target that has a label with effect, in no
// order, until yield returns false. Yield must not call Views.
func (v *actQueries) Labelled(yield func(target change.ID) bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	seen := map[change.ID]bool{}
	for a := range v.counters[change.KindLabel] {
		if !a.off && !seen[a.target] {
			seen[a.target] = true
			if !yield(a.target) {
				return
			}
		}
	}
}

// blame is how many different refusals stand against a target by labelers of the
// manifest: of each labeler those that it did not take back and has not dismissed
// since.
func (v *reputationFold) blame(target change.ID, labelers []did.Key) int {
	space, _, ok := v.whose(target)
	if !ok {
		return 0
	}
	standing := map[*agent]map[stamp]bool{}
	v.on(target, change.KindLabel, func(a *act) {
		if a.retracted || a.space != space || v.describeAct(a).Forked || !labels(a.agent, labelers) {
			return
		}
		switch s := a.said.(stamp); {
		case s == dismissed:
			delete(standing, a.agent)
		case body.Refuses(s.String()):
			if standing[a.agent] == nil {
				standing[a.agent] = map[stamp]bool{}
			}
			standing[a.agent][s] = true
		}
	})
	all := map[stamp]bool{}
	for _, one := range standing {
		for s := range one {
			all[s] = true
		}
	}
	return len(all)
}
