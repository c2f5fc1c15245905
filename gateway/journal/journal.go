// Package journal keeps the public events of a gateway in one stream and sends
// them to readers.
//
// It listens to the node's bus, makes of each event what api §7.3 says of it and
// who may receive it, and writes it to the gateway's database, off the path of the
// write that caused it. Only what is durable is published, so the place of an event
// in the stream never changes. With each batch the place in the node's log is
// noted up to which everything was published; after a crash the rest is published from
// the log. An event that a change caused has the same id whenever it is published.
//
// A reader opens a Stream with Open and calls Next. What goes to many readers
// is encoded once. A reader that lets too much wait is cut.
//
// Start with New, and run Serve. Do not send a reader anything that did not come
// through a Stream: the audience is checked there and nowhere else.
package journal

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
)

// Config tunes a Journal; the zero value is sensible.
type Config struct {
	Node string        // names the node in a database that gateways share
	Keep int           // events kept for readers who come back, DefaultKeep when 0
	Term time.Duration // how long they are kept, DefaultTerm when 0
	Now  func() time.Time
	Log  *slog.Logger // nil: nothing is logged
}

// Journal is the stream of a gateway. Its methods are safe for concurrent use.
type Journal struct {
	cfg   Config
	src   Source
	state *state.DB
	mark  uint64 // the writer's own: the log is published up to here
	sub   *events.Sub

	mu       sync.Mutex // guards what follows; taken before that of a stream
	span     state.EventSpan
	ring     ring
	streams  map[*Stream]struct{}
	byAgent  [faces]map[string]int
	byAddr   map[netip.Addr]int
	opened   int
	loaded   bool
	draining bool
}

// New returns a journal over a node and the gateway's state.
func New(src Source, db *state.DB, cfg Config) (*Journal, error) {
	if src == nil || db == nil {
		return nil, errors.New("journal needs a node and a state")
	}
	if cfg.Keep <= 0 {
		cfg.Keep = DefaultKeep
	}
	if cfg.Term <= 0 {
		cfg.Term = DefaultTerm
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	j := &Journal{cfg: cfg, src: src, state: db, streams: map[*Stream]struct{}{}, byAddr: map[netip.Addr]int{}}
	for i := range j.byAgent {
		j.byAgent[i] = map[string]int{}
	}
	return j, nil
}

// Load reads what earlier processes published, so that readers can come. It withdraws
// the texts of entries that left the view meanwhile. Call it before Serve and
// before the first Open. From here on the bus is listened to.
func (j *Journal) Load(ctx context.Context) error {
	j.sub = j.src.Events().Subscribe(listened, waiting) // before anything is read, so that nothing falls between
	// The first place is made before anyone can ask for it.
	mark, ok, err := j.state.EventMark(ctx, j.cfg.Node)
	if err != nil {
		return err
	}
	if !ok || mark > j.src.Seq() { // a new journal, or of a log that is gone
		mark = j.src.Seq()
		if _, _, err := j.state.AppendEvents(ctx, j.cfg.Node, nil, mark, j.cfg.Now()); err != nil {
			return err
		}
	}
	j.mark = mark
	if err := j.skip(ctx); err != nil {
		return err
	}
	if err := j.withdraw(ctx); err != nil {
		return err
	}
	span, err := j.state.TrimEvents(ctx, j.cfg.Keep, j.cfg.Now().Add(-j.cfg.Term), j.cfg.Now())
	if err != nil {
		return err
	}
	newest, err := j.state.EventsAfter(ctx, max(span.Floor, span.Head-min(span.Head, ringEvents)), nil, ringEvents)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.span, j.loaded = span, true
	j.ring = ring{floor: span.Head}
	if len(newest) > 0 {
		j.ring.floor = newest[0].Seq - 1
	}
	for i := range newest {
		j.ring.push(&Event{Event: newest[i]})
	}
	return nil
}

// withdraw hides the texts about entries that are not in the view.
func (j *Journal) withdraw(ctx context.Context) error {
	titled, err := j.state.TitledEvents(ctx, "ent_")
	if err != nil {
		return err
	}
	var gone []string
	for _, object := range titled {
		if !j.src.EntryStands(object) {
			gone = append(gone, object)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return j.state.HideEvents(ctx, gone)
}

// Serve publishes what happens until ctx ends, then writes what it has received.
func (j *Journal) Serve(ctx context.Context) error {
	var ticking sync.WaitGroup
	ticks, stop := context.WithCancel(ctx)
	ticking.Go(func() { j.tick(ticks) })
	defer ticking.Wait()
	defer stop()
	for {
		err := j.follow(ctx, j.sub)
		j.sub.Close()
		if ctx.Err() != nil || !errors.Is(err, events.ErrSlow) {
			return nil
		}
		j.cfg.Log.Warn("events came faster than they could be written; those of the log are published from there")
		j.sub = j.src.Events().Subscribe(listened, waiting)
	}
}

// tick gives every stream its signs of life, from one timer.
func (j *Journal) tick(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for second := 0; ; second++ {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		j.mu.Lock()
		for s := range j.streams {
			s.tick(second)
		}
		j.mu.Unlock()
	}
}
