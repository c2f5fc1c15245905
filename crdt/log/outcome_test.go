package log_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
)

// unsure is an engine whose commits fail, with the batch stored or not.
type unsure struct {
	log.Engine
	fail, stores bool
	unsettled    error // what Sync says
}

var errCommit = fmt.Errorf("commit: %w", syscall.EDQUOT)

func (u *unsure) Sync(ctx context.Context, key ds.Key) error {
	if u.unsettled != nil {
		return u.unsettled
	}
	return u.Engine.Sync(ctx, key)
}

func (u *unsure) Batch(ctx context.Context) (ds.Batch, error) {
	b, err := u.Engine.Batch(ctx)
	return unsureBatch{b, u}, err
}

type unsureBatch struct {
	ds.Batch
	u *unsure
}

func (b unsureBatch) Commit(ctx context.Context) error {
	if !b.u.fail {
		return b.Batch.Commit(ctx)
	}
	if b.u.stores {
		if err := b.Batch.Commit(ctx); err != nil {
			return err
		}
	}
	return errCommit
}

func TestFailedCommitLeavesMemoryUnchanged(t *testing.T) {
	t.Parallel()
	for _, stores := range []bool{false, true} {
		t.Run(fmt.Sprint("stored ", stores), func(t *testing.T) {
			t.Parallel()
			u := &unsure{Engine: log.NewMemory(), stores: stores}
			l, err := log.Open(t.Context(), u, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			w := worldtest.New(51)
			ada := w.Agent("ada")
			bind, e1, e2, e3 := ada.Bind(), ada.Entry("go", "1"), ada.Entry("go", "2"), ada.Entry("go", "3")
			if _, err := l.Append(t.Context(), w.Verify(bind, e1)); err != nil {
				t.Fatal(err)
			}
			before := digest(t, l)
			u.fail = true
			if _, err := l.Append(t.Context(), w.Verify(e2), log.Mark{Key: "k"}); !errors.Is(err, errCommit) || !log.IsFull(err) {
				t.Fatalf("append: %v", err)
			}
			u.fail, u.unsettled = false, log.ErrFull
			if _, err := l.Append(t.Context(), w.Verify(e2)); !log.IsFull(err) {
				t.Errorf("append while the last commit is open: %v", err)
			}
			if _, err := l.Mark(t.Context(), "k"); (err == nil) != stores {
				t.Errorf("mark: %v", err) // marks are read from disk, changes by what memory knows
			}
			if m, err := l.Member(e2.ID); m != nil || err != nil {
				t.Errorf("an unacknowledged change is a member: %v", err)
			}
			if got, ok, err := l.Resolve(t.Context(), "open/0", e2.ID[:16]); ok || err != nil {
				t.Errorf("an unacknowledged change is found: %s, %v", got, err)
			}
			if l.LastSeq() != 2 || !stores && digest(t, l) != before {
				t.Error("a failed commit changed memory")
			}

			u.unsettled = nil
			if err := l.Writable(t.Context()); err != nil {
				t.Fatal(err)
			}
			if m, err := l.Member(e2.ID); (m != nil) != stores || err != nil {
				t.Errorf("after settling: %v, %v", m, err)
			}
			want := e1
			if stores {
				want = e2
			}
			if id, _, _, _, err := l.Tip(t.Context(), e2.Head.Chain()); id != want.ID || err != nil {
				t.Errorf("tip after settling: %s, %v", id, err)
			}
			out, err := l.Append(t.Context(), w.Verify(e2, e3))
			if err != nil || out[0].New == stores || !out[1].New || out[1].Seq != 4 {
				t.Errorf("append: %+v, %v", out, err)
			}
			if id, seq, _, forked, err := l.Tip(t.Context(), e2.Head.Chain()); id != e3.ID || seq != 3 || forked || err != nil {
				t.Errorf("tip %s at %d, forked %v: %v", id, seq, forked, err)
			}
			if err := l.Verify(t.Context(), true, func(p log.Problem) { t.Errorf("verify: %+v", p) }); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCanceledAppendWritesNothing(t *testing.T) {
	t.Parallel()
	l, err := log.Open(t.Context(), log.NewMemory(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := worldtest.New(52)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, w.Verify(w.Agent("ada").Bind())); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	if l.LastSeq() != 0 {
		t.Error("a canceled append was stored")
	}
	if err := l.Writable(t.Context()); err != nil {
		t.Errorf("writable: %v", err)
	}
}

// shown is an engine that shows a batch before its Commit returns, as Pebble does
// while it waits for the disk.
type shown struct {
	log.Engine
	meanwhile func()
}

func (s *shown) Batch(ctx context.Context) (ds.Batch, error) {
	b, err := s.Engine.Batch(ctx)
	return shownBatch{b, s}, err
}

type shownBatch struct {
	ds.Batch
	s *shown
}

func (b shownBatch) Commit(ctx context.Context) error {
	err := b.Batch.Commit(ctx)
	if b.s.meanwhile != nil {
		b.s.meanwhile()
	}
	return err
}

// Counts that the disk has already and the log has not yet are no damage.
func TestVerifyBesideABatchFindsNothing(t *testing.T) {
	t.Parallel()
	e := &shown{Engine: log.NewMemory()}
	l, err := log.Open(t.Context(), e, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := worldtest.New(53)
	ada := w.Agent("ada")
	bind, entry := ada.Bind(), ada.Entry("go", "1")
	if _, err := l.Append(t.Context(), w.Verify(bind, entry)); err != nil {
		t.Fatal(err)
	}
	verified := 0
	verify := func() {
		verified++
		if err := l.Verify(t.Context(), true, func(p log.Problem) { t.Errorf("%+v", p) }); err != nil {
			t.Error(err)
		}
	}
	e.meanwhile = verify
	if err := l.Purge(t.Context(), entry.ID, reason.Purged); err != nil {
		t.Fatal(err)
	}
	e.meanwhile = nil
	verify()
	if n := l.Counts().Purged; n != 1 || verified != 2 {
		t.Errorf("%d purged, verified %d times", n, verified)
	}
}
