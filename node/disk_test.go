package node_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// tryWrite contributes one more entry and returns its refusal.
func (b *box) tryWrite(a view.Agent, number int) (view.Receipt, reason.Code) {
	b.t.Helper()
	r, err := b.Contribute(b.t.Context(), a.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(number)}), view.Submit{})
	if err == nil {
		return r, ""
	}
	return r, reason.Of(err)
}

// openIncidents are the components with an incident that goes on.
func (b *box) openIncidents() string {
	var open []string
	for _, i := range b.Incidents().All() {
		if i.Open() {
			open = append(open, i.Component)
		}
	}
	return strings.Join(open, " ")
}

// While a disk fills up, what strangers send is refused first, then an incident is
// opened, and the owner's own writes end last; room brings all of it back.
func TestDiskGivesWayInSteps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var free atomic.Uint64
		free.Store(10 << 30)
		b := openWith(t, dir, func(o *core.Options) {
			o.Now, o.Engine, o.Documents = bubbleNow, crdtlog.NewMemory(), nowhere{}
			o.FreeDisk = func() (uint64, error) { return free.Load(), nil }
		})
		defer b.shut()
		ada, far, least := b.agent("Ada"), b.stranger("Bo"), uint64(b.Config().Storage.MinFreeDisk)
		b.bring(far.record)
		for i, step := range []struct {
			free           uint64
			level          string
			stranger, mine reason.Code
			incident       bool
		}{
			{10 << 30, "roomy", "", "", false},
			{least * 13 / 10, "scarce", reason.ReadOnly, "", false},
			{least * 11 / 10, "urgent", reason.ReadOnly, "", true},
			{least * 9 / 10, "full", reason.ReadOnly, reason.ReadOnly, true},
			{least * 11 / 10, "urgent", reason.ReadOnly, "", true},
			{least * 2, "roomy", "", "", false},
		} {
			free.Store(step.free)
			time.Sleep(1500 * time.Millisecond) // of the bubble: one look later
			s := b.Status()
			if s.Disk == nil || s.Disk.Level != step.level || s.Disk.Least != least {
				t.Fatalf("step %d: the status says %+v, want %s", i, s.Disk, step.level)
			}
			c := far.entry(retold(1000+i), bubbleNow().UnixMilli(), true)
			_, err := b.TakeIn(t.Context(), []*change.Change{c}, func(view.Author) reason.Code { return "" })
			if got := reason.Of(err); err != nil && got != step.stranger || err == nil && step.stranger != "" {
				t.Errorf("step %d, %s: a stranger's change: %v", i, step.level, err)
			}
			if err == nil {
				far.prev[c.Head.Space] = c
			}
			if _, code := b.tryWrite(ada, i); code != step.mine {
				t.Errorf("step %d, %s: a write of the owner: %q, want %q", i, step.level, code, step.mine)
			}
			if open := strings.Contains(b.openIncidents(), "disk"); open != step.incident {
				t.Errorf("step %d, %s: incidents: %q", i, step.level, b.openIncidents())
			}
			if _, err := b.Entries(t.Context(), view.EntryQuery{Limit: 10}); err != nil {
				t.Errorf("step %d, %s: reads fail: %v", i, step.level, err)
			}
			if checks, _ := b.Ready(); checks["disk"] != (step.mine == "") {
				t.Errorf("step %d, %s: ready says %v", i, step.level, checks["disk"])
			}
		}
	})
}

// fullDisk is a disk below the storage engine that has no room for some files.
type fullDisk struct {
	full   atomic.Bool
	tables bool // tables alone: what compactions and flushes write
}

func (f *fullDisk) MaybeError(op errorfs.Op) error {
	switch op.Kind {
	case errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileWriteAt, errorfs.OpMkdirAll, errorfs.OpReuseForWrite:
		if f.full.Load() && (!f.tables || strings.HasSuffix(op.Path, ".sst") || strings.HasSuffix(op.Path, "probe")) {
			return &os.PathError{Op: "write", Path: op.Path, Err: syscall.ENOSPC}
		}
	}
	return nil
}

func (f *fullDisk) String() string { return "ENOSPC while full" }

// TestScenario08DiskFull: the disk has no room while changes come in, and while the
// engine moves tables together. The node reads only, says so, loses nothing and goes
// on by itself. In the first case its own guard is blind, so that a write fails.
func TestScenario08DiskFull(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name          string
		tables, blind bool
	}{{"ingest", false, true}, {"compaction", true, false}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fs, disk := vfs.NewMem(), &fullDisk{tables: tc.tables}
			dir := t.TempDir()
			opened, err := engine.OpenPebble("log", engine.Options{FS: errorfs.Wrap(fs, disk), CacheBytes: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			b := openWith(t, dir, func(o *core.Options) {
				o.Engine = opened
				o.FreeDisk = func() (uint64, error) {
					if disk.full.Load() && !tc.blind {
						return 1 << 20, nil
					}
					return 10 << 30, nil
				}
			})
			ada := b.agent("Ada")
			acknowledged := map[change.ID]bool{}
			write := func(i int) reason.Code {
				r, code := b.tryWrite(ada, i)
				if code == "" {
					acknowledged[r.ID] = true
				}
				return code
			}
			for i := range 50 {
				if code := write(i); code != "" {
					t.Fatalf("a write on a disk with room: %s", code)
				}
			}
			disk.full.Store(true)
			start := time.Now()
			compacted := make(chan error, 1)
			go func() { compacted <- erase(opened, tc.tables) }()
			next := 50
			b.eventually("the node reads only", func() bool {
				next++
				code := write(next)
				if code != "" && code != reason.ReadOnly {
					t.Fatalf("a write on a full disk: %s", code)
				}
				checks, ready := b.Ready()
				return code == reason.ReadOnly && !checks["disk"] && !ready
			})
			stopped := time.Since(start)
			if page, err := b.Entries(t.Context(), view.EntryQuery{Limit: 10}); err != nil || len(page.Entries) != 10 {
				t.Errorf("reads on a full disk: %d entries, %v", len(page.Entries), err)
			}
			disk.full.Store(false)
			start = time.Now()
			b.eventually("the node writes again", func() bool {
				next++
				_, ready := b.Ready()
				return ready && write(next) == ""
			})
			resumed := time.Since(start)
			if err := <-compacted; err != nil && !crdtlog.IsFull(err) {
				t.Errorf("the compaction: %v", err)
			}
			deep, err := b.VerifyDeep(t.Context())
			if err != nil || len(deep.Problems) > 0 || !deep.ViewsOK {
				t.Errorf("after it: %+v, %v", deep, err)
			}
			b.shut()
			again, err := engine.OpenPebble("log", engine.Options{FS: fs, CacheBytes: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			b = openWith(t, dir, func(o *core.Options) { o.Engine = again })
			defer b.shut()
			lost := 0
			for id := range acknowledged {
				if _, err := b.Entry(t.Context(), id); err != nil {
					lost++
				}
			}
			t.Logf("scenario 08: %s: read-only after %v, writing again %v after room, %d of %d acknowledged writes lost (bar: ≤ 1 s, ≤ 10 s, 0)",
				tc.name, stopped.Round(time.Millisecond), resumed.Round(time.Millisecond), lost, len(acknowledged))
			if lost > 0 || resumed > 10*time.Second {
				t.Error("over the bar")
			}
		})
	}
}

// erase rewrites every table, as a compaction does.
func erase(e crdtlog.Engine, really bool) error {
	if !really {
		return nil
	}
	if err := e.Erase(context.Background(), "/", "0"); err != nil {
		return errors.Join(fmt.Errorf("erase"), err)
	}
	return nil
}
