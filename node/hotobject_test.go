package node_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/automerge"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/view"
)

// writer is an agent that edits the hot document on its node.
type writer struct {
	b    *box
	a    view.Agent
	last string // what it said last, acknowledged
	said int
}

// hotName is the document that all write at once.
const hotName = "hot"

// write says something new under the writer's own key. While the document is full and
// its home has not opened the next one, it tries again.
func (w *writer) write(ctx context.Context, space change.Space, text string) (took time.Duration, err error) {
	for {
		start := time.Now()
		_, _, err = w.b.EditMemory(ctx, w.a.ID, space, hotName, -1, func(map[string]any) ([]doc.Field, error) {
			return []doc.Field{{Key: w.key(), Value: text}}, nil
		})
		took = time.Since(start)
		if reason.Of(err) != reason.LimitReached {
			break
		}
		if _, _, err := w.b.SyncNow(ctx, true); err != nil {
			return took, err
		}
	}
	if err == nil {
		w.last = text
		w.said++
	}
	return took, err
}

func (w *writer) key() string { return "said-" + w.a.ID.String()[:20] }

// TestScenario19HotObject: 50 writers on two nodes edit one document of a guild all the
// time, until it is full, and further: a successor opens by itself and no edit is lost.
// Every day it is full by its 256 KiB, at night by its 5,000 edits.
func TestScenario19HotObject(t *testing.T) {
	t.Parallel()
	const writers = 50
	rounds, size := 7, 850 // bytes of each edit: 350 edits, of which some 290 fill it
	if full() {
		rounds, size = 110, 20
	}
	ctx := t.Context()
	here := open(t, t.TempDir(), func(c *config.Config) { c.P2P.Gossip = false })
	here.serve()
	there := open(t, t.TempDir(), func(c *config.Config) {
		c.P2P.Gossip = false
		c.Network.Bootstrap = here.Addrs()
	})
	there.serve()
	there.eventually("connected", func() bool { return there.Status().Peers > 0 })
	ada := here.agent("Ada")
	g, err := here.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Crowd", Type: "dev", Visibility: body.Public})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]*writer, writers)
	for i := range all {
		b := []*box{here, there}[i%2]
		all[i] = &writer{b: b, a: b.agent(fmt.Sprint("Writer ", i))}
	}
	level := func() {
		t.Helper()
		if _, equal, err := there.SyncNow(ctx, true); err != nil || !equal {
			t.Fatalf("sync: equal %v, %v", equal, err)
		}
	}
	level()
	for _, w := range all {
		if _, err := here.SetRole(ctx, ada.ID, g.ID, w.a.ID, "member"); err != nil {
			t.Fatal(err)
		}
	}
	level()

	var mu sync.Mutex
	var slowest time.Duration
	var fullest []view.MemoryEdit
	edits, lost, synced := 0, 0, uint64(0)
	for round := range rounds {
		var wg sync.WaitGroup
		for _, half := range []int{0, 1} {
			wg.Go(func() {
				for i := half; i < writers; i += 2 {
					took, err := all[i].write(ctx, g.Space, fmt.Sprint(round, " ", i, strings.Repeat(string(rune('a'+i%26)), size)))
					if err != nil {
						t.Errorf("round %d, writer %d: %v", round, i, err)
						return
					}
					if half == 0 && i%10 == 0 { // as the home does by itself, whatever goes on elsewhere
						here.OpenGenerations(ctx)
					}
					mu.Lock()
					edits, slowest = edits+1, max(slowest, took)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		level()
		here.OpenGenerations(ctx)
		level()
		var m view.Memory
		for i, b := range []*box{here, there} {
			if m, err = b.Memory(ctx, g.Space, hotName); err != nil {
				t.Fatal(err)
			}
			for _, w := range all { // also right after a successor was opened
				if m.Fields[w.key()] != w.last {
					lost++
					t.Errorf("round %d, node %d: the last of %d edits of %s is not there: %.30q", round, i, w.said, w.a.Name, m.Fields[w.key()])
				}
			}
		}
		if len(m.Edits) > len(fullest) {
			fullest = m.Edits
			// One edit more, as the other node gets it while the document is large.
			if _, err := all[0].write(ctx, g.Space, fmt.Sprint("one more ", round)); err != nil {
				t.Fatal(err)
			}
			edits++
			passes, equal, err := there.SyncNow(ctx, true)
			if err != nil || !equal || len(passes) != 1 {
				t.Fatalf("%+v, %v, %v", passes, equal, err)
			}
			synced = max(synced, passes[0].BytesIn+passes[0].BytesOut)
		}
	}
	m, err := there.Memory(ctx, g.Space, hotName)
	if err != nil || len(m.Edits) >= len(fullest) || m.Version < edits {
		t.Errorf("version %d after %d edits, %d of them in this generation after %d in another: no successor, %v", m.Version, edits, len(m.Edits), len(fullest), err)
	}
	load, bytes := loadOf(t, fullest)
	t.Logf("scenario 19: %d writers on 2 nodes, %d edits: a successor opened after %d edits of %d kB or more, %d edits lost; loading that %v, syncing one edit %d bytes, slowest edit %v (bar: 0 lost, ≤ 200 ms, ≤ 8 kB, no stall > 100 ms)",
		writers, edits, len(fullest), bytes/1000, lost, load.Round(time.Millisecond), synced, slowest.Round(time.Millisecond))
	if synced == 0 || synced > 8<<10 {
		t.Errorf("syncing one edit took %d bytes", synced)
	}
}

// loadOf is how long a document of these edits takes to load, the best of a few, and
// their size.
func loadOf(t *testing.T, edits []view.MemoryEdit) (took time.Duration, bytes int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := automerge.New([]string{exe, "doc-worker"}, automerge.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}()
	var chunks [][]byte
	for _, e := range edits {
		chunks, bytes = append(chunks, e.Chunk), bytes+len(e.Chunk)
	}
	took = time.Hour
	for range 3 {
		start := time.Now()
		if s, err := engine.Materialise(t.Context(), chunks); err != nil || len(s.Root) == 0 {
			t.Fatal(errors.Join(err, errors.New("nothing is loaded")))
		}
		took = min(took, time.Since(start))
	}
	return took, bytes
}
