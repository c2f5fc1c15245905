package world

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/network"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/p2p/stranger"
	"github.com/meshd/meshd/p2p/sync"
)

// What liars do.
const (
	Spam       = "spam"       // signed entries of fresh keys, as fast as a peer may
	Silence    = "silence"    // says that it has everything, gives nothing and passes nothing on
	Drops      = "drops"      // gives nine of ten, and one of a hundred with a bit flipped
	Stale      = "stale"      // shows sets as they were long ago, or with members that nobody has
	Slots      = "slots"      // keeps streams of reconciliation open and sends nothing
	Equivocate = "equivocate" // sends two branches of one chain to two halves of the network
	Replay     = "replay"     // says old changes again and again
	Forge      = "forge"      // signs what it has no right to, and alters what others signed
)

// lies are drawn by how often they stand here.
var lies = []string{Spam, Silence, Drops, Stale, Slots, Equivocate, Replay, Forge, Forge, Forge}

// facesOf says how many further faces a lie needs.
var facesOf = map[string]int{Equivocate: 1, Forge: 2, Drops: 1}

// prepare gives a liar what it needs before it lies.
func (l *liar) prepare() {
	for _, a := range l.authors {
		l.sound(a.Born("Mallory", l.now()))
	}
}

// branches are the words by which the two branches of an equivocator differ.
var branches = [2]string{"the first branch", "the second branch"}

// verdict is what a liar says of what others gossip.
func (l *liar) verdict() reason.Code {
	if l.lie.Kind == Silence {
		return reason.Quarantined // not passed on
	}
	return ""
}

// hand is a change as a liar gives it to a peer that asks; nil: not at all.
func (l *liar) hand(c *change.Change) *change.Change {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.lie.Kind {
	case Silence:
		return nil
	case Drops:
		switch n := l.rng.IntN(100); {
		case n < 10:
			return nil
		case n == 10:
			return altered(c)
		}
	}
	return c
}

// act is one lie.
func (l *liar) act(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.faces[n%len(l.faces)]
	switch l.lie.Kind {
	case Spam:
		for range 4 {
			a := stranger.NewAuthor(l.world.netID, canary(l.rng.Uint64()))
			l.authors = append(l.authors, a)
			f.say(l.sound(a.Born("Spammer", l.now())))
			for range 4 {
				f.say(l.entry(a, "buy now "+canary(l.rng.Uint64()), true))
			}
		}
	case Stale:
		l.freeze(f, n)
	case Slots:
		l.stall(f)
	case Equivocate:
		l.equivocate(n)
	case Replay:
		for _, c := range pickSome(l, f.Known(), 10) {
			f.say(c)
		}
	case Forge: // slowly from each face: certain refusals cost it its connections
		l.forge(f, 2*n)
		l.forge(l.faces[(n+1)%len(l.faces)], 2*n+1)
	}
}

// sound is a change that was signed; a body that does not encode is a fault of the
// world, which is reported to the checker.
func (l *liar) sound(c *change.Change, err error) *change.Change {
	if err != nil {
		l.world.violated("R5", 0, "a liar's body: %v", err)
	}
	return c
}

// encoded are the bytes of a body. One that does not encode is nil, and is
// reported to the checker.
func (w *World) encoded(v interface{ Encode() ([]byte, error) }) []byte {
	b, err := v.Encode()
	if err != nil {
		w.violated("R5", 0, "a liar's body: %v", err)
	}
	return b
}

func (l *liar) entry(a *stranger.Author, words string, keep bool) *change.Change {
	return l.sound(a.Gotcha("go", lesson+" "+words+".", l.now(), keep))
}

func pickSome(l *liar, cs []*change.Change, most int) (out []*change.Change) {
	for range min(most, len(cs)) {
		out = append(out, cs[l.rng.IntN(len(cs))])
	}
	return out
}

// altered is a copy of c, under its id, with one bit of its signature flipped.
func altered(c *change.Change) *change.Change {
	h := *c.Head
	h.Sig[7] ^= 4
	return &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body}
}

// freeze shows the sets as they are now for a while, the second time with members
// that nobody has.
func (l *liar) freeze(f *face, n int) {
	if n%5 != 0 {
		return
	}
	var more []recon.Item
	for range n % 10 / 5 * (1 + l.rng.IntN(40)) {
		it := recon.Item{HLC: uint64(l.now().UnixMilli()) << 10}
		for i := range it.ID {
			it.ID[i] = byte(l.rng.IntN(256))
		}
		more = append(more, it)
	}
	f.Freeze(more...)
}

// stall opens streams to every peer and sends nothing on them.
func (l *liar) stall(f *face) {
	for _, p := range f.Host().Network().Peers() {
		for range 4 {
			l.wg.Go(func() {
				ctx, cancel := context.WithTimeout(l.ctx, 40*time.Second)
				defer cancel()
				s, err := f.Host().NewStream(network.WithNoDial(ctx, "hold"), p, sync.Protocol)
				if err != nil {
					return
				}
				defer s.Reset()
				_, _ = s.Write([]byte{0x90}) // the beginning of a length
				<-ctx.Done()
			})
		}
	}
}

// equivocate writes the same places of one chain twice.
func (l *liar) equivocate(n int) {
	a := l.authors[0]
	if n == 0 {
		for _, f := range l.faces {
			f.say(a.Record)
		}
		return
	}
	if n%4 != 1 {
		return
	}
	for i, f := range l.faces {
		e := l.entry(a, branches[i]+" "+canary(l.rng.Uint64()), i == len(l.faces)-1)
		f.say(e)
	}
}

// strangers are the liars of a world.
type strangers struct{ liars []*liar }

// liarsWrote reports whether an agent is a liar's, whose valid entries may be shown
// as anybody's.
func (w *strangers) liarsWrote(agent change.AgentID) bool {
	return slices.ContainsFunc(w.liars, func(l *liar) bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return slices.ContainsFunc(l.authors, func(a *stranger.Author) bool { return a.ID == agent })
	})
}

// liarsFork reports whether a fork, as status names it, is of a liar's chain.
func (w *strangers) liarsFork(fork string) bool {
	return slices.ContainsFunc(w.liars, func(l *liar) bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return slices.ContainsFunc(l.authors, func(a *stranger.Author) bool { return strings.Contains(fork, a.Key.Key().String()) })
	})
}
