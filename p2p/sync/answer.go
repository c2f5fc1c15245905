package sync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// answerer is the responder's side of a session. It keeps no more than the
// copy of one sketch, and does nothing that grows with a set but answer pulls.
type answerer struct {
	session
	reserve func() bool // takes a place among the sessions; false when there is none
	placed  bool
	moved   func() // called when changes went over the session, nil: nobody

	sets   map[string]*recon.Set // that this session may name
	rounds map[string]int        // range messages answered, by set

	filter   *filter               // nil: none
	filtered map[string]*recon.Set // what it leaves; nil where that is too much

	sketched map[string]bool // sets whose sketch was copied
	current  string          // the set of the last sketch, range or pull
	sketch   *recon.Sketch   // of current; nil when none was asked for
	pushed   int             // changes, in current

	missing map[string][]change.ID // by set: past that pushed changes wait for, and what the peer says it has
	behind  bool                   // this side has to pull in a session of its own
}

func (e endpoint) answerer(ctx context.Context, s stream, p peer.ID, reserve func() bool) *answerer {
	return &answerer{
		session:  session{wire: newWire(ctx, s, e.cfg.SessionTime+graceTime), endpoint: e, peer: p},
		reserve:  reserve,
		sets:     make(map[string]*recon.Set),
		rounds:   make(map[string]int),
		filtered: make(map[string]*recon.Set),
		sketched: make(map[string]bool),
		missing:  make(map[string][]change.ID),
	}
}

// errBusy makes an ask end in a busy frame.
var errBusy = errors.New("no time for this set now")

// run answers until the initiator closes. The error says why it ended before.
func (a *answerer) run() error {
	defer a.stop()
	err := a.greet()
	for err == nil {
		err = a.next()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	if code, ok := a.blame(err); ok {
		// The session is over either way; the peer may have stopped reading.
		_ = a.write(kindError, failure{code}.encode())
	}
	return err
}

func (a *answerer) greet() error {
	k, b, err := a.read()
	if err != nil {
		return err
	}
	if k != kindHello {
		return refuse("%v where hello is due", k)
	}
	if a.theirs, err = decodeHello(b); err != nil {
		return err
	}
	if a.theirs.net != a.cfg.Net {
		return ErrNetwork
	}
	a.mine = a.hello(a.ctx, a.peer, a.theirs.proof)
	for _, s := range a.mine.sets {
		a.sets[s.name] = a.replica.Set(s.name)
	}
	return a.write(kindHello, a.mine.encode())
}

// next reads one frame and answers it.
func (a *answerer) next() error {
	k, b, err := a.read()
	if err != nil {
		return err
	}
	switch k {
	case kindSketch:
		err = a.onSketch(b)
	case kindRange:
		err = a.onRange(b)
	case kindWant:
		err = a.onWant(b)
	case kindPull:
		err = a.onPull(b)
	case kindChanges:
		err = a.onChanges(b)
	case kindHave:
		err = a.onHave(b)
	case kindDone:
		err = a.onDone(b)
	case kindFilter:
		err = a.onFilter(b)
	case kindError:
		f, err := decodeFailure(b)
		if err != nil {
			return err
		}
		return &RemoteError{Code: f.code}
	default:
		return refuse("%v from an initiator", k)
	}
	if errors.Is(err, errBusy) {
		return a.write(kindBusy, busy{busyRetry}.encode())
	}
	return err
}

// find returns a set that was named in hello, as the filter leaves it.
func (a *answerer) find(name string) (*recon.Set, error) {
	set := a.sets[name]
	if set == nil {
		return nil, reason.Refuse(reason.UnknownSpace, "set is not followed here")
	}
	if a.filter == nil || name == change.SetAuth {
		return set, nil
	}
	set, made := a.filtered[name]
	if !made {
		f, ok := a.replica.(Filterer)
		if !ok {
			return nil, errBusy
		}
		var err error
		if set, err = f.Filtered(a.ctx, name, a.filter.spaces, a.filter.since, maxFiltered); err != nil {
			return nil, fmt.Errorf("filter %s: %w", name, err)
		}
		a.filtered[name] = set
	}
	if set == nil {
		return nil, errBusy
	}
	return set, nil
}

// begin is find for what takes a place among the sessions: everything but
// hello, want and have, which gossip and latecomers need beside a pass.
func (a *answerer) begin(name string) (*recon.Set, error) {
	set, err := a.find(name)
	if err != nil {
		return nil, err
	}
	if !a.placed && !a.reserve() {
		return nil, errBusy
	}
	a.placed = true
	if a.current != name {
		a.current, a.sketch, a.pushed = name, nil, 0
	}
	return set, nil
}

func (a *answerer) onSketch(b []byte) error {
	ask, err := decodeSketchAsk(b)
	if err != nil {
		return err
	}
	set, err := a.begin(ask.set)
	if err != nil {
		return err
	}
	if a.sketch == nil {
		if a.sketched[ask.set] {
			return refuse("sketch: of a set that was left")
		}
		a.sketched[ask.set] = true
		a.sketch = set.Sketch()
	}
	syms, err := a.sketch.Symbols(int(ask.from), int(ask.n))
	if err != nil {
		return fmt.Errorf("answer sketch: %w", err)
	}
	count, fp := a.sketch.FP()
	return a.write(kindSketch, sketchAnswer{set: ask.set, from: ask.from, syms: syms, count: count, fp: fp}.encode())
}

func (a *answerer) onRange(b []byte) error {
	m, err := decodeRange(b)
	if err != nil {
		return err
	}
	set, err := a.begin(m.set)
	if err != nil {
		return err
	}
	if a.rounds[m.set]++; a.rounds[m.set] > maxRounds {
		return refuse("range: more than %d rounds", maxRounds)
	}
	out, err := recon.Respond(set, m.msg, maxRange)
	if err != nil {
		return refuse("range: %v", err)
	}
	return a.write(kindRange, rangeMsg{set: m.set, msg: out}.encode())
}

func (a *answerer) onWant(b []byte) error {
	w, err := decodeWant(b)
	if err != nil {
		return err
	}
	// A filter says what to compare; what is asked for by id is given.
	if a.sets[w.set] == nil {
		return reason.Refuse(reason.UnknownSpace, "set is not followed here")
	}
	items, err := a.replica.Items(a.ctx, w.set, w.ids)
	if err != nil {
		return fmt.Errorf("look up changes of %s: %w", w.set, err)
	}
	slices.SortFunc(items, recon.Item.Compare)
	items = slices.Compact(items)
	here := make(map[prefix]bool, len(items))
	for _, it := range items {
		here[prefixOf(it.ID[:])] = true
	}
	missing := slices.DeleteFunc(w.ids, func(id []byte) bool { return here[prefixOf(id)] })
	if len(missing) > 0 {
		if err := a.write(kindGone, gone{missing}.encode()); err != nil {
			return err
		}
	}
	return a.serve(w.set, items)
}

func (a *answerer) onPull(b []byte) error {
	p, err := decodePull(b)
	if err != nil {
		return err
	}
	set, err := a.begin(p.set)
	if err != nil {
		return err
	}
	n, err := a.sendFrom(p.set, set, p.after, int(p.max), a.end)
	a.served(n)
	return err
}

func (a *answerer) serve(set string, items []recon.Item) error {
	n, err := a.sendChanges(set, items, a.end)
	a.served(n)
	return err
}

// served counts changes that were sent.
func (a *answerer) served(n int) {
	a.met.changes.WithLabelValues("served").Add(float64(n))
	a.progress(n)
}

// progress reports that n changes, new to one of both sides, went over the session.
func (a *answerer) progress(n int) {
	if n > 0 && a.moved != nil {
		a.moved()
	}
}

// onChanges takes one frame of the initiator's push.
func (a *answerer) onChanges(b []byte) error {
	cs, n, _, err := a.unpackChanges(b)
	if err != nil {
		return err
	}
	if a.current == "" {
		return refuse("changes: pushed before anything was compared")
	}
	if a.pushed += n; a.pushed > maxPush*(maxEvidence+1) {
		return refuse("changes: %d pushed", a.pushed)
	}
	if len(cs) == 0 {
		return nil
	}
	out, err := a.replica.Receive(a.ctx, a.peer, a.current, cs)
	if err != nil {
		return fmt.Errorf("receive changes of %s: %w", a.current, err)
	}
	a.met.changes.WithLabelValues("got").Add(float64(out.New))
	a.progress(out.New)
	a.note(a.current, out.Missing)
	return nil
}

// onHave notes what the peer has new, to be asked for when this session ends.
func (a *answerer) onHave(b []byte) error {
	h, err := decodeHave(b)
	if err != nil {
		return err
	}
	if a.sets[h.set] == nil {
		return reason.Refuse(reason.UnknownSpace, "set is not followed here")
	}
	var ids []change.ID
	for _, id := range h.ids {
		if len(id) != idSize {
			return refuse("have: not a whole id")
		}
		ids = append(ids, change.ID(id))
	}
	a.note(h.set, ids)
	return nil
}

// note keeps ids to be asked for, maxQueued of a set.
func (a *answerer) note(set string, ids []change.ID) {
	room := maxQueued - len(a.missing[set])
	if n := min(room, len(ids)); n > 0 {
		a.missing[set] = append(a.missing[set], ids[:n]...)
	}
}

func (a *answerer) onDone(b []byte) error {
	d, err := decodeDone(b)
	if err != nil {
		return err
	}
	if a.pushed > 0 {
		delete(a.filtered, d.name) // it was made before the push
	}
	a.current, a.sketch, a.pushed = "", nil, 0
	set, err := a.find(d.name)
	if err != nil {
		return err
	}
	mine := stateOf(d.name, set)
	if mine.count*pullRatio < d.count {
		a.behind = true
	}
	return a.write(kindDone, done{mine}.encode())
}

func (a *answerer) onFilter(b []byte) error {
	f, err := decodeFilter(b)
	if err != nil {
		return err
	}
	if a.filter != nil || a.placed {
		return refuse("filter: twice, or after something was compared")
	}
	a.filter = &f
	return nil
}
