package node

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"runtime/debug"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/near"
	"github.com/meshd/meshd/node/store"
)

// The checkpoint file contains what is derived from the log, with the local
// sequence it stands for, so that a restart replays only what came after. It can
// be deleted at any time. Layout: magic, then four parts, each with its length:
// the log's own (sets and sequence), the views, the table of texts, the index of
// texts alike.
const (
	checkpointFile  = "checkpoint"
	giversFile      = "givers"
	checkpointMagic = "MESHCP3\n"
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
			n.Opt.Log.Warn("checkpoint not used; replaying the log", "err", err)
		}
		cp = nothingSaved(n)
	}
	if n.Log, err = crdtlog.Open(ctx, n.Engine, n.Judge.Genesis().Shards, cp.log); err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	seq := uint64(0)
	if cp.log != nil {
		seq = cp.log.Seq()
	}
	if seq > n.Log.LastSeq() { // of a log that is gone
		seq, cp = 0, nothingSaved(n)
	}
	n.Views, n.Copies, n.Near = cp.views, cp.copies, cp.near
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
		recs, err := n.Log.Since(ctx, seq, replayBatch)
		if err != nil {
			return fmt.Errorf("replay log: %w", err)
		}
		if len(recs) == 0 {
			return nil
		}
		for _, r := range recs {
			n.Views.Apply(r.Change)
			n.Copies.Note(r.Change)
			n.NoteNear(r.Change)
			seq = r.Seq
		}
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type savedState struct {
	log    *crdtlog.Checkpoint
	views  *fold.Views
	copies *core.Copies
	near   *near.Index
}

func nothingSaved(n *Node) *savedState {
	return &savedState{views: fold.New(n.Judge.Net()), copies: core.NewCopies(), near: near.New(nearSpan)}
}

func (n *Node) readCheckpoint() (*savedState, error) {
	if !n.KeepsFiles() {
		return nil, fs.ErrNotExist
	}
	b, err := os.ReadFile(n.Opt.Home.Path(store.StoreDir, checkpointFile))
	if err != nil {
		return nil, err
	}
	// Not all parts have a sum of their own.
	whole := len(b) - crc32.Size
	if whole < 0 || crc32.Checksum(b[:whole], castagnoli) != binary.LittleEndian.Uint32(b[whole:]) {
		return nil, errCheckpoint
	}
	rest, ok := bytes.CutPrefix(b[:whole], []byte(checkpointMagic))
	if !ok {
		return nil, errCheckpoint
	}
	var parts [4][]byte
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
	if cp.views, err = fold.Load(n.Judge.Net(), parts[1]); err != nil {
		return nil, err
	}
	if cp.copies, ok = core.LoadCopies(parts[2]); !ok {
		return nil, errCheckpoint
	}
	if cp.near, err = near.Load(parts[3], nearSpan); err != nil {
		return nil, err
	}
	return &cp, nil
}

// checkpoint writes the file when there is something new. The committer stands
// still while the parts are copied, so that they are of one moment.
func (n *Node) checkpoint(ctx context.Context) error {
	if !n.KeepsFiles() || n.Log.LastSeq() == n.saved.Load() {
		return nil
	}
	var before, seq, stale uint64
	out := []byte(checkpointMagic)
	err := n.Ingest.Quiet(ctx, func() {
		var part []byte
		part, seq = n.Log.AppendCheckpoint(nil)
		for _, p := range [][]byte{part, n.Views.AppendCheckpoint(nil), n.Copies.AppendTo(nil), n.Near.AppendTo(nil)} {
			out = append(binary.AppendUvarint(out, uint64(len(p))), p...)
		}
		// From here on, what changes below seq makes the file stale, even while it
		// is being written.
		stale, before = n.stale.Load(), n.saved.Swap(seq)
	})
	if err != nil {
		return err
	}
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
	if err := store.AtomicWrite(n.Opt.Home.Path(store.StoreDir, checkpointFile), out, 0o600); err != nil {
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
	if err := os.Remove(n.Opt.Home.Path(store.StoreDir, checkpointFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.Opt.Log.Error("stale checkpoint not removed", "err", err)
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
				n.Opt.Log.Warn("checkpoint not written", "err", err)
			}
			n.SaveVerdicts()
			if err := n.Admits.Save(); err != nil {
				n.Opt.Log.Warn("what admission knows is not kept", "err", err)
			}
			if err := n.Lineage.Reached(n.Log.LastSeq()); err != nil {
				n.Opt.Log.Warn("not noted how far the log has come", "err", err)
			}
		}
	}
}

// DeepCheck is the outcome of VerifyDeep.
type DeepCheck struct {
	Changes  uint64 // that are sound
	Damaged  int    // changes that are not
	Problems []string
	ViewsOK  bool

	damaged map[change.ID]bool
}

func (d *DeepCheck) note(p crdtlog.Problem) {
	d.Problems = append(d.Problems, p.String())
	if !p.ID.IsZero() && !d.damaged[p.ID] {
		if d.damaged == nil {
			d.damaged = map[change.ID]bool{}
		}
		d.damaged[p.ID] = true
		d.Damaged++
	}
}

// VerifyDeep reads every stored change again, checks ids, bodies and indexes,
// and folds the whole log anew beside the views in use.
func (n *Node) VerifyDeep(ctx context.Context) (DeepCheck, error) {
	var out DeepCheck
	if err := n.Log.Verify(ctx, true, out.note); err != nil {
		return out, fmt.Errorf("verify log: %w", err)
	}
	again := fold.New(n.Judge.Net())
	for seq := uint64(0); ; {
		recs, err := n.Log.Since(ctx, seq, replayBatch)
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
				if err := n.Judge.Row(r.Change, n.Log); err != nil {
					out.Problems = append(out.Problems, fmt.Sprintf("%s: %v", r.Change.ID, err))
				}
			}
		}
	}
	rows, fp := n.Views.Hash()
	rows2, fp2 := again.Hash()
	// Views may know of what is damaged now; then they differ by just that.
	out.ViewsOK = rows == rows2 && fp == fp2 || out.Damaged > 0
	return out, nil
}

func (n *Node) purge(ctx context.Context, c *change.Change) error {
	var ds []fold.Delta
	var failed error
	err := n.Ingest.Quiet(ctx, func() {
		n.forgetCheckpoint()
		if failed = n.Log.Purge(ctx, c.ID, reason.Purged); failed == nil {
			ds = n.Views.Withdraw(c)
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	n.Copies.Drop(c.ID)
	n.Judged.Forget(c.ID)
	n.AgentCache.Gen.Add(1)
	for _, d := range ds {
		n.Announce(d, c.ID, 0)
	}
	n.Bus.Publish(events.Event{Kind: events.ChangePurged, Space: string(c.Head.Space), Object: c.ID.Text(change.PrefixChange)})
	return n.Search.Ix.Delete(knowledge.PublicSpace, c.ID.String())
}
