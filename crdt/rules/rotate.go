package rules

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// Rotation is what a rotate says, judged by its past alone.
type Rotation struct {
	Agent  change.AgentID
	New    did.Key // its author
	Rank   int     // of the consent: body.RankActing … body.RankWallet
	Body   body.Rotate
	Before *Line // of the key that is replaced, as of proof[0]
	After  *Line // of New
}

// Rotation reads the member c, a rotate. The error is a fault of past.
func (r *Reader) Rotation(c *change.Change, past Past) (Rotation, error) {
	v, err := body.ParseRotate(c.Body)
	if err != nil {
		return Rotation{}, err
	}
	record, err := member(past, c.Head.Proof[0])
	if err != nil {
		return Rotation{}, err
	}
	before, err := r.Line(record, past)
	if err != nil {
		return Rotation{}, err
	}
	after, err := r.Line(c, past)
	if err != nil {
		return Rotation{}, err
	}
	return Rotation{
		Agent: before.Agent, New: c.Head.Author, Rank: v.Rank(before.Controllers, before.Next), Body: v, Before: before, After: after,
	}, nil
}

func badRotation(format string, args ...any) error {
	return reason.Refuse(reason.RotationInvalid, format, args...)
}

// rotate judges a rotation: its proof[0] is the record of the key it replaces.
func (w *walk) rotate() error {
	h := w.c.Head
	if w.c.Body == nil {
		return bodyMissing(w.c)
	}
	if len(w.proof) == 0 {
		return noIdentity("proof names no record of the old key")
	}
	record := w.proof[0]
	if k := record.Head.Kind; k != change.KindBind && k != change.KindRotate {
		return noIdentity("proof[0] is no record of the old key")
	}
	agent, _ := h.Space.Agent()
	if record.Head.Space != h.Space {
		return reason.Refuse(reason.CapabilityMissing, "the space belongs to another agent")
	}
	v, err := body.ParseRotate(w.c.Body)
	if err != nil {
		return err
	}
	if err := signedTwice(w.c, v.PQ); err != nil {
		return err
	}
	before, err := w.judge.Line(record, w.past)
	if err != nil {
		return err
	}
	switch {
	case h.Seq != 1:
		return badRotation("it is not the first control change of the new key here")
	case v.Old != before.Key():
		return badRotation("proof[0] is not the record of the old key")
	case before.Has(h.Author):
		return badRotation("the new key is or was the acting key already")
	case len(before.Keys) >= change.MaxKeys:
		return reason.Refuse(reason.ChainInvalid, "more than %d keys of one agent", change.MaxKeys)
	}
	if err := checkRank(v, before); err != nil {
		return err
	}
	line, err := v.Line(h.Net, agent, h.Author)
	if err != nil {
		return badRotation("the consent has no text: %v", err)
	}
	if _, err := v.By.Verify(line); err != nil {
		return badRotation("consent: %v", err)
	}
	return nil
}

// checkRank refuses a consent of nobody who may consent, and one that changes
// what outranks it.
func checkRank(v body.Rotate, before *Line) error {
	rank, highest := v.Rank(before.Controllers, before.Next), body.HighestRank(before.Controllers, before.Next)
	switch {
	case rank == body.RankNone:
		return badRotation("%s may not consent to a rotation of this agent", v.By.Key)
	case v.HasControllers && rank < highest:
		return badRotation("controllers change by consent of the highest rank only")
	case rank == body.RankActing && rank < highest && (v.Next != nil || v.PQ != nil):
		return badRotation("the acting key cannot renew what outranks it")
	}
	return nil
}
