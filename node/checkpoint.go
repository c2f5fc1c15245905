package node

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/store"
)

// The checkpoint file holds what is derived from the log, with the local
// sequence it stands for, so that a restart replays only what came after. It can
// be deleted at any time. Layout: magic, then three parts, each with its length:
// the log's own (sets and sequence), the views, the table of texts.
const (
	checkpointFile  = "checkpoint"
	checkpointMagic = "MESHCP1\n"
	replayBatch     = 1000
	freeAfter       = 10_000 // changes in a checkpoint that is worth a collection
)

var errCheckpoint = errors.New("not a usable checkpoint")

// restore opens log and views from the checkpoint, or from nothing, and replays
// what came after.
func (n *Node) restore(ctx context.Context) error {
	cp, err := n.readCheckpoint()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			n.opt.Log.Warn("checkpoint not used; replaying the log", "err", err)
		}
		cp = &savedState{views: fold.New(n.judge.Net()), copies: newCopies()}
	}
	if n.log, err = crdtlog.Open(ctx, n.engine, n.judge.Genesis().Shards, cp.log); err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	seq := uint64(0)
	if cp.log != nil {
		seq = cp.log.Seq()
	}
	if seq > n.log.LastSeq() { // of a log that is gone
		seq, cp = 0, &savedState{views: fold.New(n.judge.Net()), copies: newCopies()}
	}
	n.views, n.copies = cp.views, cp.copies
	n.saved.Store(seq)
	if err := n.replay(ctx, seq); err != nil {
		return err
	}
	if seq > freeAfter {
		// The file and what it was decoded through are garbage now, and would
		// stay in the resident set until the heap has doubled.
		cp = nil
		debug.FreeOSMemory()
	}
	return nil
}

func (n *Node) replay(ctx context.Context, seq uint64) error {
	for {
		recs, err := n.log.Since(ctx, seq, replayBatch)
		if err != nil {
			return fmt.Errorf("replay log: %w", err)
		}
		if len(recs) == 0 {
			return nil
		}
		for _, r := range recs {
			n.views.Apply(r.Change)
			n.copies.note(r.Change)
			seq = r.Seq
		}
	}
}

type savedState struct {
	log    *crdtlog.Checkpoint
	views  *fold.Views
	copies *copies
}

func (n *Node) readCheckpoint() (*savedState, error) {
	if n.opt.Engine != nil || n.Config().Storage.Engine == "memory" {
		return nil, fs.ErrNotExist
	}
	b, err := os.ReadFile(n.opt.Home.Path(store.StoreDir, checkpointFile))
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(b, []byte(checkpointMagic))
	if !ok {
		return nil, errCheckpoint
	}
	var parts [3][]byte
	for i := range parts {
		size, w := binary.Uvarint(rest)
		if w <= 0 || size > uint64(len(rest)-w) {
			return nil, errCheckpoint
		}
		parts[i], rest = rest[w:w+int(size)], rest[w+int(size):]
	}
	var cp savedState
	if cp.log, err = crdtlog.DecodeCheckpoint(parts[0]); err != nil {
		return nil, err
	}
	if cp.views, err = fold.Load(n.judge.Net(), parts[1]); err != nil {
		return nil, err
	}
	if cp.copies, ok = loadCopies(parts[2]); !ok {
		return nil, errCheckpoint
	}
	return &cp, nil
}

// checkpoint writes the file when there is something new. The committer stands
// still while the parts are copied, so that they are of one moment.
func (n *Node) checkpoint(ctx context.Context) error {
	if n.opt.Engine != nil || n.Config().Storage.Engine == "memory" || n.log.LastSeq() == n.saved.Load() {
		return nil
	}
	var before, seq, stale uint64
	out := []byte(checkpointMagic)
	err := n.ingest.Quiet(ctx, func() {
		var part []byte
		part, seq = n.log.AppendCheckpoint(nil)
		for _, p := range [][]byte{part, n.views.AppendCheckpoint(nil), n.copies.appendTo(nil)} {
			out = append(binary.AppendUvarint(out, uint64(len(p))), p...)
		}
		// From here on, what changes below seq makes the file stale, even while it
		// is being written.
		stale, before = n.stale.Load(), n.saved.Swap(seq)
	})
	if err != nil {
		return err
	}
	if err := store.AtomicWrite(n.opt.Home.Path(store.StoreDir, checkpointFile), out, 0o600); err != nil {
		n.saved.CompareAndSwap(seq, before)
		return fmt.Errorf("write checkpoint: %w", err)
	}
	if n.stale.Load() != stale {
		n.saved.Store(seq)
		n.forgetCheckpoint()
	}
	return nil
}

// forgetCheckpoint removes the file when something below its sequence changed (a
// body came late or was purged), which a replay from there would not see.
func (n *Node) forgetCheckpoint() {
	n.stale.Add(1)
	if n.saved.Swap(0) == 0 {
		return
	}
	if err := os.Remove(n.opt.Home.Path(store.StoreDir, checkpointFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.opt.Log.Error("stale checkpoint not removed", "err", err)
	}
}

func (n *Node) keepCheckpoints(ctx context.Context) {
	tick := time.NewTicker(n.Config().Storage.CheckpointInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := n.checkpoint(ctx); err != nil && ctx.Err() == nil {
				n.opt.Log.Warn("checkpoint not written", "err", err)
			}
		}
	}
}

// watchDisk stops writes while the disk is nearly full and allows them again
// when space is back.
func (n *Node) watchDisk(ctx context.Context) {
	tick := time.NewTicker(diskPoll)
	defer tick.Stop()
	stopped := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		free, err := store.FreeBytes(n.opt.Home.Dir())
		if err != nil {
			continue
		}
		low := free < uint64(n.Config().Storage.MinFreeDisk)
		if !low && n.ingest.ReadOnly() && n.log.Writable(ctx) == nil {
			n.ingest.SetReadOnly(false)
		} else if low {
			n.ingest.SetReadOnly(true)
		}
		if now := n.ingest.ReadOnly(); now != stopped {
			stopped = now
			kind := events.StoreWritable
			if stopped {
				kind = events.StoreReadonly
			}
			n.opt.Log.Warn("store", "readOnly", stopped, "freeBytes", free)
			n.bus.Publish(events.Event{Kind: kind})
		}
	}
}

// refusedHere counts a refusal at the author's own door.
func (n *Node) refusedHere(err error) { n.meter.refused(reason.Of(err), "door", 1) }

// DeepCheck is the outcome of VerifyDeep.
type DeepCheck struct {
	Changes  uint64
	Problems []string
	ViewsOK  bool
}

// VerifyDeep reads every stored change again, checks ids, bodies and indexes,
// and folds the whole log anew beside the views in use.
func (n *Node) VerifyDeep(ctx context.Context) (DeepCheck, error) {
	var out DeepCheck
	err := n.log.Verify(ctx, true, func(p crdtlog.Problem) {
		out.Problems = append(out.Problems, fmt.Sprint(p))
	})
	if err != nil {
		return out, fmt.Errorf("verify log: %w", err)
	}
	again := fold.New(n.judge.Net())
	for seq := uint64(0); ; {
		recs, err := n.log.Since(ctx, seq, replayBatch)
		if err != nil {
			return out, fmt.Errorf("read log: %w", err)
		}
		if len(recs) == 0 {
			break
		}
		for _, r := range recs {
			again.Apply(r.Change)
			seq, out.Changes = r.Seq, out.Changes+1
			if r.State == crdtlog.Present && rules.HasEffect(r.Change.Head.Kind) {
				if err := n.judge.Row(r.Change, n.log); err != nil {
					out.Problems = append(out.Problems, fmt.Sprintf("%s: %v", r.Change.ID, err))
				}
			}
		}
	}
	rows, fp := n.views.Hash()
	rows2, fp2 := again.Hash()
	out.ViewsOK = rows == rows2 && fp == fp2
	return out, nil
}

func (n *Node) purge(ctx context.Context, c *change.Change) error {
	var ds []fold.Delta
	var failed error
	err := n.ingest.Quiet(ctx, func() {
		n.forgetCheckpoint()
		if failed = n.log.Purge(ctx, c.ID, reason.Purged); failed == nil {
			ds = n.views.Withdraw(c)
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	n.copies.drop(c.ID)
	n.prints.drop(c.ID)
	n.agents.gen.Add(1)
	for _, d := range ds {
		n.announce(d, c.ID, 0)
	}
	n.bus.Publish(events.Event{Kind: events.ChangePurged, Space: string(c.Head.Space), Object: c.ID.Text(change.PrefixChange)})
	return n.search.ix.Delete(publicSpace, c.ID.String())
}
