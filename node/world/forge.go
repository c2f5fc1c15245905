package world

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/p2p/stranger"
)

// forgeries are what a liar sends that is of no effect, or no member at all. c is a
// change of an honest author that the liar knows; nil: this one has nothing to
// forge. All are signed by the liar's own key unless they are altered.
var forgeries = []struct {
	name   string
	member bool // its id may be in the set: it has no effect, is not shown, or is another's
	make   func(l *liar, a *stranger.Author, c *change.Change) *change.Change
}{
	{"another signature", true, func(_ *liar, _ *stranger.Author, c *change.Change) *change.Change { return altered(c) }},
	{"another's proof", false, func(l *liar, a *stranger.Author, c *change.Change) *change.Change {
		if len(c.Head.Proof) == 0 {
			return nil
		}
		b := a.Copy()
		b.Record = &change.Change{ID: c.Head.Proof[0]}
		return l.entry(b, "under another's name "+canary(l.rng.Uint64()), false)
	}},
	{"without a proof", false, func(l *liar, a *stranger.Author, _ *change.Change) *change.Change {
		e := body.Entry{Type: body.Gotcha, Text: lesson + " by nobody " + canary(l.rng.Uint64()), Confidence: body.DefaultConfidence}
		return a.Write(change.Draft{Space: change.Commons("go"), Kind: change.KindEntryPut, Body: l.world.encoded(e), Proof: []change.ID{}}, l.now(), false)
	}},
	{"withdraws another's entry", true, func(l *liar, a *stranger.Author, c *change.Change) *change.Change {
		if c.Head.Kind != change.KindEntryPut {
			return nil
		}
		return a.Write(change.Draft{
			Space: c.Head.Space, Kind: change.KindEntryRetract, Body: l.world.encoded(body.Retract{Target: c.ID}), Deps: []change.ID{c.ID}, HLC: c.Head.HLC + 1,
		}, l.now(), true)
	}},
	{"older than what it builds on", false, func(l *liar, a *stranger.Author, c *change.Change) *change.Change {
		if c.Head.Kind != change.KindEntryPut {
			return nil
		}
		e := body.Entry{Type: body.Gotcha, Text: lesson + " before it happened " + canary(l.rng.Uint64()), Confidence: body.DefaultConfidence}
		for _, domain := range []string{"art", "bio", "chem", "math", "law"} {
			d := change.Draft{
				Net: l.world.netID, Space: change.Commons(domain), Kind: change.KindEntryPut, Body: l.world.encoded(e), Deps: []change.ID{c.ID},
				HLC: c.Head.HLC - 1, Seq: 1, Proof: []change.ID{l.authors[1].Record.ID},
			}
			if f := change.Seal(d, l.authors[1].Key); l.world.setOf(f) == l.world.setOf(c) {
				return f
			}
		}
		return nil
	}},
	{"names another an agent of its own", false, func(l *liar, a *stranger.Author, c *change.Change) *change.Change {
		agent, ok := c.Head.Space.Agent()
		if !ok || c.Head.Kind != change.KindBind {
			return nil
		}
		return a.Write(change.Draft{Space: agent.Space(), Kind: change.KindBind, Body: l.world.encoded(body.Bind{Name: "Impostor"})}, l.now(), false)
	}},
	{"a place that leaves out others", false, func(l *liar, a *stranger.Author, c *change.Change) *change.Change {
		b := a.Copy()
		e := body.Entry{Type: body.Gotcha, Text: lesson + " from nowhere " + canary(l.rng.Uint64()), Confidence: body.DefaultConfidence}
		return b.Write(change.Draft{Space: change.Commons("ops"), Kind: change.KindEntryPut, Body: l.world.encoded(e), Seq: 9, Prev: c.ID}, l.now(), false)
	}},
	{"a year ahead", true, func(l *liar, a *stranger.Author, _ *change.Change) *change.Change {
		e := body.Entry{Type: body.Gotcha, Text: lesson + " in times to come " + canary(l.rng.Uint64()), Confidence: body.DefaultConfidence}
		b := a.Copy()
		return b.Write(change.Draft{Space: change.Commons("art"), Kind: change.KindEntryPut, Body: l.world.encoded(e)}, l.now().Add(365*24*time.Hour), false)
	}},
	{"a vote for itself in another's words", true, func(l *liar, a *stranger.Author, c *change.Change) *change.Change {
		if c.Head.Kind != change.KindEntryPut {
			return nil
		}
		return a.Write(change.Draft{Space: c.Head.Space, Kind: change.KindVote, Body: l.world.encoded(body.Vote{Target: c.ID, Value: -1}), Deps: []change.ID{c.ID}, HLC: c.Head.HLC + 1}, l.now(), true)
	}},
}

// forge sends one forgery, made from a change of somebody honest.
func (l *liar) forge(f *face, n int) {
	a := l.authors[0]
	if n < len(l.faces) {
		f.say(a.Record)
		f.say(l.authors[1].Record)
		return
	}
	known := slices.DeleteFunc(f.Known(), func(c *change.Change) bool { return c.Head.Author == a.Key.Key() })
	if len(known) == 0 {
		return
	}
	kind := forgeries[n%len(forgeries)]
	var c *change.Change
	for i := 0; i < 20 && c == nil; i++ {
		c = kind.make(l, a, known[l.rng.IntN(len(known))])
	}
	if c == nil {
		return
	}
	if !kind.member {
		l.forged = append(l.forged, c)
	}
	f.say(c)
}

// checkForgeries: what no node may take is refused by every node, with one code
// (R5), and none has it (R2).
func (w *checker) checkForgeries(ctx context.Context) {
	for _, l := range w.liars {
		l.mu.Lock()
		if len(l.forged) > 0 {
			w.count("forgeries tried at every node")
		}
		var file []byte
		var err error
		for _, c := range l.forged {
			if file, err = exchange.Append(file, c); err != nil {
				w.violated("R5", 0, "a forgery: %v", err)
			}
		}
		l.mu.Unlock()
		answers := map[string][]int{}
		for _, m := range w.present() {
			n, _ := m.alive()
			rep, err := n.Import(ctx, bytes.NewReader(file))
			if err != nil {
				w.violated("R5", m.index, "import of forgeries: %v", err)
				continue
			}
			if taken := rep.New + rep.Duplicates; taken > 0 {
				w.violated("R2", m.index, "%d of %d forgeries were taken in: %+v", taken, rep.Read, rep.Faults)
			}
			s := fmt.Sprint(rep.Refused)
			answers[s] = append(answers[s], m.index)
		}
		if len(answers) > 1 {
			w.violated("R5", 0, "forgeries are refused for different reasons: %v", answers)
		}
	}
}
