package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
)

// retractFold is what agents took back, known or not.
type retractFold struct {
	*agentFold
	retracts   map[change.ID][]retract // by target
	retracting map[change.ID]change.ID // from each retract to its target
}

func newRetractFold(agents *agentFold) retractFold {
	return retractFold{agentFold: agents, retracts: map[change.ID][]retract{}, retracting: map[change.ID]change.ID{}}
}

type retract struct {
	id        change.ID
	agent     *agent
	space     change.Space
	authority *authority
	seq       uint64
	off       bool // it has no effect
}

func (v *folded) applyRetract(c *change.Change, ch *rights.Chain) []Delta {
	a := v.identity(c)
	b, err := body.ParseRetract(c.Body, c.Head.Parents())
	if a == nil || err != nil {
		return nil
	}
	if _, known := v.retracting[c.ID]; known {
		return nil
	}
	r := retract{id: c.ID, agent: a, space: c.Head.Space, authority: v.authority(c, ch), seq: c.Head.Seq}
	r.off = !v.rights.Judge(r.authority.use(r.id, r.seq)).OK
	v.addRetract(b.Target, r)
	return v.refresh(b.Target)
}

func (v *folded) withdrawRetract(id change.ID) []Delta {
	target, ok := v.retracting[id]
	if !ok {
		return nil
	}
	rs := v.retracts[target]
	i := slices.IndexFunc(rs, func(r retract) bool { return r.id == id })
	r := rs[i]
	delete(v.retracting, id)
	v.each(r.agent, r.space, func(w *works) { delete(w.retracts, id) })
	if v.retracts[target] = slices.Delete(rs, i, i+1); len(v.retracts[target]) == 0 {
		delete(v.retracts, target)
	}
	return v.refresh(target)
}

func (v *retractFold) addRetract(target change.ID, r retract) {
	v.retracts[target] = append(v.retracts[target], r)
	v.retracting[r.id] = target
	v.each(r.agent, r.space, func(w *works) { w.addRetract(r.id) })
}

// takenBack reports whether a change was retracted by its own agent in its space.
func (v *retractFold) takenBack(id change.ID, by *agent, space change.Space) bool {
	return slices.ContainsFunc(v.retracts[id], func(r retract) bool { return !r.off && r.agent == by && r.space == space })
}
