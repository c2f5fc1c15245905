// Package repair finds what is damaged in the log of a node and mends it from
// copies of peers: restic's check and repair. Reads of the log leave out what is
// damaged; a pass here looks at everything, asks for the damaged changes by id,
// and says what is left. What no peer has stays a member of its set, so a later
// pass can still heal it.
//
// Only one pass runs at a time. Between passes the keeper waits for damage that a
// read meets, and tries again, less and less often, while some is left.
package repair

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
)

// Config are the collaborators of a Keeper. All are needed.
type Config struct {
	Log *crdtlog.Log
	// Fetch asks peers for changes by id, from one peer after the other until all
	// have come. It returns what came, and how many peers were asked.
	Fetch func(ctx context.Context, ids []change.ID) (cs []*change.Change, peers int)
	// Heal writes records anew from copies that it judges. It returns the ids of
	// those that are sound now; the error is a fault of this node.
	Heal func(ctx context.Context, cs []*change.Change) ([]change.ID, error)
	// Mended is called after a pass with what was healed.
	Mended func(ctx context.Context, ids []change.ID) error
	// Found is called when damage was found, and Whole when none is left.
	Found func(cause string)
	Whole func()
	// Spoilt notes that the files of the store are to be written anew at the next
	// start: records heal one by one, a bad block stays where it is.
	Spoilt func()
	Logger *slog.Logger
}

// Keeper keeps a log whole. It is safe for concurrent use.
type Keeper struct {
	cfg    Config
	signal chan struct{}
	healed atomic.Uint64

	turn chan struct{} // full during a pass
}

// New makes a Keeper of a log that is not shared yet.
func New(cfg Config) *Keeper {
	k := &Keeper{cfg: cfg, signal: make(chan struct{}, 1), turn: make(chan struct{}, 1)}
	cfg.Log.OnDamage(func(error) { k.Wake() })
	return k
}

// Wake has a pass begin soon.
func (k *Keeper) Wake() {
	select {
	case k.signal <- struct{}{}:
	default:
	}
}

// Healed counts the changes that were healed since the start.
func (k *Keeper) Healed() uint64 { return k.healed.Load() }

// Report is the outcome of a pass.
type Report struct {
	Changes uint64   `json:"changes"`  // members of the log
	Damaged int      `json:"damaged"`  // changes that were found damaged
	Healed  int      `json:"healed"`   // of these, mended from copies
	Left    []string `json:"left"`     // ids of the others, chg_…, 1,000 at most
	LeftAll int      `json:"left_all"` // how many these are in all
	Blocks  int      `json:"blocks"`   // unreadable ranges and other faults that are about no one change
	Peers   int      `json:"peers"`    // that were asked
}

// OK reports whether every change is sound.
func (r *Report) OK() bool { return r.LeftAll == 0 }

// Pass looks at everything and mends what it can. It waits for a pass that runs,
// as long as ctx allows, since that one may wait for peers.
func (k *Keeper) Pass(ctx context.Context) (Report, error) {
	r := Report{Left: []string{}}
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return r, ctx.Err()
	}
	hurt, blocks, err := k.look(ctx)
	if err != nil {
		return r, err
	}
	r.Changes, r.Damaged, r.Blocks = k.cfg.Log.Counts().Members, len(hurt), blocks
	if len(hurt) == 0 && blocks == 0 {
		k.cfg.Whole()
		return r, nil
	}
	k.cfg.Spoilt()
	k.cfg.Found(fmt.Sprintf("%d damaged changes, %d unreadable ranges", len(hurt), blocks))
	before := slices.Clone(hurt)
	for len(hurt) > 0 && ctx.Err() == nil {
		healed, peers, err := k.round(ctx, hurt)
		r.Peers = max(r.Peers, peers)
		if err != nil {
			return r, err
		}
		if healed == 0 {
			break
		}
		// What was healed may be the past by which others are judged.
		last := len(hurt)
		if hurt, _, err = k.look(ctx); err != nil {
			return r, err
		}
		if len(hurt) >= last {
			break
		}
	}
	r.LeftAll = len(hurt)
	left := make(map[change.ID]bool, len(hurt))
	for _, id := range hurt {
		left[id] = true
	}
	healed := slices.DeleteFunc(before, func(id change.ID) bool { return left[id] })
	if r.Healed = len(healed); r.Healed > 0 {
		k.healed.Add(uint64(r.Healed))
		if err := k.cfg.Mended(ctx, healed); err != nil {
			return r, err
		}
	}
	for _, id := range hurt[:min(len(hurt), maxNamed)] {
		r.Left = append(r.Left, id.Text(change.PrefixChange))
	}
	switch {
	case r.LeftAll > 0:
		k.cfg.Found(fmt.Sprintf("%d damaged changes, and no peer has given a copy", r.LeftAll))
	case r.Blocks > 0:
		k.cfg.Found(fmt.Sprintf("every change is sound; %d unreadable ranges of the files wait for the next start", r.Blocks))
	default:
		k.cfg.Whole()
	}
	k.cfg.Logger.Warn("store repaired", "damaged", r.Damaged, "healed", r.Healed, "left", r.LeftAll, "peers", r.Peers)
	return r, nil
}

// look verifies the log deeply and returns the damaged changes, and how many
// faults are about no one change.
func (k *Keeper) look(ctx context.Context) (hurt []change.ID, blocks int, err error) {
	seen := map[change.ID]bool{}
	err = k.cfg.Log.Verify(ctx, true, func(p crdtlog.Problem) {
		switch {
		case p.ID.IsZero():
			blocks++
		case !seen[p.ID]:
			seen[p.ID] = true
			hurt = append(hurt, p.ID)
		}
	})
	if err != nil {
		return nil, 0, fmt.Errorf("look for damage: %w", err)
	}
	return hurt, blocks, nil
}

// round asks for the damaged changes once and heals what comes.
func (k *Keeper) round(ctx context.Context, hurt []change.ID) (healed, peers int, err error) {
	for ids := range slices.Chunk(hurt, fetchBatch) {
		cs, asked := k.cfg.Fetch(ctx, ids)
		peers = max(peers, asked)
		if len(cs) == 0 {
			continue
		}
		slices.SortFunc(cs, (*change.Change).Compare)
		sound, err := k.cfg.Heal(ctx, cs)
		healed += len(sound)
		if err != nil {
			return healed, peers, err
		}
	}
	return healed, peers, nil
}

// Serve runs a pass whenever damage is met, until ctx ends, and again while some
// is left.
func (k *Keeper) Serve(ctx context.Context) {
	pause := time.Duration(0) // 0: nothing is left
	for {
		var again <-chan time.Time
		if pause > 0 {
			again = time.After(pause)
		}
		select {
		case <-ctx.Done():
			return
		case <-k.signal:
		case <-again:
		}
		k.cfg.Found("damaged bytes were read")
		r, err := k.Pass(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !errors.Is(err, context.Canceled):
			k.cfg.Logger.Error("store not repaired", "err", err)
		case r.OK():
			pause = 0
			k.drain()
			continue
		}
		if pause = min(max(pause*2, firstPause), lastPause); r.Healed > 0 {
			pause = firstPause
		}
		k.drain()
	}
}

// drain forgets what the pass itself has met.
func (k *Keeper) drain() {
	select {
	case <-k.signal:
	default:
	}
}
