package fold

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rights"
)

// folded is what was made of the changes so far: a fold for each kind of object, that
// keeps it and answers from it. Each knows those it rests on, which stand above it
// here, and none that rests on it; what a change does to several of them is done by
// folded itself. Nothing in it locks.
type folded struct {
	net change.NetID
	rowSum
	rightFold
	agentFold
	retractFold
	entryFold
	documentFold
	actFold
	opinionFold
	bountyFold
	reputationFold
}

// newFolded is what no change makes. Its folds point to each other, so that it must
// not be copied.
func newFolded(net change.NetID) *folded {
	v := &folded{net: net}
	v.rightFold = newRightFold(&v.rowSum)
	v.agentFold = newAgentFold(&v.rowSum, &v.rightFold)
	v.retractFold = newRetractFold(&v.agentFold)
	v.entryFold = newEntryFold(&v.agentFold, &v.retractFold)
	v.documentFold = newDocumentFold(&v.rowSum, &v.rightFold, &v.agentFold)
	v.actFold = newActFold(&v.rightFold)
	v.opinionFold = newOpinionFold(&v.agentFold, &v.entryFold, &v.documentFold, &v.actFold)
	v.bountyFold = newBountyFold(&v.rightFold, &v.actFold)
	v.reputationFold = newReputationFold(&v.rightFold, &v.agentFold, &v.entryFold, &v.actFold, &v.opinionFold, &v.bountyFold)
	return v
}

func (v *folded) applyContent(c *change.Change, ch *rights.Chain) []Delta {
	switch c.Head.Kind {
	case change.KindEntryPut:
		return v.applyEntry(c, ch)
	case change.KindEntryRetract:
		return v.applyRetract(c, ch)
	case change.KindDocEdit:
		return v.applyEdit(c, ch)
	}
	if _, is := actKinds[c.Head.Kind]; is {
		return v.applyAct(c, ch)
	}
	return nil
}
