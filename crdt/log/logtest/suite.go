// Package logtest is the contract of a log over any engine: a new engine proves
// itself in a few lines.
//
//	logtest.Suite(t, func(t testing.TB) logtest.Place { … })
package logtest

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

// Place is where one engine keeps its data. Open opens the engine there, again
// after the one before was closed.
type Place interface {
	Open(t testing.TB) log.Engine
}

// Suite runs the contract. newPlace makes an empty place.
func Suite(t *testing.T, newPlace func(t testing.TB) Place) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, newPlace func(t testing.TB) Place)
	}{
		{"AppendedChangesAreReadEveryWay", testReadEveryWay},
		{"KnownChangesAreLeftAlone", testKnown},
		{"SignedCopyReplacesUnverifiedOne", testReplace},
		{"ForksShowBothBranches", testForks},
		{"OrphanIsRefusedWhole", testOrphan},
		{"RunProvesAHead", testRun},
		{"RangeIsInOrderOfTheSet", testRange},
		{"PrefixFindsItsMember", testResolve},
		{"StubTakesItsBodyOnly", testPutBody},
		{"RowFailureIsRecorded", testRowFailure},
		{"PurgedNeverComesBack", testPurge},
		{"HeldIsKeptAndCounted", testHold},
		{"MarksAreStoredWithTheirBatch", testMarks},
		{"OldMarksAreSwept", testSweep},
		{"ReopenFindsEverything", testReopen},
		{"ForeignStoreIsRefused", testForeign},
		{"CheckpointEqualsScan", testCheckpoint},
		{"AgreesWithItsModel", testModel},
		{"EveryFlippedBitIsSeen", testFlips},
		{"HealMendsWhatVerifyReports", testHeal},
		{"StrayRecordIsReported", testStray},
		{"ReadersAndWritersAtOnce", testConcurrent},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, newPlace)
		})
	}
}

// box is a log under test with its engine.
type box struct {
	*log.Log
	engine log.Engine
	place  Place
	world  *worldtest.World
}

func newBox(t testing.TB, newPlace func(t testing.TB) Place, w *worldtest.World) *box {
	t.Helper()
	b := &box{place: newPlace(t), world: w}
	b.open(t, nil)
	t.Cleanup(func() {
		if b.engine != nil {
			_ = b.engine.Close()
		}
	})
	return b
}

func (b *box) open(t testing.TB, cp *log.Checkpoint) {
	t.Helper()
	b.engine = b.place.Open(t)
	var err error
	if b.Log, err = log.Open(t.Context(), b.engine, b.world.Genesis.Shards, cp); err != nil {
		t.Fatalf("open log: %v", err)
	}
}

func (b *box) close(t testing.TB) {
	t.Helper()
	if err := b.engine.Close(); err != nil {
		t.Fatalf("close engine: %v", err)
	}
	b.engine = nil
}

// append stores cs, which it checks as one batch first.
func (b *box) append(t testing.TB, cs ...*change.Change) []log.Appended {
	t.Helper()
	out, err := b.Append(t.Context(), b.world.Verify(cs...))
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	return out
}

func (b *box) get(t testing.TB, id change.ID) log.Record {
	t.Helper()
	r, err := b.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("get %s: %v", id, err)
	}
	return r
}

// since returns all records in order of arrival.
func (b *box) since(t testing.TB) []log.Record {
	t.Helper()
	rs, err := b.Since(t.Context(), 0, 1<<30)
	if err != nil {
		t.Fatalf("since: %v", err)
	}
	return rs
}

// sound fails t when a deep verification finds anything.
func (b *box) sound(t testing.TB) {
	t.Helper()
	err := b.Verify(t.Context(), true, func(p log.Problem) { t.Errorf("verify: %+v", p) })
	if err != nil {
		t.Errorf("verify: %v", err)
	}
}

// same fails t unless both logs have the same in the same order.
func same(t testing.TB, a, b *box) {
	t.Helper()
	x, y := a.since(t), b.since(t)
	if !slices.EqualFunc(x, y, sameRecord) {
		t.Errorf("records differ: %d and %d of them", len(x), len(y))
	}
	if a.Counts() != b.Counts() || a.LastSeq() != b.LastSeq() {
		t.Errorf("counts %+v and %+v", a.Counts(), b.Counts())
	}
	if !slices.Equal(a.Sets(), b.Sets()) {
		t.Fatalf("sets %q and %q", a.Sets(), b.Sets())
	}
	for _, name := range a.Sets() {
		n, f := a.Set(name).FP()
		m, g := b.Set(name).FP()
		if n != m || f != g {
			t.Errorf("set %s: %d members with %x, and %d with %x", name, n, f, m, g)
		}
	}
}

func sameRecord(a, b log.Record) bool {
	return a.Change.ID == b.Change.ID && bytes.Equal(a.Change.RawHead, b.Change.RawHead) &&
		bytes.Equal(a.Change.Body, b.Change.Body) && a.Change.IsStub() == b.Change.IsStub() &&
		a.Set == b.Set && a.Seq == b.Seq && a.Own == b.Own &&
		a.State == b.State && a.Reason == b.Reason && a.Held == b.Held
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

func ids(cs ...*change.Change) []change.ID {
	out := make([]change.ID, len(cs))
	for i, c := range cs {
		out[i] = c.ID
	}
	return out
}

func sorted(xs []change.ID) []change.ID {
	slices.SortFunc(xs, change.ID.Compare)
	return xs
}

func recordIDs(rs []log.Record) []change.ID {
	out := make([]change.ID, len(rs))
	for i, r := range rs {
		out[i] = r.Change.ID
	}
	return out
}

// byItem sorts changes in the order of a set.
func byItem(cs []*change.Change) []*change.Change {
	out := slices.Clone(cs)
	slices.SortFunc(out, func(a, b *change.Change) int {
		return cmp.Or(cmp.Compare(a.Head.HLC, b.Head.HLC), a.ID.Compare(b.ID))
	})
	return out
}

func item(c *change.Change) recon.Item { return recon.Item{HLC: c.Head.HLC, ID: c.ID} }

// unproven makes a member of cs[0] although its own signature is bad: cs must be
// a run of one chain.
func unproven(w *worldtest.World, cs ...*change.Change) []rules.Verified {
	cs = slices.Clone(cs)
	cs[0] = worldtest.BadSignature(cs[0])
	return w.Verify(cs...)
}

const someCode = reason.Quarantined
