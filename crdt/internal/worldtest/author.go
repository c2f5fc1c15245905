package worldtest

import (
	"fmt"
	"maps"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// Author is an agent with its acting key. It knows the ends of its own chains.
type Author struct {
	World   *World
	Name    string
	Key     *keys.Private
	ID      change.AgentID
	Binding *change.Change // the newest profile.bind, nil before Bind

	chains map[change.Chain]tip
	rights map[change.ID]change.ID // by guild: the grant of a there, shared by the keys of an agent
}

type tip struct {
	id  change.ID
	seq uint64
}

// Options of Change. The zero Options are those of an honest writer.
type Options struct {
	Deps    []change.ID
	Proof   []change.ID // instead of the author's binding and its rights in the space
	NoProof bool        // an empty proof
	HLC     uint64      // instead of the clock's
	Seq     uint64      // instead of the next place; Prev goes with it
	Prev    change.ID
}

// Clone is the same key in another process: what both write next forks.
func (a *Author) Clone() *Author {
	b := *a
	b.chains, b.rights = maps.Clone(a.chains), maps.Clone(a.rights)
	return &b
}

// Bind writes the agent's genesis, later another profile.bind.
func (a *Author) Bind() *change.Change {
	return a.BindAs(body.Bind{Name: a.Name})
}

// BindAs is Bind with a body of the caller's.
func (a *Author) BindAs(v body.Bind) *change.Change {
	b, err := v.Encode()
	if err != nil {
		panic(fmt.Sprintf("encode bind: %v", err))
	}
	a.Binding = a.Change(change.KindBind, a.ID.Space(), b, Options{NoProof: a.Binding == nil})
	return a.Binding
}

// Entry writes knowledge in the commons of domain. A text that is too short to
// be an entry is drawn out.
func (a *Author) Entry(domain, text string) *change.Change {
	return a.EntryAs(domain, body.Entry{Type: body.Wisdom, Text: Text(text), Confidence: body.DefaultConfidence})
}

// EntryAs is Entry with a body of the caller's.
func (a *Author) EntryAs(domain string, v body.Entry) *change.Change {
	b, err := v.Encode()
	if err != nil {
		panic(fmt.Sprintf("encode entry: %v", err))
	}
	return a.Change(change.KindEntryPut, change.Commons(domain), b, Options{})
}

// Text is s, drawn out to the least length of an entry.
func Text(s string) string {
	if least, _ := body.Length(s); least >= body.MinEntry {
		return s
	}
	return s + " " + strings.Repeat("·", body.MinEntry)
}

// Retract withdraws the entry target, which must be of this world, in its space.
func (a *Author) Retract(target change.ID) *change.Change {
	t := a.World.made[target]
	if t == nil {
		panic("retract of a change that was not made here")
	}
	b, err := body.Retract{Target: target}.Encode()
	if err != nil {
		panic(fmt.Sprintf("encode retract: %v", err))
	}
	return a.Change(change.KindEntryRetract, t.Head.Space, b, Options{Deps: []change.ID{target}})
}

// Change writes and signs any change; b are the canonical bytes of its body. It
// continues the author's chain and lies above its past in time.
func (a *Author) Change(kind string, space change.Space, b []byte, o Options) *change.Change {
	chain := change.Chain{Author: a.Key.Key(), Space: space, Lane: change.LaneOf(kind)}
	end := a.chains[chain]
	if o.Seq != 0 {
		end = tip{id: o.Prev, seq: o.Seq - 1}
	}
	if o.Proof == nil && !o.NoProof {
		o.Proof = a.proof(space)
	}
	w := a.World
	if o.HLC == 0 {
		w.millis++
		o.HLC = uint64(w.millis) << 10
		for _, ids := range [][]change.ID{{end.id}, o.Deps, o.Proof} {
			for _, id := range ids {
				if c := w.made[id]; c != nil {
					o.HLC = max(o.HLC, c.Head.HLC+1)
				}
			}
		}
	}
	c := change.Seal(change.Draft{
		Net: w.Net, Space: space, Kind: kind, Body: b, HLC: o.HLC,
		Seq: end.seq + 1, Prev: end.id, Deps: o.Deps, Proof: o.Proof,
	}, a.Key)
	w.made[c.ID] = c
	a.chains[chain] = tip{id: c.ID, seq: c.Head.Seq}
	return c
}

// proof is the identity of a and, in a guild, its right there.
func (a *Author) proof(space change.Space) []change.ID {
	if a.Binding == nil {
		return nil
	}
	out := []change.ID{a.Binding.ID}
	if guild, ok := space.Guild(); ok {
		if right, held := a.rights[guild]; held {
			out = append(out, right)
		}
	}
	return out
}
