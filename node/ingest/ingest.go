// Package ingest is the one way into the log. Local writes (Submit) and what
// peers send (Receive) are judged by the same rules, appended in one fsynced
// batch, folded into the views and announced, in that order, by one committer.
//
// Requests that wait while the disk syncs are committed together, so that many
// small writers share a sync. What this node writes itself has a queue of its own,
// which is emptied first: it waits for one batch of what peers bring, however much
// more is queued. A request sees the changes that were checked
// before it in the same batch. Acknowledged means durable: Submit and Receive
// return after the sync.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/did"
)

// Config are the collaborators of an Ingest. All but Applied and Log are needed.
type Config struct {
	Judge *rules.Judge
	Log   *crdtlog.Log
	Views *fold.Views
	Now   func() time.Time
	// May refuses a change that a key of this node would sign in a space; nil
	// refuses none.
	May func(key did.Key, space change.Space) error
	// Applied is called by the committer after a batch is durable and folded,
	// with everything that is new. It must not block and must not call Ingest.
	Applied func(Applied)
	// Refused is called for each change that Receive did not take in, with who sent
	// it and why; missing_deps means that it waits. nil: nobody is called. It must not
	// block and must not call Ingest.
	Refused func(from string, c *change.Change, code reason.Code)
	// Admission says how much of what comes from outside is kept and shown; nil: all
	// of it is.
	Admission Admission
	Logger    *slog.Logger
}

// Applied is what one batch changed.
type Applied struct {
	Changes []Arrival
	Deltas  []fold.Delta
	Causes  []change.ID // beside Deltas: the change that made each
}

func (a *Applied) add(cause change.ID, ds []fold.Delta) {
	for range ds {
		a.Causes = append(a.Causes, cause)
	}
	a.Deltas = append(a.Deltas, ds...)
}

// Arrival is a change that became a member, or a body that came for a stub.
type Arrival struct {
	Change *change.Change
	Set    string
	Seq    uint64      // local sequence
	Local  bool        // written here: nobody else has it yet
	Held   reason.Code // why admission withholds it, or ""
	From   string      // who sent it, "" when that is not known or Local
}

// Ingest takes changes in. It is safe for concurrent use; Serve must run.
type Ingest struct {
	cfg      Config
	own      chan *request // what this node writes
	requests chan *request // everything else
	deferred *deferred
	refused  *refusedCache
	readOnly atomic.Bool
	ownOnly  atomic.Bool
	shared   atomic.Pointer[sharing] // nil: no other process has keys of this node
	folded   uint64                  // last local sequence in the views; the committer's own
	unsure   bool                    // the last Append failed, its outcome is open; the committer's own
	closed   chan struct{}
	once     sync.Once
}

// ErrClosed is returned once Serve has ended.
var ErrClosed = errors.New("ingest is closed")

// New makes an Ingest over views that stand for the whole log. It takes requests as soon as Serve runs.
func New(cfg Config) *Ingest {
	if cfg.May == nil {
		cfg.May = func(did.Key, change.Space) error { return nil }
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Ingest{
		folded: cfg.Log.LastSeq(), cfg: cfg, own: make(chan *request, maxQueued), requests: make(chan *request, maxQueued), deferred: newDeferred(), refused: newRefusedCache(),
		closed: make(chan struct{}),
	}
}

// ReadOnly reports whether the store takes no writes now. It is left again when
// a probe or a write succeeds.
func (in *Ingest) ReadOnly() bool { return in.readOnly.Load() }

// SetReadOnly stops or allows writes, for a node that watches its disk.
func (in *Ingest) SetReadOnly(v bool) { in.readOnly.Store(v) }

// OwnOnly reports whether what others send is refused for want of room, while this
// node's own writes, and what comes from Owner, are taken.
func (in *Ingest) OwnOnly() bool { return in.ownOnly.Load() }

// SetOwnOnly refuses or takes what others send, for a node that watches its disk.
func (in *Ingest) SetOwnOnly(v bool) { in.ownOnly.Store(v) }

// Owner is the sender of changes that whoever runs the node brings by hand.
const Owner = "file"

// request is work for the committer: run checks and adds to the batch, and may
// refuse by an error; done gets the outcome after the sync.
type request struct {
	run  func(*batch) error
	err  error
	done chan struct{}
}

// do hands work to the committer and waits for its outcome.
func (in *Ingest) do(ctx context.Context, lane chan *request, run func(*batch) error) error {
	r := &request{run: run, done: make(chan struct{})}
	select {
	case lane <- r:
	case <-in.closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-r.done:
		return r.err
	case <-in.closed:
		// Serve drains the queue before it closes, so this one was answered or
		// never looked at.
		select {
		case <-r.done:
			return r.err
		default:
			return ErrClosed
		}
	}
}

// Quiet runs f while nothing is being appended, so that log and views stand for
// the same sequence.
func (in *Ingest) Quiet(ctx context.Context, f func()) error {
	return in.do(ctx, in.requests, func(b *batch) error {
		b.quiet = append(b.quiet, f)
		return nil
	})
}

// Serve runs the committer until ctx ends, then answers what is still queued.
func (in *Ingest) Serve(ctx context.Context) error {
	defer in.endTurns()
	defer in.once.Do(func() { close(in.closed) })
	for ctx.Err() == nil {
		if r := in.next(); r != nil {
			in.commit(ctx, r)
			continue
		}
		select {
		case r := <-in.own:
			in.commit(ctx, r)
		case r := <-in.requests:
			in.commit(ctx, r)
		case <-ctx.Done():
		}
	}
	in.drain()
	return nil
}

// next is a request that waits, one of this node before any other, or nil.
func (in *Ingest) next() *request {
	select {
	case r := <-in.own:
		return r
	default:
	}
	select {
	case r := <-in.own:
		return r
	case r := <-in.requests:
		return r
	default:
		return nil
	}
}

func (in *Ingest) drain() {
	for r := in.next(); r != nil; r = in.next() {
		in.commit(context.Background(), r)
	}
}

// commit runs r and the requests that queued up behind it as one batch.
func (in *Ingest) commit(ctx context.Context, r *request) {
	ctx = context.WithoutCancel(ctx)
	if in.unsure {
		// Without that, a chain would be continued beside what the failed batch
		// left on disk, and fork.
		if err := in.cfg.Log.Writable(ctx); err != nil {
			r.err = in.fault(err)
			close(r.done)
			return
		}
		in.unsure = false
	}
	b := newBatch(ctx, in)
	var ok []*request
	for n := 0; r != nil; n++ {
		if r.err = b.try(r.run); r.err == nil {
			ok = append(ok, r)
		} else {
			close(r.done)
		}
		r = nil
		if n < maxTogether && len(b.verified) < maxBatch {
			r = in.next()
		}
	}
	err := b.flush()
	for _, r := range ok {
		if err != nil {
			r.err = err
		}
		close(r.done)
	}
}

// fault turns a failed write into an error that may be shown to clients.
func (in *Ingest) fault(err error) error {
	if crdtlog.IsFull(err) {
		if !in.readOnly.Swap(true) {
			in.cfg.Logger.Error("store is full: read-only", "err", err)
		}
		return reason.Refuse(reason.ReadOnly, "the store takes no writes now: the disk is full")
	}
	return fmt.Errorf("append changes: %w", err)
}
