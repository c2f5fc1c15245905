package core

import (
	"slices"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/did"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// Followed is who may see which private team: what peers have proved about
// themselves, and what this node follows.
type Followed struct {
	Mu      sync.Mutex                        // guards the maps below
	Asked   map[change.ID]bool                // followed before the fold knows of a membership
	Met     map[peer.ID]map[did.Key]time.Time // agents that a peer has shown to speak for, until when
	Unmet   map[peer.ID]bool                  // peers whose last proof was not valid; one of the two clocks may be wrong, for a while
	Turns   map[peer.ID]int                   // whose proof it is shown next
	Lent    map[change.AgentID]*v1.Delegation // of agents here to the key of this node
	LentEnd map[change.AgentID]time.Time      // when each of Lent ends
	Shown   map[Showing]ShownProof            // proofs made of late
	Memo    v1.Memo                           // tokens of peers whose signatures were good
}

// Showing is which agent a proof is about and to whom it is shown.
type Showing struct {
	Agent     change.AgentID // whom the proof is about
	Responder did.Key        // key of the peer
}

// ShownProof is a proof that is shown again for a quarter of its term: it takes two
// signatures and two verifications to make, and every session needs one.
type ShownProof struct {
	Proof []byte         // as a hello carries it
	Of    *v1.Delegation // the delegation that it rests on
	At    time.Time      // when it was made
}

// Usable reports whether s may be shown once more at a moment, under the delegation of.
func (s ShownProof) Usable(of *v1.Delegation, now time.Time) bool {
	age := now.Sub(s.At)
	return s.Of == of && 0 <= age && age < ProofTerm/4
}

// TeamSets are the private sets that this node follows: of teams in which an
// agent of its own is a member, and of those it was asked to follow.
func (n *Core) TeamSets() []string {
	var spoken []fold.Agent
	guilds := n.Views.Guilds()
	if len(guilds) > 0 {
		spoken = n.Spoken()
	}
	var out []string
	for _, g := range guilds {
		if slices.ContainsFunc(spoken, func(a fold.Agent) bool { return n.IsMember(g.ID, a.ID) }) {
			out = append(out, string(change.TeamSpace(g.ID)))
		}
	}
	n.Followed.Mu.Lock()
	defer n.Followed.Mu.Unlock()
	for id := range n.Followed.Asked {
		if name := string(change.TeamSpace(id)); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// IsMember reports whether an agent has a role in a guild now.
func (n *Core) IsMember(guild change.ID, agent change.AgentID) bool {
	_, err := n.RightIn(agent, change.TeamSpace(guild))
	return err == nil
}
