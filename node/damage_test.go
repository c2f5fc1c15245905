package node_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/view"
)

// flushed opens the store of a closed home and moves what lies in its write-ahead
// log into tables, as a node does when there is more of it.
func flushed(t testing.TB, dir string) string {
	t.Helper()
	store := filepath.Join(dir, "store")
	e, err := engine.OpenPebble(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Erase(t.Context(), "/", "0"), e.Close()); err != nil {
		t.Fatal(err)
	}
	return store
}

// corrupt flips one bit in the largest table of a store, at so many percent of it:
// bodies come first, then the index of chains, then heads.
func corrupt(t testing.TB, store string, percent int) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(store, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables in %s: %v", store, err)
	}
	var most []byte
	var at string
	for _, name := range tables {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > len(most) {
			most, at = b, name
		}
	}
	most[len(most)*percent/100] ^= 0x10
	if err := os.WriteFile(at, most, 0o600); err != nil {
		t.Fatal(err)
	}
}

// forget removes what is derived from the log, so that all of it is read again.
func forget(t testing.TB, dir string) {
	t.Helper()
	if err := errors.Join(os.Remove(filepath.Join(dir, "store", "checkpoint")), os.RemoveAll(filepath.Join(dir, "store", "index"))); err != nil {
		t.Fatal(err)
	}
}

// clone copies a home, and the rights of its files.
func clone(t testing.TB, from, to string) {
	t.Helper()
	err := os.CopyFS(to, os.DirFS(from))
	if err == nil {
		err = filepath.WalkDir(to, func(path string, e os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				return os.Chmod(path, 0o700)
			}
			return os.Chmod(path, 0o600)
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func salvaging(o *core.Options) { o.Salvage = true }

// TestDamagedNode: one bit of a table is flipped. Nothing fails as internal, every
// sound entry is served, shown, exported and given to a peer; what is missing is
// said; writing goes on; and a peer that has copies makes the node whole again by
// itself.
func TestDamagedNode(t *testing.T) {
	// The first bodies are those of agents' records: without them nothing is shown.
	for name, at := range map[string]int{"bodies": 15, "heads": 60} {
		t.Run(name, func(t *testing.T) { damagedNode(t, at, false) })
		t.Run(name+" of a log that is replayed", func(t *testing.T) { damagedNode(t, at, true) })
	}
}

func damagedNode(t *testing.T, percent int, replayed bool) {
	const entries = 60
	dir := filepath.Join(t.TempDir(), "home")
	b := open(t, dir, nil)
	ada := b.agent("Ada")
	agents := []view.Agent{ada, b.agent("Bo"), b.agent("Cy"), b.agent("Di"), b.agent("Eve"), b.agent("Flo")}
	for i := range entries {
		b.contribute(agents[i%len(agents)], retold(i, i+1, i+2))
	}
	var whole bytes.Buffer
	if _, err := b.Export(t.Context(), &whole, false); err != nil {
		t.Fatal(err)
	}
	b.shut()
	corrupt(t, flushed(t, dir), percent)
	if replayed {
		forget(t, dir)
	}

	b = openWith(t, dir, salvaging)
	b.serve()
	check, err := b.VerifyDeep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if check.Damaged == 0 || check.Damaged > entries/2 || len(check.Problems) < check.Damaged {
		t.Fatalf("verify finds %d damaged changes, %q", check.Damaged, check.Problems)
	}
	named := 0
	for _, p := range check.Problems {
		if bytes.Contains([]byte(p), []byte("chg_")) {
			named++
		}
	}
	if named < check.Damaged {
		t.Errorf("%d of %d damaged changes are named", named, check.Damaged)
	}
	checks, ready := b.Ready()
	if checks["store_sound"] || !ready || b.Damaged() == 0 || b.Components()["records"] != "degraded" {
		t.Errorf("checks %v, %d damaged", checks, b.Damaged())
	}
	b.eventually("an incident is open", func() bool {
		return slices.ContainsFunc(b.Incidents().All(), func(i incident.Incident) bool { return i.Component == "records" && i.Open() })
	})
	page, err := b.Entries(t.Context(), view.EntryQuery{Limit: 100})
	if err != nil || page.Damaged == 0 || len(page.Entries) < entries-check.Damaged {
		t.Errorf("the feed has %d entries, %d damaged, %v", len(page.Entries), page.Damaged, err)
	}
	var out bytes.Buffer
	done, err := b.Export(t.Context(), &out, false)
	if err != nil || done.Damaged == 0 || int(done.Changes)+int(done.Damaged) != entries+len(agents) {
		t.Errorf("exported %+v, %v", done, err)
	}
	b.contribute(ada, "Writing goes on beside a damaged block, since only what lies in it cannot be read.")

	// A peer gets every sound change; those whose past is damaged wait for it.
	peer := open(t, filepath.Join(t.TempDir(), "home"), func(c *config.Config) { c.Network.Bootstrap = b.Addrs() })
	peer.serve()
	peer.eventually("a joiner has what is sound", func() bool { return int(peer.Seq())+peer.Status().Deferred >= int(done.Changes) })
	if got := int(peer.Seq()); percent < 10 && got < entries+len(agents) {
		t.Errorf("%d of %d are members there, although heads are sound", got, entries+len(agents))
	}

	// It imports the rest, and then the damaged node mends itself.
	if _, err := peer.Import(t.Context(), &whole); err != nil {
		t.Fatal(err)
	}
	report, err := b.Repair(t.Context())
	if err != nil || !report.OK() {
		t.Fatalf("repaired %+v, %v", report, err)
	}
	page, err = b.Entries(t.Context(), view.EntryQuery{Limit: 100})
	if err != nil || page.Damaged != 0 || len(page.Entries) != entries+1 {
		t.Errorf("healed, the feed has %d entries, %d damaged, %v", len(page.Entries), page.Damaged, err)
	}
	if check, err = b.VerifyDeep(t.Context()); err != nil || check.Damaged != 0 || !check.ViewsOK {
		t.Errorf("healed: %+v, %v", check, err)
	}
}

// TestStoreThatCannotBeOpenedIsSalvaged: whatever file of the store is gone, the
// node starts with what is left, keeps the damaged store, and its peers give it
// the rest.
func TestStoreThatCannotBeOpenedIsSalvaged(t *testing.T) {
	const entries = 40
	first := filepath.Join(t.TempDir(), "home")
	b := open(t, first, nil)
	ada := b.agent("Ada")
	for i := range entries {
		b.contribute(ada, retold(i, i+1, i+2))
	}
	var whole bytes.Buffer
	if _, err := b.Export(t.Context(), &whole, false); err != nil {
		t.Fatal(err)
	}
	b.shut()
	flushed(t, first)
	b = open(t, filepath.Join(t.TempDir(), "home"), nil)
	b.serve()
	if _, err := b.Import(t.Context(), &whole); err != nil {
		t.Fatal(err)
	}

	for _, pattern := range []string{"MANIFEST-*", "*.sst", "marker.manifest.*"} {
		t.Run(pattern, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "home")
			clone(t, first, dir)
			found, err := filepath.Glob(filepath.Join(dir, "store", pattern))
			if err != nil || len(found) == 0 {
				t.Fatalf("no %s: %v", pattern, err)
			}
			for _, name := range found {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
			if _, home, err := start(t.Context(), dir, func(*core.Options) {}); !errors.Is(err, crdtlog.ErrDamaged) {
				t.Fatalf("it opens, or fails otherwise: %v", err)
			} else if home != nil {
				_ = home.Close()
			}
			c := openWith(t, dir, func(o *core.Options) {
				o.Salvage = true
				o.Config.Network.Bootstrap = b.Addrs()
			})
			c.serve()
			aside, err := filepath.Glob(dir + "/store.damaged-*")
			if err != nil || len(aside) != 1 {
				t.Errorf("the damaged store is not kept: %v, %v", aside, err)
			}
			said := ""
			t.Cleanup(func() {
				if t.Failed() {
					t.Log(said[:min(len(said), 700)])
				}
			})
			c.eventually("peers give the rest", func() bool {
				report, err := c.Repair(t.Context())
				said = fmt.Sprintf("%+v %v", report, err)
				page, perr := c.Entries(t.Context(), view.EntryQuery{Limit: 100})
				return err == nil && perr == nil && len(page.Entries) == entries && page.Damaged == 0
			})
			if got, want := fmt.Sprint(c.Status().Sets, c.Status().View), fmt.Sprint(b.Status().Sets, b.Status().View); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestAgentLostWithItsStoreIsNotUnknown: a write for an agent of this vault
// whose birth is among what the store has lost is refused with that reason, and not as unknown
// agent. A stranger is unknown.
func TestAgentLostWithItsStoreIsNotUnknown(t *testing.T) {
	got := map[reason.Code]int{}
	lost := func(hurt func(home, store string), refold bool) {
		home := filepath.Join(t.TempDir(), "home") // a new one each time: a copy is known as one
		b := open(t, home, nil)
		ada := b.agent("Ada")
		b.contribute(ada, retold(1))
		b.shut()
		hurt(home, flushed(t, home))
		b = openWith(t, home, salvaging)
		defer b.shut()
		if refold { // as after a repair that mended something else
			if err := b.Refold(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Agent(t.Context(), ada.ID); err == nil {
			return // its birth is still here
		}
		_, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(2)}), view.Submit{})
		got[reason.Of(err)]++
	}
	lost(func(home, store string) {
		tables, err := filepath.Glob(filepath.Join(store, "*.sst"))
		for _, name := range tables {
			err = errors.Join(err, os.Remove(name))
		}
		if err != nil || len(tables) == 0 {
			t.Fatalf("%d tables: %v", len(tables), err)
		}
		forget(t, home)
	}, false)
	for percent := 2; percent < 100; percent += 4 {
		lost(func(_, store string) { corrupt(t, store, percent) }, true)
	}
	if got[reason.HomeUnsure] == 0 || got[reason.StoreDamaged] == 0 || got[reason.HomeUnsure]+got[reason.StoreDamaged] != sum(got) {
		t.Errorf("refused as %v, want %s and %s alone", got, reason.HomeUnsure, reason.StoreDamaged)
	}
	b := open(t, filepath.Join(t.TempDir(), "home"), nil)
	b.agent("Bo")
	_, err := b.Contribute(t.Context(), change.AgentID{1}, pass("go", body.Entry{Type: body.Gotcha, Text: retold(3)}), view.Submit{})
	if reason.Of(err) != reason.AgentNotFound {
		t.Errorf("a stranger is refused as %v", err)
	}
}

func sum(counts map[reason.Code]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

// An import reports which changes wait for a past that is not here, whatever part of the
// store cannot be read.
func TestDamagedNodeImports(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	b := open(t, dir, nil)
	ada, far := b.agent("Ada"), b.stranger("Far")
	for i := range 60 {
		b.contribute(ada, retold(i, i+1, i+2))
	}
	var lines bytes.Buffer
	const orphans = 40
	far.entry(retold(1000), 1767225600000, false) // which nobody gets
	for i := range orphans {
		c := far.entry(retold(1001+i), 1767225600001+int64(i), true)
		raw, err := exchange.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(raw)
	}
	b.shut()
	for percent := 5; percent < 100; percent += 5 {
		hurt := filepath.Join(t.TempDir(), "hurt")
		clone(t, dir, hurt)
		corrupt(t, flushed(t, hurt), percent)
		b := openWith(t, hurt, salvaging)
		rep, err := b.Import(t.Context(), bytes.NewReader(lines.Bytes()))
		if err != nil || rep.Read != orphans || rep.Refused[reason.MissingDeps] != orphans {
			t.Errorf("damage at %d %%: %d read, refused %v, %v", percent, rep.Read, rep.Refused, err)
		}
		b.shut()
	}
}
