// Package worldtest makes real changes for tests: a small network whose agents
// bind, write and retract, every change signed and fit for rules.Check. All of
// it follows from one seed, so a failing run repeats.
//
//	w := worldtest.New(1)
//	ada := w.Agent("ada")
//	bind, entry := ada.Bind(), ada.Entry("go", "channels")
//	vs := w.Verify(bind, entry)
//
// It is for one goroutine, and panics on what cannot be made, since only a
// fault of the test itself leads there.
package worldtest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/did"
)

// World is a network and everything that was written in it. As a rules.Past it
// keeps every change it made, verified or not.
type World struct {
	Genesis change.Genesis
	Judge   *rules.Judge
	Net     change.NetID

	seed   uint64
	millis int64 // wall clock: a millisecond passes with each change
	nonces uint64
	made   map[change.ID]*change.Change
	root   *Author // of NewRooted, once it has written
}

// New makes an empty network of one shard whose newcomers need no ticket.
func New(seed uint64) *World { return NewSharded(seed, 1) }

// NewSharded is New with that many open sets.
func NewSharded(seed uint64, shards int) *World {
	return begin(seed, change.Genesis{Name: "test", Shards: shards, Start: 1767225600000})
}

// NewRooted is New with a root, which Manifest signs as.
func NewRooted(seed uint64) *World {
	root := (&World{seed: seed}).Key(rootName)
	return begin(seed, change.Genesis{Name: "test", Roots: []did.Key{root.Key()}, Shards: 1, Start: 1767225600000})
}

func begin(seed uint64, g change.Genesis) *World {
	j, err := rules.NewJudge(g)
	if err != nil {
		panic(fmt.Sprintf("make judge: %v", err))
	}
	return &World{Genesis: g, Judge: j, Net: j.Net(), seed: seed, millis: g.Start, made: map[change.ID]*change.Change{}}
}

// Member makes World a rules.Past.
func (w *World) Member(id change.ID) (*change.Change, error) { return w.made[id], nil }

// Keep adds a change that was sealed elsewhere to what was written.
func (w *World) Keep(c *change.Change) { w.made[c.ID] = c }

// Advance lets time pass before the next change.
func (w *World) Advance(millis int64) { w.millis += millis }

// Verify checks cs as one batch that arrived together, with everything made so
// far as the past. It panics when one of them is refused.
func (w *World) Verify(cs ...*change.Change) []rules.Verified {
	evidence := rules.Authenticate(cs)
	vs := make([]rules.Verified, len(cs))
	for i, c := range cs {
		v, err := w.Judge.Check(c, evidence[i], w)
		if err != nil {
			panic(fmt.Sprintf("check change %d, a %s: %v", i, c.Head.Kind, err))
		}
		vs[i] = v
	}
	return vs
}

// Agent makes an agent that has written nothing yet. Equal names are the same
// key: a second Agent of one name forks the chains of the first.
func (w *World) Agent(name string) *Author {
	key := w.Key(name)
	return &Author{
		World: w, Name: name, Key: key, ID: change.DeriveAgent(w.Net, key.Key()),
		chains: map[change.Chain]tip{}, rights: map[change.ID]change.ID{},
	}
}

// secret follows from the seed of the world and a name.
func (w *World) secret(name string) [32]byte { return sha256.Sum256(w.seedBytes(name + " ")) }

func (w *World) seedBytes(name string) []byte {
	return binary.BigEndian.AppendUint64([]byte("worldtest "+name), w.seed)
}

// BadSignature is a copy of c whose own signature does not verify; its id is
// that of c.
func BadSignature(c *change.Change) *change.Change {
	h := *c.Head
	h.Sig[0] ^= 1
	return &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body}
}
