package health

import (
	"context"
	"time"

	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/node/disk"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/peering"
)

// diskPart is the component of incidents about the disk.
const diskPart = "disk"

// DiskStatus is the disk of the home in the status.
type DiskStatus struct {
	Free     uint64 `json:"free_bytes"`
	Headroom uint64 `json:"headroom_bytes"` // of these, what the store will take by itself
	Least    uint64 `json:"least_bytes"`    // storage.min_free_disk
	Level    string `json:"level"`          // roomy, scarce, urgent, full
	Text     string `json:"text"`           // the level in words
}

// WatchDisk gives way while the disk fills up, and takes writes again when there is
// room: it refuses what others send, then opens an incident, then stops writes.
func (n *Health) WatchDisk(ctx context.Context) {
	tick := time.NewTicker(diskPoll)
	defer tick.Stop()
	var guard disk.Guard
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		free, err := n.core.Opt.FreeDisk()
		if err != nil {
			continue
		}
		s := guard.Look(free, n.headroom(), uint64(n.core.Config().Storage.MinFreeDisk))
		before := n.disk.Swap(&s)
		n.giveWay(ctx, s)
		if before == nil {
			before = &disk.State{}
		}
		n.publishDisk(before.Level, s)
	}
}

// headroom is what the store will take of the disk by itself, 0 when it cannot say.
func (n *Health) headroom() uint64 {
	if e, ok := n.core.Engine.(engine.Headroom); ok {
		return e.Headroom()
	}
	return 0
}

// giveWay lets the committer take what there is room for. A write that failed for
// want of room makes it read-only by itself, whatever the level.
func (n *Health) giveWay(ctx context.Context, s disk.State) {
	n.core.Ingest.SetOwnOnly(s.Level >= disk.Scarce)
	was := n.core.Ingest.ReadOnly()
	if s.Level == disk.Full {
		n.core.Ingest.SetReadOnly(true)
	} else if was && n.core.Log.Writable(ctx) == nil {
		n.core.Ingest.SetReadOnly(false)
	}
	now := n.core.Ingest.ReadOnly()
	if n.stopped.Swap(now) == now {
		return
	}
	kind := events.StoreWritable
	if now {
		kind = events.StoreReadonly
	}
	n.core.Bus.Publish(events.Event{Kind: kind, Data: peering.DiskSpace{Free: s.Free}})
}

// publishDisk says that another level was reached.
func (n *Health) publishDisk(before disk.Level, s disk.State) {
	if s.Level == before {
		return
	}
	n.core.Opt.Log.Warn("disk", "level", s.Level.String(), "freeBytes", s.Free, "headroomBytes", s.Headroom, "leastBytes", s.Least)
	if s.Level >= disk.Urgent {
		n.core.Broken.Fail(diskPart, s.Text())
	} else {
		n.core.Broken.Recover(diskPart)
	}
}

// diskStatus is how the disk was found last, nil before the first look.
func (n *Health) diskStatus() *DiskStatus {
	s := n.disk.Load()
	if s == nil {
		return nil
	}
	return &DiskStatus{Free: s.Free, Headroom: s.Headroom, Least: s.Least, Level: s.Level.String(), Text: s.Text()}
}
