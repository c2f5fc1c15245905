// Package effect says which changes count (wire §7, §10, §11). A member that
// lies beyond a cut, that was written with a right its author does not have, or
// whose author was replaced stays a member and has no effect. The answer is a
// pure function of the set of changes: the order in which they came, clocks and
// the number of times one is asked change nothing.
//
// A State is told every member once: its place by Place, and what the control
// kinds say by Apply. It answers for agents (which key speaks), for guilds (who
// holds which grant) and, by Judge, for any change.
//
// # How it is decided
//
// Four strata, each judged with those above it alone:
//
//  1. Rotations. For each agent a line of keys begins with the genesis key; of
//     the rotations of one key the highest rank wins, and where that leaves two
//     keys the line ends and what all of them cut is cut.
//  2. Roots: the keys in an agent's line for its own space, the founder for a
//     guild.
//  3. Grants and what ends them, by level (owner, admin, member, viewer, none)
//     and within a level by depth. Who ends a grant must hold a right that lies
//     strictly above it in this order, so no two can undo each other.
//  4. Everything else.
//
// So each question is a recursion that ascends, and ends. Answers about grants
// are kept until a control change may have changed them.
//
// A State is for one goroutine at a time.
package effect

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// State is what control changes say together. Make it with New.
type State struct {
	net     change.NetID
	chains  map[change.Chain]*Chain
	authors map[did.Key]*Chain // the first of a key's chains
	agents  map[change.AgentID]*Agent
	guilds  map[change.ID]*realm
	nodes   map[change.ID]*node
	marks   map[change.ID]*mark   // changes that cuts name, here or not
	readmit map[change.ID][]*node // endorses by the changes they readmit
	held    map[did.Key][]*node   // grants by their audience
	seats   map[did.Key][]*Agent  // agents that a key was rotated to
	rights  map[string]*Rights    // by their text

	// Answers are void when gen has moved on since they were given.
	gen      uint64
	kept     uint64 // the generation of the answers below
	standing map[pair]answer
	spoken   map[*node]Verdict
	cycles   int // questions that led back to themselves: never, as tests assert
}

// New makes the empty State of a network.
func New(net change.NetID) *State {
	return &State{
		net: net, gen: 1,
		chains: map[change.Chain]*Chain{}, authors: map[did.Key]*Chain{}, agents: map[change.AgentID]*Agent{},
		guilds: map[change.ID]*realm{}, nodes: map[change.ID]*node{}, marks: map[change.ID]*mark{},
		readmit: map[change.ID][]*node{}, held: map[did.Key][]*node{}, seats: map[did.Key][]*Agent{},
		rights: map[string]*Rights{}, standing: map[pair]answer{}, spoken: map[*node]Verdict{},
	}
}

// A Cause says why a change has no effect.
type Cause uint8

// The causes. The change that Verdict names beside each is in brackets.
const (
	None      Cause = iota
	Revoked         // beyond the cut of a revocation [the revoke, or the grant that closes]
	Rotated         // beyond the cut of a rotation of its author's key [the rotate]
	Replaced        // its author's key is no key of the agent, since another rotation won [the one it rests on]
	Contested       // two rotations dispute its author's key, and they do not both keep it [one of them]
	Forked          // a grant or endorse on a forked chain, which no cut has settled
	NoRight         // a right in its proof has no effect itself [that right]
)

// String is the cause in one word.
func (c Cause) String() string {
	names := [...]string{"none", "revoked", "rotated", "replaced", "contested", "forked", "no_right"}
	if int(c) < len(names) {
		return names[c]
	}
	return "unknown"
}

// Verdict is what is said of one change.
type Verdict struct {
	OK   bool
	Held bool      // it lies inside a cut, which also settles a fork for it
	Why  Cause     // None when OK
	By   change.ID // the change that decided so, zero when none did
}

var fine = Verdict{OK: true}

func refuse(why Cause, by change.ID) Verdict { return Verdict{Why: why, By: by} }

// and is what two conditions that must both hold say together.
func (v Verdict) and(o Verdict) Verdict {
	if !v.OK {
		return v
	}
	if !o.OK {
		return o
	}
	o.Held = o.Held || v.Held
	return o
}

// or is what two ways of which one is enough say together.
func (v Verdict) or(o Verdict) Verdict {
	if !v.OK {
		return o
	}
	if o.OK {
		v.Held = v.Held || o.Held
	}
	return v
}
