package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/transfer"
)

// openStore opens the log with its views. With Options.Salvage a store that is
// damaged beyond opening is written anew from what can be read of it first.
func (n *Node) openStore(ctx context.Context) error {
	kind, dir, kept := n.Opt.Files()
	if !kept {
		return n.openLog(ctx)
	}
	if err := n.Opt.Home.CheckElsewhere(dir); err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	if err := crdtlog.FinishSalvage(dir); err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	if n.Opt.Home.Spoilt() && n.Opt.Salvage {
		if err := n.salvage(ctx, kind, dir, errors.New("unreadable blocks were found in it")); err != nil {
			return err
		}
	}
	err := n.openLog(ctx)
	if err == nil || !errors.Is(err, crdtlog.ErrDamaged) {
		return err
	}
	if !n.Opt.Salvage {
		return err
	}
	if n.Engine != nil {
		_ = n.Engine.Close() // of a store that is put aside
		n.Engine = nil
	}
	if err := n.salvage(ctx, kind, dir, err); err != nil {
		return err
	}
	return n.openLog(ctx)
}

func (n *Node) openLog(ctx context.Context) (err error) {
	if n.Engine, err = n.Opt.OpenEngine(n.damagedFiles); err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	return n.restore(ctx)
}

// damagedFiles is called by the engine with what it meets in the background.
func (n *Node) damagedFiles(err error) {
	if l := n.LogNow.Load(); l != nil {
		l.NoteDamage(err)
	}
}

// salvage writes the store anew and says what came of it.
func (n *Node) salvage(ctx context.Context, kind, dir string, why error) error {
	n.Opt.Log.Warn("the store is damaged; writing it anew from what can be read", "err", why)
	var known crdtlog.Known
	if cp, err := n.readCheckpoint(); err == nil {
		known = cp.log.Known()
	}
	aside := dir + ".damaged-" + n.Opt.Now().UTC().Format("20060102T150405.000")
	out, err := crdtlog.Salvage(ctx, kind, dir, aside, n.Judge.Genesis().Shards, known)
	if err != nil {
		return err
	}
	var keep []string
	if !out.Renumbered { // else what was derived goes by sequences that are others' now
		keep = append(keep, checkpointFile, knowledge.IndexDir)
	}
	if !out.Unknown() { // the owner's chains are known to their ends: it is this home's store
		keep = append(keep, lineage.File)
	}
	if err := takeAlong(n, aside, keep); err != nil {
		return fmt.Errorf("salvage store: %w", err)
	}
	n.Opt.Log.Warn("store written anew", "changes", out.Members, "headsLost", out.Heads, "bodiesLost", out.Bodies, "unreadable", out.Gaps,
		"unknownLost", out.Unknown(), "damagedStore", aside)
	n.salvaged = &out
	return nil
}

// takeAlong moves what lies beside the log in its folder out of the one that was
// put aside. What stays there is derived again.
func takeAlong(n *Node, aside string, names []string) error {
	to := n.Opt.Home.Resolve(n.Config().Storage.Dir)
	var errs []error
	if to != n.Opt.Home.Path(store.StoreDir) { // they lie elsewhere
		for _, name := range []string{checkpointFile, knowledge.IndexDir} {
			if !slices.Contains(names, name) {
				errs = append(errs, os.RemoveAll(n.Opt.Home.Path(store.StoreDir, name)))
			}
		}
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(aside, name), filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, n.Opt.Home.ClearSpoilt())...)
}

// newKeeper makes what keeps the log whole.
func (n *Node) newKeeper() {
	n.keeper = repair.New(repair.Config{
		Log: n.Log, Fetch: n.fetchCopies, Logger: n.Opt.Log,
		Heal:   func(ctx context.Context, cs []*change.Change) ([]change.ID, error) { return n.Ingest.Heal(ctx, cs) },
		Mended: n.mended,
		Found:  func(cause string) { n.Broken.Fail(health.Records, cause) },
		Whole:  func() { n.Broken.Recover(health.Records) },
		Spoilt: n.markSpoilt,
	})
	n.Meter.Watch(n.Damaged, n.keeper.Healed)
	if s := n.salvaged; s != nil && !s.Whole() {
		n.Broken.Fail(health.Records, fmt.Sprintf("the store was written anew: %d changes have lost their heads, %d more their bodies, %d parts could not be read", s.Heads, s.Bodies, s.Gaps))
		n.keeper.Wake()
	}
}

func (n *Node) markSpoilt() {
	if _, _, kept := n.Opt.Files(); !kept {
		return
	}
	if err := n.Opt.Home.MarkSpoilt(); err != nil {
		n.Opt.Log.Error("not noted that the store needs to be written anew", "err", err)
	}
}

// fetchCopies asks the connected peers for changes by id until all have come.
func (n *Node) fetchCopies(ctx context.Context, ids []change.ID) (got []*change.Change, asked int) {
	net := n.Net.Load()
	if net == nil {
		return nil, 0
	}
	for set, want := range n.Log.BySet(ids) {
		n := 0
		for _, p := range peering.Shuffled(net.Host.Direct()) {
			if len(want) == 0 || ctx.Err() != nil {
				break
			}
			n++
			var some []*change.Change
			some, want = net.CopiesFrom(ctx, p, set, want)
			got = append(got, some...)
		}
		asked = max(asked, n)
	}
	return got, asked
}

// mended folds the log anew after changes were healed, since others that build on
// them may have been folded without them, and makes them searchable.
func (n *Node) mended(ctx context.Context, ids []change.ID) error {
	n.forgetCheckpoint()
	var failed error
	err := n.Ingest.Quiet(ctx, func() {
		var again *fold.Views
		if again, failed = n.refold(ctx); failed == nil {
			n.Views.Become(again)
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return fmt.Errorf("fold the healed log: %w", err)
	}
	n.AgentCache.Gen.Add(1)
	for _, id := range ids {
		rec, err := n.Log.Get(ctx, id)
		if err != nil {
			continue
		}
		n.Copies.Note(rec.Change)
		if err := n.Search.Again(ctx, rec.Change); err != nil {
			return fmt.Errorf("index a healed entry: %w", err)
		}
	}
	return nil
}

// refold folds all sound changes in the order of their logical times, in which
// each comes after its past.
func (n *Node) refold(ctx context.Context) (*fold.Views, error) {
	type source struct {
		set  string
		recs []crdtlog.Record
		last recon.Item
		done bool
	}
	again := fold.New(n.Judge.Net())
	var sources []*source
	for _, set := range n.Log.Sets() {
		sources = append(sources, &source{set: set})
	}
	for {
		var first *source
		for _, s := range sources {
			if len(s.recs) == 0 && !s.done {
				recs, err := n.Log.Range(ctx, s.set, s.last, replayBatch, transfer.ExportBytes)
				if err != nil {
					return nil, err
				}
				if s.recs, s.done = recs, len(recs) == 0; !s.done {
					s.last = recs[len(recs)-1].Item()
				}
			}
			if len(s.recs) > 0 && (first == nil || s.recs[0].Item().Compare(first.recs[0].Item()) < 0) {
				first = s
			}
		}
		if first == nil {
			return again, nil
		}
		again.Apply(first.recs[0].Change)
		first.recs = first.recs[1:]
	}
}

// Repair looks at everything that is stored and mends what it can, with the help
// of the peers that are connected.
func (n *Node) Repair(ctx context.Context) (repair.Report, error) { return n.keeper.Pass(ctx) }

// sweepMarks forgets, now and once a day, the idempotency keys of requests of long
// ago: nobody repeats these any more.
func (n *Node) sweepMarks(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := n.Log.SweepMarks(ctx, n.Opt.Now().Add(-markKept)); err != nil && ctx.Err() == nil && !strings.Contains(err.Error(), "closed") {
			n.Opt.Log.Warn("old idempotency keys not forgotten", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
