package node_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// writeUntilKilled contributes for ever and prints each id once it is
// acknowledged. Checkpoints are written all the time.
func writeUntilKilled(dir string) error {
	ctx := context.Background()
	n, _, err := start(ctx, dir, func(o *core.Options) { o.Config.Storage.CheckpointInterval = 10 * time.Millisecond })
	if err != nil {
		return err
	}
	key, _, err := n.NewActingKey(ctx)
	if err != nil {
		return err
	}
	a, _, err := n.OpenAgent(ctx, view.Genesis{KeyName: key, Name: "Ada"})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		r, err := n.Contribute(ctx, a.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(i, os.Getpid())}), view.Submit{})
		if err != nil {
			return err
		}
		fmt.Println(r.ID.Text(change.PrefixEntry))
	}
}

func TestKillLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var acknowledged []string
	for round := range 4 {
		cmd := exec.Command(exe, "writer", dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(out)
		for enough := 1 + rng.IntN(60); ; enough-- {
			line, err := in.ReadString('\n')
			if err != nil {
				break // what it had printed when it was killed was acknowledged too
			}
			acknowledged = append(acknowledged, strings.TrimSpace(line))
			if round == 0 && len(acknowledged) == 1 {
				var locked *store.LockedError
				if _, _, err := start(t.Context(), dir, nil); !errors.As(err, &locked) || locked.Holder.PID != cmd.Process.Pid {
					t.Errorf("a second process on the home: %v", err)
				}
			}
			if enough == 0 {
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			t.Fatalf("the writer was not killed: %v", err)
		}
	}
	b := open(t, dir, nil)
	defer b.shut()
	for _, text := range acknowledged {
		id, err := change.ParseID(change.PrefixEntry, text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Entry(t.Context(), id); err != nil {
			t.Errorf("acknowledged %s: %v", text, err)
		}
	}
	check, err := b.VerifyDeep(t.Context())
	if err != nil || len(check.Problems) > 0 || !check.ViewsOK {
		t.Errorf("verify: %+v, %v", check, err)
	}
	if len(b.Status().Forks) > 0 || int(check.Changes) < len(acknowledged)+4 {
		t.Errorf("%d changes, %d acknowledged, forks %v", check.Changes, len(acknowledged), b.Status().Forks)
	}
}

func TestPurgeSurvivesRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	ada := b.agent("Ada")
	r, kept := b.contribute(ada, lesson), b.contribute(ada, "Another lesson that has to stay where it is, for good.")
	b.shut() // the checkpoint contains the entry
	b = open(t, dir, nil)
	b.eventually("searchable", func() bool { return b.finds("synced crash") == 1 })
	if err := b.Purge(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := b.Entry(t.Context(), r.ID); reason.Of(err) != reason.Purged {
			t.Errorf("entry: %v", err)
		}
		page, err := b.Entries(t.Context(), view.EntryQuery{Limit: 10})
		if err != nil || len(page.Entries) != 1 || page.Entries[0].ID != kept.ID || page.Total != 1 {
			t.Errorf("feed: %+v, %v", page, err)
		}
		if n := b.finds("synced crash"); n != 0 {
			t.Errorf("search finds %d", n)
		}
		if check, err := b.VerifyDeep(t.Context()); err != nil || len(check.Problems) > 0 || !check.ViewsOK {
			t.Errorf("verify: %+v, %v", check, err)
		}
		b.shut()
		b = open(t, dir, nil)
	}
	b.contribute(ada, lesson) // the text is free again
	b.shut()
}

// finds is how many entries a search shows.
func (b *box) finds(text string) int {
	b.t.Helper()
	p, err := b.Entries(b.t.Context(), view.EntryQuery{Text: text, Limit: 50})
	if err != nil {
		b.t.Fatal(err)
	}
	return len(p.Entries)
}

func TestDerivedFilesAreBuiltAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	ada := b.agent("Ada")
	b.contribute(ada, lesson)
	want := b.Status().View
	b.shut()
	checkpoint := filepath.Join(dir, "store", "checkpoint")
	good, err := os.ReadFile(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), good...)
	for i := 20; i < len(flipped); i += 7 {
		flipped[i] ^= 0x55
	}
	for name, damage := range map[string]func() error{
		"no index":             func() error { return os.RemoveAll(filepath.Join(dir, "store", "index")) },
		"flipped checkpoint":   func() error { return os.WriteFile(checkpoint, flipped, 0o600) },
		"truncated checkpoint": func() error { return os.WriteFile(checkpoint, good[:len(good)-5], 0o600) },
		"empty checkpoint":     func() error { return os.WriteFile(checkpoint, nil, 0o600) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		b := open(t, dir, nil)
		if got := b.Status().View; got != want {
			t.Errorf("%s: view %+v, want %+v", name, got, want)
		}
		b.eventually(name+": found again", func() bool { return b.finds("synced crash") == 1 })
		if check, err := b.VerifyDeep(t.Context()); err != nil || len(check.Problems) > 0 || !check.ViewsOK {
			t.Errorf("%s: verify %+v, %v", name, check, err)
		}
		b.shut()
	}
}

// No checkpoint in which a bit has flipped, wherever, is used: it says which texts are
// here already as well as what is shown.
func TestFlippedCheckpointIsNotUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	ada := b.agent("Ada")
	for i := range 3 {
		b.contribute(ada, retold(i))
	}
	b.shut()
	b = open(t, dir, nil)
	defer b.shut()
	path := filepath.Join(dir, "store", "checkpoint")
	good, err := os.ReadFile(path)
	if err != nil || !b.CheckpointReads() {
		t.Fatalf("a sound one is not used: %v", err)
	}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1 << (i % 8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if b.CheckpointReads() {
			t.Errorf("a bit of byte %d of %d flipped, and it is used", i, len(good))
		}
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFullDiskMakesReadOnlyUntilThereIsRoom(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	kept := b.contribute(ada, lesson)
	roomy := b.Config()
	full := roomy
	full.Storage.MinFreeDisk = config.Size(1 << 62)
	b.Reload(full)
	b.eventually("read-only", func() bool { return b.Status().ReadOnly })
	if checks, ready := b.Ready(); ready || checks["disk"] {
		t.Errorf("ready: %v", checks)
	}
	_, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(1)}), view.Submit{})
	if reason.Of(err) != reason.ReadOnly {
		t.Errorf("contribute: %v", err)
	}
	if _, err := b.Entry(t.Context(), kept.ID); err != nil {
		t.Errorf("reading: %v", err)
	}
	b.Reload(roomy)
	b.eventually("writable", func() bool { _, ready := b.Ready(); return ready && !b.Status().ReadOnly })
	b.contribute(ada, retold(2))
}
