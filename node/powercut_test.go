package node_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/lineage"
)

// powercut keeps what a power cut at each fsync of a store would leave: the store
// with a share of what was not synced, and the home's other files as they are then.
type powercut struct {
	store *vfs.MemFS
	home  string // whose files are copied
	to    string // where the copies go
	rng   *rand.Rand
	first int // of the three shares

	mu    sync.Mutex
	on    bool
	acked []change.ID
	taken []remains
	err   error
}

type remains struct {
	store *vfs.MemFS
	home  string
	acked int
	kept  int // percent of what was not synced
}

func (p *powercut) String() string { return "remains at every sync" }

// MaybeError keeps the remains of a power cut just before a sync.
func (p *powercut) MaybeError(op errorfs.Op) error {
	switch op.Kind {
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
	default:
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.on || p.err != nil {
		return nil
	}
	kept := []int{0, 50, 100}[(p.first+len(p.taken))%3]
	r := remains{home: filepath.Join(p.to, fmt.Sprint(len(p.taken))), acked: len(p.acked), kept: kept}
	r.store = p.store.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: kept, RNG: p.rng})
	p.err = copyHome(p.home, r.home)
	p.taken = append(p.taken, r)
	return nil
}

// copyHome copies the files of a home. INSTANCE names its own inode and is replaced
// as a whole, so the copy is another name of the file.
func copyHome(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // replaced just now
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case !d.Type().IsRegular():
			return nil
		case rel == lineage.File:
			return os.Link(path, target)
		}
		raw, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(target, raw, 0o600)
	})
}

// TestScenario06CrashOfAHome: the power fails at every fsync of a node that writes
// entries and takes some back. The home opens each time, with all that was
// acknowledged, no half of anything and no fork, and its agent goes on writing.
func TestScenario06CrashOfAHome(t *testing.T) {
	t.Parallel()
	seeds, writes := 4, 16
	if full() {
		seeds, writes = 100, 24
	}
	cuts, slowest := 0, time.Duration(0)
	for seed := range seeds {
		n, slow := cutEverywhere(t, uint64(seed), writes)
		cuts, slowest = cuts+n, max(slowest, slow)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("scenario 06: %d power cuts at fsync boundaries of a whole home, %d seeds: all opened, 0 acknowledged writes lost, 0 forks, slowest start %v (bar: 0, 0)", cuts, seeds, slowest.Round(time.Millisecond))
}

func cutEverywhere(t *testing.T, seed uint64, writes int) (cuts int, slowest time.Duration) {
	t.Helper()
	mem, root := vfs.NewCrashableMem(), t.TempDir()
	home := filepath.Join(root, "home")
	p := &powercut{store: mem, home: home, to: filepath.Join(root, "remains"), rng: rand.New(rand.NewPCG(seed, 6)), first: int(seed % 3)}
	on := func(fs vfs.FS) *box {
		opened, err := engine.OpenPebble("log", engine.Options{FS: fs, CacheBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		return openWith(t, home, func(o *core.Options) {
			o.Engine, o.Documents = opened, nowhere{}
			o.Config.Storage.CheckpointInterval = 10 * time.Millisecond
		})
	}
	b := on(errorfs.Wrap(mem, p))
	ada := b.agent("Ada")
	retracted := map[change.ID]int{} // by how many acknowledged writes there were then
	p.mu.Lock()
	p.on = true
	p.mu.Unlock()
	for i := range writes {
		r := b.contribute(ada, retold(int(seed), i))
		if i%5 == 4 {
			if _, err := b.Retract(t.Context(), ada.ID, r.ID, "wrong"); err != nil {
				t.Fatal(err)
			}
			retracted[r.ID] = i
		}
		p.mu.Lock()
		p.acked = append(p.acked, r.ID)
		p.mu.Unlock()
	}
	b.shut()
	if p.err != nil || len(p.taken) < writes {
		t.Fatalf("%d power cuts in %d writes, %v", len(p.taken), writes, p.err)
	}
	for i, r := range p.taken {
		if err := os.RemoveAll(home); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(r.home, home); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		b := on(r.store)
		slowest = max(slowest, time.Since(start))
		for n, id := range p.acked[:r.acked] {
			_, err := b.Entry(t.Context(), id)
			if _, gone := retracted[id]; (err == nil) == gone {
				t.Errorf("seed %d, cut %d, %d %% kept: acknowledged write %d of %d: %v", seed, i, r.kept, n, r.acked, err)
			}
		}
		if c := b.Counts(); c.Entries > r.acked+1 || c.Agents != 1 {
			t.Errorf("seed %d, cut %d: %+v after %d acknowledged writes", seed, i, c, r.acked)
		}
		if check, err := b.VerifyDeep(t.Context()); err != nil || len(check.Problems) > 0 || !check.ViewsOK {
			t.Errorf("seed %d, cut %d: %+v, %v", seed, i, check, err)
		}
		if _, code := b.tryWrite(ada, 1_000_000); code != "" || len(b.Status().Forks) > 0 {
			t.Errorf("seed %d, cut %d: writing again: %q, forks %v", seed, i, code, b.Status().Forks)
		}
		b.shut()
		if t.Failed() {
			return cuts, slowest
		}
	}
	return len(p.taken), slowest
}
