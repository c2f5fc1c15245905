package log_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
)

var errNoRoom = &os.PathError{Op: "write", Path: "store", Err: syscall.ENOSPC}

// takesRoom reports whether an operation fails on a full disk.
func takesRoom(k errorfs.OpKind) bool {
	switch k {
	case errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileWriteAt, errorfs.OpMkdirAll, errorfs.OpReuseForWrite:
		return true
	}
	return false
}

// nth fails the nth operation that takes room, once.
type nth struct {
	n     int64
	count atomic.Int64
}

func (f *nth) MaybeError(op errorfs.Op) error {
	if takesRoom(op.Kind) && f.count.Add(1) == f.n {
		return errNoRoom
	}
	return nil
}

func (f *nth) String() string { return fmt.Sprintf("ENOSPC at write %d", f.n) }

func TestNoRoomAtAnyWriteLosesNothing(t *testing.T) {
	t.Parallel()
	const seed = 41
	steps := workload(t, seed, 12)
	quiet := &nth{}
	l, e := open(t, errorfs.Wrap(vfs.NewMem(), quiet))
	opened := quiet.count.Load()
	for i, s := range steps {
		if err := s(l); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	want := digest(t, l)
	shut(t, e)
	for n := opened + 1; n <= quiet.count.Load(); n += 5 {
		mem := vfs.NewMem()
		fault := &nth{n: n}
		l, e := open(t, errorfs.Wrap(mem, fault))
		for i, s := range steps {
			err := s(l)
			if log.IsFull(err) {
				untilWritable(t, l)
				err = s(l)
			}
			if err != nil {
				t.Fatalf("%s: step %d: %v", fault, i, err)
			}
		}
		if got := digest(t, l); got != want {
			t.Errorf("%s: the log is another", fault)
		}
		shut(t, e)
		l, e = open(t, mem)
		if got := digest(t, l); got != want {
			t.Errorf("%s: the log on disk is another", fault)
		}
		shut(t, e)
	}
}

// untilWritable asks until the log takes writes again, 10 s at most.
func untilWritable(t testing.TB, l *log.Log) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		err := l.Writable(ctx)
		if err == nil {
			return
		}
		if !log.IsFull(err) {
			t.Fatalf("not writable: %v", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("it did not resume within 10 s of room")
		}
	}
}

// disk is full while it is.
type disk struct{ full atomic.Bool }

func (d *disk) MaybeError(op errorfs.Op) error {
	if d.full.Load() && takesRoom(op.Kind) {
		return errNoRoom
	}
	return nil
}

func (d *disk) String() string { return "ENOSPC while full" }

func TestFullDiskIsReadOnlyAndResumes(t *testing.T) {
	t.Parallel()
	var d disk
	mem := vfs.NewMem()
	l, e := open(t, errorfs.Wrap(mem, &d))
	w := worldtest.New(42)
	ada := w.Agent("ada")
	bind, e1, e2, e3 := ada.Bind(), ada.Entry("go", "one"), ada.Entry("go", "two"), ada.Entry("go", "three")
	if _, err := l.Append(t.Context(), w.Verify(bind, e1)); err != nil {
		t.Fatal(err)
	}
	before := digest(t, l)

	d.full.Store(true)
	for i, err := range []error{
		second(l.Append(t.Context(), w.Verify(e2), log.Mark{Key: "k"})),
		second(l.Append(t.Context(), w.Verify(e2))),
		l.Hold(t.Context(), e1.ID, reason.Quarantined),
		l.Purge(t.Context(), e1.ID, reason.Purged),
		l.Writable(t.Context()),
	} {
		if !log.IsFull(err) {
			t.Errorf("write %d on a full disk: %v", i, err)
		}
	}
	if digest(t, l) != before {
		t.Error("a failed write changed what is read")
	}
	if _, err := l.Get(t.Context(), e2.ID); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("an unacknowledged change is served: %v", err)
	}
	if m, err := l.Member(e2.ID); m != nil || err != nil {
		t.Errorf("an unacknowledged change is a member: %v", err)
	}

	d.full.Store(false)
	untilWritable(t, l)
	// The first batch was on its way and may be there now, whole.
	_, err := l.Mark(t.Context(), "k")
	if _, err2 := l.Get(t.Context(), e2.ID); (err == nil) != (err2 == nil) {
		t.Errorf("half a batch: %v, %v", err, err2)
	}
	if _, err := l.Append(t.Context(), w.Verify(e2, e3)); err != nil {
		t.Fatal(err)
	}
	if n := l.LastSeq(); n != 4 {
		t.Errorf("%d members, want 4", n)
	}
	after := digest(t, l)
	shut(t, e)
	l, e = open(t, mem)
	if digest(t, l) != after {
		t.Error("the log on disk is another")
	}
	shut(t, e)
}

func second[T any](_ T, err error) error { return err }

// badSync fails every sync of a write-ahead log once it is on.
type badSync struct{ on atomic.Bool }

func (f *badSync) MaybeError(op errorfs.Op) error {
	switch op.Kind {
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
		if f.on.Load() && strings.HasSuffix(op.Path, ".log") {
			return &os.PathError{Op: "sync", Path: op.Path, Err: syscall.EIO}
		}
	}
	return nil
}

func (f *badSync) String() string { return "EIO at sync of the write-ahead log" }

// A sync that failed once may succeed falsely when it is tried again, so no
// write is taken after it.
func TestFailedSyncEndsWriting(t *testing.T) {
	t.Parallel()
	var fault badSync
	mem := vfs.NewCrashableMem()
	l, e := open(t, errorfs.Wrap(mem, &fault))
	w := worldtest.New(43)
	ada := w.Agent("ada")
	bind, e1, e2 := ada.Bind(), ada.Entry("go", "one"), ada.Entry("go", "two")
	if _, err := l.Append(t.Context(), w.Verify(bind, e1)); err != nil {
		t.Fatal(err)
	}
	before := digest(t, l)
	fault.on.Store(true)
	if _, err := l.Append(t.Context(), w.Verify(e2)); err == nil || log.IsFull(err) {
		t.Fatalf("append without a sync: %v", err)
	}
	fault.on.Store(false)
	for range 2 {
		if _, err := l.Append(t.Context(), w.Verify(e2)); err == nil || log.IsFull(err) {
			t.Errorf("append after a failed sync: %v", err)
		}
	}
	if digest(t, l) != before {
		t.Error("a failed write changed what is read")
	}
	if err := e.Close(); err == nil {
		t.Error("a broken store closes without a word")
	}
	l, e = open(t, mem.CrashClone(vfs.CrashCloneCfg{}))
	if digest(t, l) != before {
		t.Error("what was acknowledged is not on disk")
	}
	shut(t, e)
}
