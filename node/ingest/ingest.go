// Package ingest is the one door into the log. Local writes (Submit) and what
// peers send (Receive) are judged by the same rules, appended in one fsynced
// batch, folded into the views and announced, in that order, by one committer.
//
// Requests that wait while the disk syncs are committed together, so that many
// small writers share a sync. A request sees the changes that were checked
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
)

// Config are the collaborators of an Ingest. All but Applied and Log are needed.
type Config struct {
	Judge *rules.Judge
	Log   *crdtlog.Log
	Views *fold.Views
	Now   func() time.Time
	// Applied is called by the committer after a batch is durable and folded,
	// with everything that is new. It must not block and must not call Ingest.
	Applied func(Applied)
	Logger  *slog.Logger
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
	Seq    uint64 // local sequence
	Local  bool   // written here: nobody else has it yet
}

// Ingest takes changes in. It is safe for concurrent use; Serve must run.
type Ingest struct {
	cfg      Config
	requests chan *request
	deferred *deferred
	refused  *refusedCache
	readOnly atomic.Bool
	folded   uint64 // last local sequence in the views; the committer's own
	unsure   bool   // the last Append failed, its outcome is open; the committer's own
	closed   chan struct{}
	once     sync.Once
}

// ErrClosed is returned once Serve has ended.
var ErrClosed = errors.New("ingest is closed")

// New makes an Ingest over views that stand for the whole log. It takes requests as soon as Serve runs.
func New(cfg Config) *Ingest {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Ingest{
		folded: cfg.Log.LastSeq(), cfg: cfg, requests: make(chan *request, maxQueued), deferred: newDeferred(), refused: newRefusedCache(),
		closed: make(chan struct{}),
	}
}

// ReadOnly reports whether the store takes no writes now. It is left again when
// a probe or a write succeeds.
func (in *Ingest) ReadOnly() bool { return in.readOnly.Load() }

// SetReadOnly stops or allows writes, for a node that watches its disk.
func (in *Ingest) SetReadOnly(v bool) { in.readOnly.Store(v) }

// request is work for the committer: run checks and adds to the batch, and may
// refuse by an error; done gets the outcome after the sync.
type request struct {
	run  func(*batch) error
	err  error
	done chan struct{}
}

// do hands work to the committer and waits for its outcome.
func (in *Ingest) do(ctx context.Context, run func(*batch) error) error {
	r := &request{run: run, done: make(chan struct{})}
	select {
	case in.requests <- r:
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
	return in.do(ctx, func(b *batch) error {
		b.quiet = append(b.quiet, f)
		return nil
	})
}

// Serve runs the committer until ctx ends, then answers what is still queued.
func (in *Ingest) Serve(ctx context.Context) error {
	defer in.once.Do(func() { close(in.closed) })
	for {
		select {
		case r := <-in.requests:
			in.commit(ctx, r)
		case <-ctx.Done():
			in.drain()
			return nil
		}
	}
}

func (in *Ingest) drain() {
	for {
		select {
		case r := <-in.requests:
			in.commit(context.Background(), r)
		default:
			return
		}
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
			select {
			case r = <-in.requests:
			default:
			}
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

// fault turns a failed write into what the caller may tell.
func (in *Ingest) fault(err error) error {
	if crdtlog.IsFull(err) {
		if !in.readOnly.Swap(true) {
			in.cfg.Logger.Error("store is full: read-only", "err", err)
		}
		return reason.Refuse(reason.ReadOnly, "the store takes no writes now: the disk is full")
	}
	return fmt.Errorf("append changes: %w", err)
}
