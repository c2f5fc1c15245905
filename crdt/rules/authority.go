package rules

import (
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// maxProofDepth bounds how many bindings lead from an identity to its genesis.
const maxProofDepth = 10

// areas says where a kind may live (wire §8, column Space). A kind that is not
// listed is unknown and may live wherever its author may write.
var areas = map[string][]change.Area{
	change.KindManifest:     {change.AreaNet},
	change.KindBind:         {change.AreaAgent},
	change.KindEntryPut:     {change.AreaCommons, change.AreaGuild, change.AreaTeam},
	change.KindEntryRetract: everywhere,
	change.KindVote:         everywhere,
	change.KindComment:      everywhere,
	change.KindLabel:        everywhere,
	change.KindDocEdit:      {change.AreaAgent, change.AreaGuild, change.AreaTeam},
	change.KindBountyOpen:   {change.AreaGuild, change.AreaTeam},
	change.KindBountyAct:    {change.AreaGuild, change.AreaTeam},
	change.KindTaskAct:      {change.AreaTeam},
	change.KindMessage:      {change.AreaTeam},
	change.KindServed:       {change.AreaAgent},
}

var everywhere = []change.Area{change.AreaCommons, change.AreaAgent, change.AreaGuild, change.AreaTeam}

// authority checks that the author may write this kind in this space, with the
// rows and second signatures of control kinds.
func (w *walk) authority() error {
	h := w.c.Head
	if laterControl(h.Kind) {
		return reason.Refuse(reason.UnknownKind, "kind %s is not known to this release", h.Kind)
	}
	if allowed, known := areas[h.Kind]; known && !slices.Contains(allowed, h.Space.Area()) {
		return reason.Refuse(reason.CapabilityMissing, "%s has no place in %s", h.Kind, h.Space)
	}
	switch h.Kind {
	case change.KindManifest:
		return w.manifest()
	case change.KindBind:
		return w.bind()
	}
	agent, err := w.identity()
	if err != nil {
		return err
	}
	switch h.Space.Area() {
	case change.AreaAgent:
		own, _ := h.Space.Agent()
		if h.Kind != change.KindComment && h.Kind != change.KindLabel && own != agent {
			return reason.Refuse(reason.CapabilityMissing, "the space belongs to another agent")
		}
	case change.AreaGuild:
		switch h.Kind {
		case change.KindEntryPut, change.KindDocEdit, change.KindBountyOpen:
			return reason.Refuse(reason.CapabilityMissing, "%s in a guild needs a role", h.Kind)
		}
	case change.AreaTeam:
		return reason.Refuse(reason.CapabilityMissing, "writing in a team needs a role")
	}
	return nil
}

// identity is the agent of the author, told by proof[0].
func (w *walk) identity() (change.AgentID, error) {
	if len(w.proof) == 0 {
		return change.AgentID{}, reason.Refuse(reason.CapabilityMissing, "proof names no identity of the author")
	}
	p := w.proof[0].Head
	if p.Kind != change.KindBind || p.Author != w.c.Head.Author {
		return change.AgentID{}, reason.Refuse(reason.CapabilityMissing, "proof[0] is no identity of the author")
	}
	agent, _ := p.Space.Agent()
	return agent, nil
}

// genesis follows an identity of the author to the binding it began with.
func (w *walk) genesis(id *change.Change) (*change.Change, error) {
	for range maxProofDepth {
		if id.Head.Kind != change.KindBind || id.Head.Author != w.c.Head.Author {
			return nil, reason.Refuse(reason.CapabilityMissing, "proof[0] is no identity of the author")
		}
		if id.Head.Seq == 1 {
			return id, nil
		}
		next, err := w.past.Member(id.Head.Proof[0])
		if err != nil {
			return nil, fmt.Errorf("read the past: %w", err)
		}
		if next == nil {
			return nil, missing("its past is not here yet", id.Head.Proof[0])
		}
		id = next
	}
	return nil, reason.Refuse(reason.ChainInvalid, "more than %d bindings between the identity and its genesis", maxProofDepth)
}

func (w *walk) manifest() error {
	h := w.c.Head
	if !slices.Contains(w.judge.genesis.Roots, h.Author) {
		return reason.Refuse(reason.CapabilityMissing, "the author is no root of this network")
	}
	// A root may but need not be an agent: its right comes from the genesis.
	var pq []byte
	if len(w.proof) > 0 {
		g, err := w.genesis(w.proof[0])
		if err != nil {
			return err
		}
		if pq, err = recordPQ(g); err != nil {
			return err
		}
	}
	if err := signedTwice(w.c, pq); err != nil {
		return err
	}
	if w.c.Body == nil {
		return missing("the body of a control change is not here", w.c.ID)
	}
	_, err := body.ParseManifest(w.c.Body)
	return err
}

func (w *walk) bind() error {
	if w.c.Body == nil {
		return missing("the body of a control change is not here", w.c.ID)
	}
	if w.c.Head.Seq == 1 {
		return w.bindGenesis()
	}
	return w.bindLater()
}

func (w *walk) bindGenesis() error {
	h := w.c.Head
	own, _ := h.Space.Agent()
	if own != change.DeriveAgent(w.judge.net, h.Author) || len(h.Proof) > 0 {
		return reason.Refuse(reason.BindingInvalid, "the space does not derive from the key that signs its genesis")
	}
	v, err := body.ParseBind(w.c.Body, true)
	if err != nil {
		return err
	}
	if err := signedTwice(w.c, v.PQ); err != nil {
		return err
	}
	return v.CheckGenesis(w.judge.net, h.Author, w.judge.genesis.Bits)
}

func (w *walk) bindLater() error {
	h := w.c.Head
	agent, err := w.identity()
	if err != nil {
		return err
	}
	if own, _ := h.Space.Agent(); own != agent {
		return reason.Refuse(reason.CapabilityMissing, "the space belongs to another agent")
	}
	g, err := w.genesis(w.proof[0])
	if err != nil {
		return err
	}
	first, err := body.ParseBind(g.Body, true)
	if err != nil {
		return fmt.Errorf("read the genesis: %w", err)
	}
	if err := signedTwice(w.c, first.PQ); err != nil {
		return err
	}
	v, err := body.ParseBind(w.c.Body, false)
	if err != nil {
		return err
	}
	return v.CheckProof(w.judge.net, h.Author, first.Controllers)
}

func recordPQ(genesis *change.Change) ([]byte, error) {
	v, err := body.ParseBind(genesis.Body, true)
	if err != nil {
		return nil, fmt.Errorf("read the genesis: %w", err)
	}
	return v.PQ, nil
}
