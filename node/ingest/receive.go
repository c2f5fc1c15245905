package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
)

// Outcome says what became of changes that came from outside.
type Outcome struct {
	New        int
	Duplicates int
	Refused    map[reason.Code]int
	Missing    []change.ID // the past that deferred ones wait for
	// Codes has, for each change in the order given, "" for a member (new or
	// known) or why it is none.
	Codes []reason.Code
	// Rows has, by their place in the order given, the codes of bodies that failed
	// their row: their changes are members without them.
	Rows map[int]reason.Code
	// Held has, by their place in the order given, why admission withholds members:
	// they are counted, and neither shown nor passed on.
	Held map[int]reason.Code
}

func (o *Outcome) rowFailed(place int, code reason.Code) {
	if o.Rows == nil {
		o.Rows = map[int]reason.Code{}
	}
	o.Rows[place] = code
}

func (o *Outcome) refuse(code reason.Code) {
	if o.Refused == nil {
		o.Refused = map[reason.Code]int{}
	}
	o.Refused[code]++
}

// Receive judges changes that a peer or a file brought and appends the members
// among them. from names the sender, for fairness among what must wait; set,
// when not "", is the set they were asked for, and others are refused as
// unknown_space. Of senders but Owner nothing is taken while OwnOnly. The error is
// a fault of this node, never of the changes.
func (in *Ingest) Receive(ctx context.Context, from, set string, cs []*change.Change) (Outcome, error) {
	if in.ReadOnly() {
		return Outcome{}, reason.Refuse(reason.ReadOnly, "the store takes no writes now")
	}
	if in.OwnOnly() && from != Owner {
		return Outcome{}, reason.Refuse(reason.ReadOnly, "the disk is nearly full: only this node's own writes are taken")
	}
	var woken []*waiting // which a batch that is taken back does not lose
	for first := true; ; first = false {
		out := Outcome{Codes: make([]reason.Code, len(cs))}
		a := arrivals{in: in, from: from, out: &out, woken: woken}
		a.sift(set, cs)
		if first && !in.giver(from, len(a.fresh)) {
			a.turnAway()
		}
		if len(a.fresh) == 0 && len(a.bodies) == 0 {
			in.report(from, cs, out)
			return out, nil
		}
		a.addWaiting()
		woken = a.woken
		a.evidence = rules.AuthenticatePausing(a.fresh, runtime.Gosched)
		err := in.do(ctx, in.requests, a.check)
		if !errors.Is(err, errUnproven) {
			if err == nil {
				in.report(from, cs, out)
				in.settle(ctx, a.fresh)
			}
			return out, err
		}
		// Each round refuses at least one more change, so this ends.
	}
}

// settle ends the waiting of members, and of what began to wait for one of fresh
// while that was on its way to the log: the look for those that waited came before
// they did. What a fault keeps out now comes again by reconciliation.
func (in *Ingest) settle(ctx context.Context, fresh []*change.Change) {
	for _, c := range fresh {
		if m, err := in.cfg.Log.Member(c.ID); err != nil || m == nil {
			continue
		}
		in.deferred.forget(c.ID)
		for _, w := range in.deferred.take(c.ID, in.cfg.Now()) {
			_, _ = in.Receive(ctx, w.from, "", []*change.Change{w.c})
		}
	}
}

// report passes on what was not taken in.
func (in *Ingest) report(from string, cs []*change.Change, out Outcome) {
	if in.cfg.Refused == nil {
		return
	}
	for i, code := range out.Codes {
		if code != "" {
			in.cfg.Refused(from, cs[i], code)
		}
	}
}

// errUnproven takes a batch back in which a head lost the descendant that proved
// it; that head is then among the refused.
var errUnproven = errors.New("a head lost its proof")

// arrivals are the changes of one Receive on their way.
type arrivals struct {
	in   *Ingest
	from string
	out  *Outcome
	// fresh are not known yet, in (hlc, id) order. Copies of one change stand in it
	// side by side, as they came: which of them is good shows when they are judged.
	fresh    []*change.Change
	place    map[*change.Change]int    // in the order given
	woken    []*waiting                // deferred before
	waited   map[*change.Change]string // of these: who sent it
	bodies   []*change.Change
	evidence []rules.Evidence
}

// sift sets aside what is known, refused before, or of another set.
func (a *arrivals) sift(set string, cs []*change.Change) {
	a.place = make(map[*change.Change]int, len(cs))
	shards := a.in.cfg.Judge.Genesis().Shards
	for i, c := range cs {
		of := change.SetOf(c.Head.Space, c.Head.Kind, shards)
		_, twice := a.place[c]
		switch {
		case set != "" && of != set:
			a.out.Codes[i] = reason.UnknownSpace
			a.out.refuse(reason.UnknownSpace)
			continue
		case twice || a.known(of, c):
			a.out.Duplicates++
			continue
		}
		if code := a.in.refused.get(bytesHash(c), a.in.cfg.Now()); code != "" {
			a.out.Codes[i] = code
			a.out.refuse(code)
			continue
		}
		a.place[c] = i
		a.fresh = append(a.fresh, c)
	}
	a.fresh = inOrder(a.fresh)
}

// known reports whether c is a member already and brings nothing new. A stub's
// body, and a copy whose own signature may verify where the stored one's does
// not, go on.
func (a *arrivals) known(set string, c *change.Change) bool {
	s := a.in.cfg.Log.Set(set)
	if s == nil || !s.Has(recon.Item{HLC: c.Head.HLC, ID: c.ID}) {
		return false
	}
	rec, err := a.in.cfg.Log.Get(context.Background(), c.ID)
	if err != nil {
		return true
	}
	if rec.State == crdtlog.Missing && rec.Held == "" && c.Body != nil {
		a.bodies = append(a.bodies, c)
	}
	return rec.Own || string(rec.Change.RawHead) == string(c.RawHead)
}

// addWaiting brings back the deferred changes that wait for what has come now,
// so that a descendant's signature can also prove them.
func (a *arrivals) addWaiting() {
	a.waited = map[*change.Change]string{}
	wake := func(w *waiting) {
		a.waited[w.c] = w.from
		a.fresh = append(a.fresh, w.c)
	}
	for _, w := range a.woken {
		wake(w)
	}
	for i := 0; i < len(a.fresh); i++ {
		for _, w := range a.in.deferred.take(a.fresh[i].ID, a.in.cfg.Now()) {
			a.woken = append(a.woken, w)
			wake(w)
		}
	}
	a.fresh = inOrder(a.fresh)
}

func (a *arrivals) check(b *batch) error {
	b.bodies = append(b.bodies, a.bodies...)
	for _, c := range a.bodies {
		b.from[c.ID] = a.from
	}
	a.reportHeld(b)
	for i, c := range a.fresh {
		runtime.Gosched() // a batch takes many milliseconds, in which requests would wait for a processor
		p, given := a.place[c]
		if there := b.pending[c.ID]; there != nil { // a copy of this batch was good
			if there.Body == nil && c.Body != nil {
				b.bodies, b.from[c.ID] = append(b.bodies, c), a.from
			}
			if given {
				a.out.Duplicates++
			}
			continue
		}
		v, err := b.check(c, a.evidence[i])
		code := reason.Of(err)
		from, waited := a.waited[c]
		if !waited {
			from = a.from
		}
		switch {
		case err == nil:
			b.from[c.ID] = from
			a.out.New++
			if given && v.Row() != "" {
				a.out.rowFailed(p, v.Row())
			}
			continue
		case code == reason.Internal:
			return fmt.Errorf("check %s: %w", c.ID, err)
		case code == reason.MissingDeps:
			ids := rules.MissingIDs(err)
			a.in.deferred.put(from, c, ids, a.in.cfg.Now())
			a.out.Missing = append(a.out.Missing, ids...)
		case code.Gossip() == reason.Reject:
			a.in.refused.put(bytesHash(c), code, a.in.cfg.Now())
		}
		// What waited came from somebody else, who alone answers for it.
		if given {
			a.out.refuse(code)
			a.out.Codes[p] = code
		}
	}
	return a.provable(b)
}

// provable makes sure that every head that was taken in by the signature of a
// descendant still has one: the descendant may have been deferred or refused. A
// member that nobody can prove to the next peer would keep sets apart for ever.
func (a *arrivals) provable(b *batch) error {
	reach := map[change.ID]int{} // places left below a verified head that was taken in
	lost := false
	for i := len(a.fresh) - 1; i >= 0; i-- {
		c := a.fresh[i]
		if b.pending[c.ID] != c {
			continue
		}
		left := reach[c.ID]
		switch {
		case a.evidence[i] != rules.ByDescendant:
			left = change.MaxRun + 1
		case left > 0:
		case keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]):
			left = change.MaxRun + 1
		default:
			a.in.refused.put(bytesHash(c), reason.BadChangeSignature, a.in.cfg.Now())
			lost = true
		}
		reach[c.Head.Prev] = max(reach[c.Head.Prev], left-1)
	}
	if lost {
		return errUnproven
	}
	return nil
}

// bytesHash is over the bytes as they came, never the id, or a forger's bad
// copy of a good change would keep the good one out.
func bytesHash(c *change.Change) [32]byte {
	h := sha256.New()
	h.Write(c.RawHead)
	h.Write(c.Body)
	return [32]byte(h.Sum(nil))
}
