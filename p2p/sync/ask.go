package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// asker is the initiator's side of a session.
type asker struct {
	session
	cursors *cursors
	start   time.Time

	report  PassReport
	current *SetReport // the set under way; nil outside of one
	cut     bool       // something found was neither asked for nor sent, for lack of time

	unnamed  bool                   // the peer may see team sets that this hello did not name
	missing  map[string][]change.ID // by set: past that received changes wait for
	received map[prefix]bool        // by want in this session, here or waiting
}

func (e endpoint) asker(ctx context.Context, s stream, p peer.ID, cur *cursors) *asker {
	now := time.Now()
	return &asker{
		session:  session{wire: newWire(ctx, s, e.cfg.SessionTime+graceTime), endpoint: e, peer: p},
		cursors:  cur,
		start:    now,
		report:   PassReport{Peer: p, Start: now, Sessions: 1},
		missing:  make(map[string][]change.ID),
		received: make(map[prefix]bool),
	}
}

// late reports whether the session has had its time: nothing new is begun.
func (a *asker) late() bool { return time.Since(a.start) >= a.cfg.SessionTime }

// greet exchanges hellos.
func (a *asker) greet() error {
	a.mine = a.hello(a.ctx, a.peer, nil)
	if err := a.write(kindHello, a.mine.encode()); err != nil {
		return err
	}
	b, err := a.expect(kindHello)
	if err != nil {
		return err
	}
	if a.theirs, err = decodeHello(b); err != nil {
		return err
	}
	if a.theirs.net != a.cfg.Net {
		return ErrNetwork
	}
	a.unnamed = a.shares()
	a.report.Agent = a.theirs.agent
	a.report.Ahead = time.Duration(int64(a.theirs.now)-a.cfg.Now().UnixMilli()) * time.Millisecond
	return nil
}

// shares reports whether the peer, now that its hello was read, may see team
// sets that ours did not name: nobody names them to one who has proved nothing,
// so two members that meet need a second hello.
func (a *asker) shares() bool {
	gate, ok := a.replica.(Gatekeeper)
	if !ok || a.theirs.proof == nil {
		return false
	}
	for _, name := range a.replica.Sets() {
		if _, named := a.mine.find(name); !named && strings.HasPrefix(name, "team/") && gate.MaySee(a.ctx, a.peer, name, a.theirs.proof) {
			return true
		}
	}
	return false
}

// expect reads one frame, which must be of kind k unless the peer is busy or
// gives up.
func (a *asker) expect(k kind) ([]byte, error) {
	got, b, err := a.read()
	if err != nil {
		return nil, err
	}
	if got == k {
		return b, nil
	}
	return nil, instead(got, k, b)
}

// instead is the error of a frame that is not the answer.
func instead(got, want kind, b []byte) error {
	switch got {
	case kindBusy:
		y, err := decodeBusy(b)
		if err != nil {
			return err
		}
		return &BusyError{Retry: y.retry}
	case kindError:
		f, err := decodeFailure(b)
		if err != nil {
			return err
		}
		return &RemoteError{Code: f.code}
	}
	return refuse("%v where %v is due", got, want)
}

// run does a whole session and returns its report.
func (a *asker) run() PassReport {
	err := a.greet()
	if err == nil {
		err = a.pass()
	}
	a.finish(err)
	return a.report
}

// finish closes the books; a peer that broke the protocol is scored.
func (a *asker) finish(err error) {
	a.stop()
	a.blame(err)
	a.report.Err = err
	a.report.BytesIn, a.report.BytesOut = a.in, a.out
	a.report.Took = time.Since(a.start)
	if err != nil {
		a.report.Complete = false
	}
}

func (a *asker) pass() error {
	a.report.Complete = true
	a.report.Sets = []SetReport{}
	var refused error
	for _, own := range a.mine.sets {
		theirs, ok := a.theirs.find(own.name)
		if !ok {
			continue
		}
		a.report.Sets = append(a.report.Sets, SetReport{Set: own.name})
		a.current = &a.report.Sets[len(a.report.Sets)-1]
		if own.equal(theirs) {
			a.current.Mode, a.current.Equal, a.current.Complete = ModeEqual, true, true
			continue
		}
		if a.late() {
			a.report.Complete = false
			continue
		}
		err := a.reconcile(own.name, theirs)
		var busy *BusyError
		switch {
		case errors.As(err, &busy):
			refused = err
		case err != nil:
			return fmt.Errorf("reconcile %s: %w", own.name, err)
		}
		a.report.Complete = a.report.Complete && a.current.Complete
	}
	return refused
}

// reconcile makes one set equal.
func (a *asker) reconcile(name string, theirs setState) error {
	set := a.replica.Set(name)
	if set == nil {
		return nil // no longer followed
	}
	own, _ := set.FP()
	after, begun := a.cursors.get(a.peer, name)
	if begun || own*pullRatio < theirs.count {
		a.current.Mode = ModePull
		if whole, err := a.pull(name, after, own, theirs.count); err != nil || !whole {
			return err
		}
		if stateOf(name, set).equal(theirs) {
			return a.done(name, set)
		}
		own, _ = set.FP()
	}
	switch {
	case own > pullRatio*theirs.count:
		a.mode(ModeLeft)
		return a.done(name, set)
	case max(own, theirs.count)-min(own, theirs.count) < sketchBelow:
		resolved, err := a.sketch(name, set, theirs.count)
		if err != nil {
			return err
		}
		if resolved {
			a.mode(ModeSketch)
			return a.done(name, set)
		}
		a.current.Fallback = true
		a.met.fallbacks.Inc()
	}
	a.mode(ModeRange)
	whole, err := a.ranges(name, set)
	if err != nil {
		return err
	}
	if err := a.done(name, set); err != nil {
		return err
	}
	a.current.Complete = whole && !a.cut
	return nil
}

// mode notes how the set went, unless it was pulled first.
func (a *asker) mode(m Mode) {
	if a.current.Mode != ModePull {
		a.current.Mode = m
	}
}

// done asks for the past that is still missing and ends the set on both sides.
func (a *asker) done(name string, set *recon.Set) error {
	if err := a.past(name); err != nil {
		return err
	}
	mine := stateOf(name, set)
	if err := a.write(kindDone, done{mine}.encode()); err != nil {
		return err
	}
	b, err := a.expect(kindDone)
	if err != nil {
		return err
	}
	theirs, err := decodeDone(b)
	if err != nil {
		return err
	}
	if theirs.name != name {
		return refuse("done: of another set")
	}
	a.current.Equal = mine.equal(theirs.setState)
	a.current.Complete = !a.cut
	return nil
}

// pull takes what comes after an item in order, to the end. whole is false
// when the session's time is over before; the cursor then says where.
func (a *asker) pull(name string, after recon.Item, own, theirs uint64) (whole bool, err error) {
	if theirs > own+maxPull {
		if err := a.latest(name); err != nil {
			return false, err
		}
	}
	total := uint64(0)
	for {
		if a.late() {
			return false, nil
		}
		if total > 2*theirs+maxPull {
			return false, refuse("pull: no end after %d changes of %d", total, theirs)
		}
		a.current.Rounds++
		if err := a.write(kindPull, pull{set: name, after: after, max: maxPull}.encode()); err != nil {
			return false, err
		}
		var seen []recon.Item
		n, _, err := a.answer(maxPull, func(cs []*change.Change) error {
			seen = append(seen, itemsOf(cs)...)
			slices.SortFunc(seen, recon.Item.Compare)
			seen = slices.Compact(seen)
			// What came beyond these only proves them.
			seen = seen[:min(len(seen), maxPull)]
			return a.receive(name, cs)
		})
		if err != nil {
			return false, err
		}
		total += uint64(n)
		if n < maxPull || len(seen) == 0 {
			a.cursors.drop(a.peer, name)
			return true, nil
		}
		last := seen[len(seen)-1]
		if last.Compare(after) <= 0 {
			return false, refuse("pull: nothing beyond what was asked")
		}
		after = last
		a.cursors.put(a.peer, name, after)
	}
}

// latest takes one page of what the peer has of the last minutes, which a pull of
// many pages comes to at its end: a node that is far behind soon gets what is new.
// What these changes build on comes with the pull; until then they wait.
func (a *asker) latest(name string) error {
	a.current.Rounds++
	after := recon.Item{HLC: uint64(a.cfg.Now().Add(-latestTime).UnixMilli()) << 10}
	if err := a.write(kindPull, pull{set: name, after: after, max: maxLatest}.encode()); err != nil {
		return err
	}
	_, _, err := a.answer(maxLatest, func(cs []*change.Change) error { return a.receive(name, cs) })
	return err
}

func itemsOf(cs []*change.Change) []recon.Item {
	items := make([]recon.Item, len(cs))
	for i, c := range cs {
		items[i] = recon.Item{HLC: c.Head.HLC, ID: c.ID}
	}
	return items
}

// answer reads the answer to a pull or want of asked changes and passes on
// those of each frame. n counts all that came, decodable or not.
func (a *asker) answer(asked int, take func([]*change.Change) error) (n int, missing [][]byte, err error) {
	for more, first := true, true; more; {
		k, b, err := a.read()
		if err != nil {
			return n, nil, err
		}
		if k == kindGone && first && missing == nil {
			g, err := decodeGone(b)
			if err != nil {
				return n, nil, err
			}
			for _, id := range g.ids {
				missing = append(missing, slices.Clone(id))
			}
			continue
		}
		if k != kindChanges {
			return n, nil, instead(k, kindChanges, b)
		}
		var cs []*change.Change
		var items int
		if cs, items, more, err = a.unpackChanges(b); err != nil {
			return n, nil, err
		}
		first = false
		if n += items; n > asked*(maxEvidence+1) {
			return n, nil, refuse("changes: %d where %d were asked", n, asked)
		}
		if len(cs) == 0 {
			continue
		}
		if err := take(cs); err != nil {
			return n, nil, err
		}
	}
	return n, missing, nil
}

// receive hands changes to the replica and counts what became of them.
func (a *asker) receive(set string, cs []*change.Change) error {
	out, err := a.replica.Receive(a.ctx, a.peer, set, cs)
	if err != nil {
		return fmt.Errorf("receive changes of %s: %w", set, err)
	}
	a.met.changes.WithLabelValues("got").Add(float64(out.New))
	a.missing[set] = capped(append(a.missing[set], out.Missing...))
	if r := a.current; r != nil {
		r.Got += out.New
		r.Known += out.Duplicates
		for code, n := range out.Refused {
			r.refuse(code, n)
		}
	}
	return nil
}

// capped forgets the oldest ids above maxNeed; later ones name what is nearer.
func capped(ids []change.ID) []change.ID {
	if len(ids) > maxNeed {
		return slices.Clone(ids[len(ids)-maxNeed:])
	}
	return ids
}
