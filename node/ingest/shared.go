package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/shared"
)

// ErrSuperseded: the agent had gone on under another key before the turn came, so
// nothing was signed.
var ErrSuperseded = errors.New("the agent acts by another key now")

// Sharing is how an Ingest signs with keys that other processes have too.
type Sharing struct {
	Book shared.Book
	// Has reports whether a key is one of the book.
	Has func(did.Key) bool
	// Speaks reports whether a key may still speak for its agent, by the views.
	Speaks func(did.Key) bool
	// Added is called with keys that came into the book.
	Added func([]shared.Key)
}

// sharing is a Sharing at work.
type sharing struct {
	Sharing

	mu      sync.Mutex
	ended   bool
	serving sync.WaitGroup             // counts the goroutines that serve a key
	waiting map[did.Key][]*turnRequest // a key is in it while a goroutine serves it
	flight  map[change.ID]bool         // recorded by this process, and on the way to its log

	following sync.Mutex
	place     int64 // recorded changes up to here were taken in
	keys      int64 // keys up to here are known
}

type turnRequest struct {
	w    Write
	rec  Receipt
	err  error
	done chan struct{}
}

// Share has changes that are signed with keys of a book go through it. Call it before
// anything is signed with one. What others recorded comes in with Follow.
func (in *Ingest) Share(s Sharing) {
	in.shared.Store(&sharing{Sharing: s, waiting: map[did.Key][]*turnRequest{}, flight: map[change.ID]bool{}})
}

// Follow takes in what was added to the book since the last time: keys, and changes
// that other processes signed with them. Without a book it does nothing.
func (in *Ingest) Follow(ctx context.Context) error {
	s := in.shared.Load()
	if s == nil {
		return nil
	}
	s.following.Lock()
	defer s.following.Unlock()
	keys, err := s.Book.Keys(ctx, s.keys)
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		s.Added(keys)
		s.keys = keys[len(keys)-1].Place
	}
	for {
		all, err := s.Book.After(ctx, s.place, maxFollowed)
		if err != nil || len(all) == 0 {
			return err
		}
		var cs []*change.Change
		s.mu.Lock()
		for _, r := range all {
			if !s.flight[r.Change.ID] {
				cs = append(cs, r.Change)
			}
		}
		s.mu.Unlock()
		if _, err := in.Receive(ctx, Owner, "", cs); err != nil {
			return err
		}
		s.place = all[len(all)-1].Place
	}
}

// MarkedElsewhere reports whether the book has a change with a mark.
func (in *Ingest) MarkedElsewhere(ctx context.Context, mark string) bool {
	s := in.shared.Load()
	if s == nil {
		return false
	}
	_, ok, err := s.Book.Marked(ctx, mark)
	return ok && err == nil
}

// submitShared is Submit with a key of the book: requests that wait for the same key are
// signed in one turn.
func (in *Ingest) submitShared(ctx context.Context, s *sharing, w Write) (Receipt, error) {
	r := &turnRequest{w: w, done: make(chan struct{})}
	key := w.Signer.Key()
	s.mu.Lock()
	queue, served := s.waiting[key]
	switch {
	case s.ended:
		s.mu.Unlock()
		return Receipt{}, ErrClosed
	case len(queue) >= maxQueued:
		s.mu.Unlock()
		return Receipt{}, reason.Refuse(reason.Overloaded, "too many writes of one agent wait for its turn to sign")
	}
	s.waiting[key] = append(queue, r)
	if !served {
		s.serving.Go(func() { in.serveKey(s, key) })
	}
	s.mu.Unlock()
	select {
	case <-r.done:
		return r.rec, r.err
	case <-ctx.Done():
		return Receipt{}, ctx.Err() // as of Submit, it may have been written
	}
}

// endTurns ends with everything that waits; what comes later is refused.
func (in *Ingest) endTurns() {
	s := in.shared.Load()
	if s == nil {
		return
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.serving.Wait()
}

// serveKey answers what waits for a key, and ends when nothing does.
func (in *Ingest) serveKey(s *sharing, key did.Key) {
	for {
		s.mu.Lock()
		queue := s.waiting[key]
		n := min(len(queue), maxTogether)
		now := queue[:n:n]
		if n == 0 {
			delete(s.waiting, key)
			s.mu.Unlock()
			return
		}
		s.waiting[key] = queue[n:]
		s.mu.Unlock()
		in.takeTurn(s, key, now)
		for _, r := range now {
			close(r.done)
		}
	}
}

// takeTurn signs, records and appends requests of one key. A turn that was lost before
// anything was recorded is asked for again.
func (in *Ingest) takeTurn(s *sharing, key did.Key, rs []*turnRequest) {
	ctx, cancel := context.WithTimeout(context.Background(), turnTime)
	defer cancel()
	for n := 1; ; n++ {
		var b *batch
		var ok []*turnRequest
		err := in.Follow(ctx) // before the turn, so that it is short
		if err == nil {
			err = s.Book.Turn(ctx, key, func(t shared.Turn) (err error) {
				b, ok, err = in.signIn(ctx, s, key, t, rs)
				return err
			})
		}
		recorded := b != nil && err == nil
		if recorded {
			// What fails from here on is found again at the heads of the next turn.
			err = in.appendSigned(ctx, b, ok)
		}
		if b != nil {
			s.landed(b)
		}
		var refusal *reason.Refusal
		final := recorded || errors.As(err, &refusal) || errors.Is(err, shared.ErrOpen) || errors.Is(err, ErrSuperseded) || errors.Is(err, ErrClosed)
		if err != nil && !final && n < turnTries && ctx.Err() == nil {
			continue
		}
		if err != nil {
			if len(ok) == 0 {
				ok = rs
			}
			for _, r := range ok {
				r.err = err
			}
		}
		return
	}
}

// signIn signs what can be in a turn and records it. It returns the batch, and the
// requests in it; the others have their refusal.
func (in *Ingest) signIn(ctx context.Context, s *sharing, key did.Key, t shared.Turn, rs []*turnRequest) (*batch, []*turnRequest, error) {
	if err := in.Follow(ctx); err != nil {
		return nil, nil, err
	}
	if err := in.reach(ctx, s, needed(t.Heads(), rs), false); err != nil {
		if lost := t.Stay(ctx); lost != nil {
			err = lost // others went on meanwhile, so the heads are old
		}
		return nil, nil, err
	}
	if !s.Speaks(key) {
		return nil, nil, fmt.Errorf("%w: %w", ErrSuperseded, reason.Refuse(reason.Overloaded, "the agent just got another key; try again"))
	}
	b := newBatch(ctx, in)
	var ok []*turnRequest
	for _, r := range rs {
		r.rec, r.err = Receipt{}, nil
		if r.err = in.replayShared(ctx, s, r); r.err != nil || r.rec.Replay {
			continue
		}
		if r.err = b.try(func(b *batch) error { return b.write(r.w, &r.rec) }); r.err == nil && !r.rec.Replay {
			ok = append(ok, r)
		}
	}
	if len(b.verified) == 0 {
		return nil, nil, nil
	}
	marks := map[change.ID]string{}
	for _, m := range b.marks {
		if id, err := change.IDFromBytes(m.Value); err == nil {
			marks[id] = m.Key
		}
	}
	signed := make([]shared.Signed, len(b.verified))
	s.mu.Lock()
	for i, v := range b.verified {
		signed[i] = shared.Signed{Change: v.Change(), Mark: marks[v.Change().ID]}
		s.flight[v.Change().ID] = true
	}
	s.mu.Unlock()
	return b, ok, t.Record(ctx, signed)
}

// needed are the heads without which requests cannot be signed: of the chains that they
// go on with, and of those that say who speaks for whom.
func needed(heads []shared.Head, rs []*turnRequest) (out []shared.Head) {
	for _, h := range heads {
		if h.Chain.Lane == change.Control || slices.ContainsFunc(rs, func(r *turnRequest) bool {
			return r.w.Space == h.Chain.Space && change.LaneOf(r.w.Kind) == h.Chain.Lane
		}) {
			out = append(out, h)
		}
	}
	return out
}

// Hold calls f while nobody signs with a key, here or elsewhere, and everything that was
// signed with it is in the log. With a key that is in no book it only calls f.
func (in *Ingest) Hold(ctx context.Context, key did.Key, f func() error) error {
	s := in.shared.Load()
	if s == nil || !s.Has(key) {
		return f()
	}
	if err := in.Follow(ctx); err != nil {
		return err
	}
	return s.Book.Turn(ctx, key, func(t shared.Turn) error {
		if err := in.Follow(ctx); err != nil {
			return err
		}
		if err := in.reach(ctx, s, t.Heads(), true); err != nil {
			return err
		}
		ctx, end := context.WithCancel(ctx)
		var staying sync.WaitGroup
		defer staying.Wait()
		defer end()
		staying.Go(func() {
			tick := time.NewTicker(stayEvery)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
					if t.Stay(ctx) != nil {
						return
					}
				}
			}
		})
		return f()
	})
}

// landed ends that the changes of a batch are on their way to the log.
func (s *sharing) landed(b *batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range b.verified {
		delete(s.flight, v.Change().ID)
	}
}

// replayShared answers a request whose mark another process recorded.
func (in *Ingest) replayShared(ctx context.Context, s *sharing, r *turnRequest) error {
	if r.w.Mark == "" {
		return nil
	}
	if _, err := in.cfg.Log.Mark(ctx, r.w.Mark); err == nil {
		return nil // b.write answers
	}
	id, ok, err := s.Book.Marked(ctx, r.w.Mark)
	if err != nil || !ok {
		return err
	}
	rec, err := in.cfg.Log.Get(ctx, id)
	if err != nil {
		return fmt.Errorf("read marked change: %w", err)
	}
	r.rec = Receipt{Change: rec.Change, Seq: rec.Seq, Set: rec.Set, Replay: true}
	return nil
}

// reach brings the log to the heads of a turn: nothing may be signed on a chain whose
// end is not here. home_unsure says that it cannot be done now. further lets pass a log
// that has more than the book, which is so when the book was set back.
func (in *Ingest) reach(ctx context.Context, s *sharing, heads []shared.Head, further bool) error {
	for _, h := range heads {
		for tried := false; ; tried = true {
			id, seq, _, _, err := in.cfg.Log.Tip(ctx, h.Chain)
			if err != nil && !errors.Is(err, crdtlog.ErrNotFound) {
				return fmt.Errorf("read the chain: %w", err)
			}
			if seq == h.Seq && id == h.ID || further && seq > h.Seq {
				break
			}
			if tried || seq >= h.Seq {
				return reason.Refuse(reason.HomeUnsure, "this gateway's log has the agent's chain in %s up to place %d, the gateways together up to %d; nothing is signed until both agree",
					h.Chain.Space, seq, h.Seq)
			}
			for from := seq; from < h.Seq; {
				cs, err := s.Book.Chain(ctx, h.Chain, from, maxFollowed)
				if err != nil {
					return err
				}
				if len(cs) == 0 {
					break
				}
				if _, err := in.Receive(ctx, Owner, "", cs); err != nil {
					return err
				}
				from = cs[len(cs)-1].Head.Seq
			}
		}
	}
	return nil
}

// appendSigned hands a batch that is recorded to the committer.
func (in *Ingest) appendSigned(ctx context.Context, signed *batch, rs []*turnRequest) error {
	return in.do(ctx, in.own, func(b *batch) error {
		for _, v := range signed.verified {
			c := v.Change()
			b.verified = append(b.verified, v)
			b.pending[c.ID], b.local[c.ID] = c, true
			b.remember(v)
		}
		b.marks = append(b.marks, signed.marks...)
		b.after = append(b.after, func(seq map[change.ID]uint64) {
			for _, r := range rs {
				r.rec.Seq = seq[r.rec.Change.ID]
			}
		})
		return nil
	})
}
