package lineage_test

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/store"
)

var ada = keys.FromSeed(sha256.Sum256([]byte("ada"))).Key()

// visit opens the home in dir with a log of that length, and closes it.
func visit(t *testing.T, dir string, seq uint64, ks ...did.Key) *lineage.Book {
	t.Helper()
	home, err := store.Open(dir, store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := lineage.Open(lineage.Config{Home: home, Store: home.Path(store.StoreDir), Keys: ks, Seq: seq, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := home.Close(); err != nil {
		t.Fatal(err)
	}
	return b
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v %s", name, args, err, out)
	}
}

// Whatever was done to a home between two openings, it signs on by itself exactly
// when nobody else can have signed with its keys.
func TestAHomeKnowsWhatWasDoneToIt(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		do   func(t *testing.T, dir string) string // returns where the home lies then
		seq  uint64
		want lineage.Why
	}{
		"nothing": {func(_ *testing.T, dir string) string { return dir }, 5, ""},
		"renamed": {func(t *testing.T, dir string) string {
			run(t, "mv", dir, dir+"2")
			return dir + "2"
		}, 5, ""},
		"handed to another user": {func(t *testing.T, dir string) string {
			run(t, "chmod", "-R", "go-rwx", dir)
			return dir
		}, 5, ""},
		"copied": {func(t *testing.T, dir string) string {
			run(t, "cp", "-r", dir, dir+"2")
			return dir + "2"
		}, 5, lineage.Copied},
		"copied with its times": {func(t *testing.T, dir string) string {
			run(t, "cp", "-a", dir, dir+"2")
			return dir + "2"
		}, 5, lineage.Copied},
		"written over by a copy": {func(t *testing.T, dir string) string {
			run(t, "cp", "-r", dir, dir+"2")
			run(t, "cp", "-r", dir+"2/.", dir)
			later := time.Now().Add(time.Hour) // as if that were done then
			if err := os.Chtimes(filepath.Join(dir, lineage.File), later, later); err != nil {
				t.Fatal(err)
			}
			return dir
		}, 5, lineage.Copied},
		"its store removed": {func(t *testing.T, dir string) string {
			if err := os.RemoveAll(filepath.Join(dir, store.StoreDir)); err != nil {
				t.Fatal(err)
			}
			return dir
		}, 0, lineage.StoreLost},
		"its store replaced by a longer one": {func(t *testing.T, dir string) string {
			if err := os.Remove(filepath.Join(dir, store.StoreDir, lineage.File)); err != nil {
				t.Fatal(err)
			}
			return dir
		}, 9, lineage.StoreLost},
		"its log cut":       {func(_ *testing.T, dir string) string { return dir }, 4, lineage.StoreLost},
		"its mark garbled":  {garble, 5, lineage.Copied},
		"an older release":  {forget, 5, ""},
		"and its log gone":  {forget, 0, lineage.StoreLost},
		"restored":          {restore, 5, lineage.Restored},
		"restored, no keys": {restoreKeyless, 5, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "home")
			visit(t, dir, 0)
			if b := visit(t, dir, 5, ada); b.May(ada, change.Commons("go")) != nil {
				t.Fatal("a new home is in doubt")
			}
			dir = c.do(t, dir)
			for range 2 { // a doubt does not end by a restart
				b := visit(t, dir, c.seq, ada)
				d, ok := b.Doubt()
				if ok != (c.want != "") || d.Why != c.want {
					t.Fatalf("doubt %+v, want %q", d, c.want)
				}
				err := b.May(ada, change.Commons("go"))
				if (reason.Of(err) == reason.HomeUnsure) != (c.want != "") {
					t.Errorf("it may sign: %v", err)
				}
				if b.May(keys.FromSeed(sha256.Sum256([]byte("later"))).Key(), change.Commons("go")) != nil {
					t.Error("a key made later may not sign")
				}
			}
			if c.want == "" {
				return
			}
			b := visit(t, dir, c.seq, ada)
			team := change.TeamSpace(change.ID{1})
			if _, err := b.Settle([]did.Key{ada}, nil); err != nil || b.May(ada, change.Commons("go")) != nil || b.May(ada, team) == nil {
				t.Errorf("after public chains were compared: %v", err)
			}
			if _, err := b.Settle(nil, []string{string(team)}); err != nil {
				t.Fatal(err)
			}
			if b = visit(t, dir, c.seq+1, ada); b.May(ada, change.Commons("go")) != nil || b.May(ada, team) != nil {
				t.Error("what was compared is in doubt again at the next start")
			}
		})
	}
}

func garble(t *testing.T, dir string) string {
	if err := os.WriteFile(filepath.Join(dir, lineage.File), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func forget(t *testing.T, dir string) string {
	if err := os.Remove(filepath.Join(dir, lineage.File)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func restore(t *testing.T, dir string) string {
	if err := lineage.MarkRestored(dir, []string{ada.String()}, time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func restoreKeyless(t *testing.T, dir string) string {
	if err := lineage.MarkRestored(dir, nil, time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A vault without keys that write changes has nothing to fork.
func TestAHomeWithoutKeysIsInNoDoubt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "home")
	visit(t, dir, 0)
	run(t, "cp", "-r", dir, dir+"2")
	if d, ok := visit(t, dir+"2", 0).Doubt(); ok {
		t.Errorf("doubt %+v", d)
	}
}
