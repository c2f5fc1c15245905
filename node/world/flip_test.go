package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/backup"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/stranger"
)

var digits = regexp.MustCompile(`[0-9]+`)

// kindsOf are the files of a home by kind: their names without numbers. Its lock, its
// sockets and what its owner wrote into it are left out.
func kindsOf(t testing.TB, home string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(home, func(at string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(home, at)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(name, "store.damaged-"): // what was kept of a store before
			return fs.SkipDir
		case e.IsDir():
			return nil
		case strings.HasPrefix(name, store.RunDir), strings.HasSuffix(name, store.LockFile), name == "network", name == store.ConfigFile:
			return nil
		}
		kind := digits.ReplaceAllString(name, "N")
		out[kind] = append(out[kind], at)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// flip alters one bit of a file and returns what was in it before; nil when it is empty.
func flip(t testing.TB, path string, n uint64) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) == 0 {
		return nil
	}
	was := bytes.Clone(b)
	b[n%uint64(len(b))] ^= 1 << (n >> 32 % 8)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return was
}

// shows compares what a node serves with the truth: an entry that is shown in other
// words, or under an invalid signature, is damage that was served. It returns
// how many it shows, how many a search finds, and how many it says it cannot read.
func shows(t testing.TB, n *node.Node, truth map[change.ID]string) (shown, found, damaged int) {
	t.Helper()
	for _, search := range []string{"", "synced crash"} {
		q := view.EntryQuery{Limit: 100, Text: search}
		for {
			page, err := n.Entries(context.Background(), q)
			if err != nil {
				return shown, found, damaged + 1
			}
			for i := range page.Entries {
				e := &page.Entries[i]
				if truth[e.ID] != e.Body.Text {
					t.Errorf("damage is served: %s reads %q", e.ID, e.Body.Text)
				}
				if s := e.Signature; s.Known() && !keys.Verify(s.Key, s.ID.Preimage(), s.Sig[:]) {
					t.Errorf("%s is served with a signature that does not hold", e.ID)
				}
				if search == "" {
					shown++
				} else {
					found++
				}
			}
			damaged += page.Damaged
			if page.Next == nil {
				break
			}
			q.After = page.Next
		}
	}
	return shown, found, damaged
}

// settled moves what lies in a closed store's write-ahead log into tables, as a node
// does when there is more of it.
func (m *machine) settled(t testing.TB) {
	t.Helper()
	e, err := engine.OpenPebble(filepath.Join(m.dir, store.StoreDir), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Erase(t.Context(), "/", "0"), e.Close()); err != nil {
		t.Fatal(err)
	}
}

// Scenario 7: bits flip in every kind of file that a home has, while its node is off.
// The owner starts it as ever, and with --salvage where it says that it needs that.
// Nothing damaged is ever served, a peer gives back what is gone, and files that are
// made of the log are made again. Of keys there is no copy: a flipped one is refused.
func TestScenario07BitFlips(t *testing.T) {
	entries, flips := either(60, 1000), either(2, 40)
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 107, 2)
		keeper, m := w.machines[0], w.machines[1]
		w.open(t, nil, keeper, m)
		var authors []*stranger.Author
		for i := range 6 {
			authors = append(authors, stranger.NewAuthor(w.netID, fmt.Sprint("flip/", i)))
		}
		now := m.now()
		n, _ := m.alive()
		if r, err := n.Import(t.Context(), bytes.NewReader(w.history(t, authors, entries, now.Add(-time.Hour), now.Add(-time.Minute)))); err != nil || len(r.Refused) > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if _, err := w.say(t.Context(), m, 1); err != nil {
			t.Fatal(err)
		}
		w.within(t, 5*time.Minute, "the peer has all of it", func() bool { return equal(keeper, m) })
		truth := map[change.ID]string{}
		page, err := n.Entries(t.Context(), view.EntryQuery{Limit: entries + 1})
		if err != nil || len(page.Entries) != entries+1 {
			t.Fatalf("%d entries, %v", len(page.Entries), err)
		}
		for _, e := range page.Entries {
			truth[e.ID] = e.Body.Text
		}
		var saved bytes.Buffer
		if _, err := n.Backup(t.Context(), &saved, nil, "in no database"); err != nil {
			t.Fatal(err)
		}

		rng := simnet.Rand(w.Plan.Seed, "flips")
		made, refused, reported, doubted, unseen := 0, 0, 0, 0, 0
		if err := m.stop(); err != nil {
			t.Fatal(err)
		}
		m.settled(t)
		all := kindsOf(t, m.dir)
		var kinds []string
		for kind := range all {
			kinds = append(kinds, kind)
		}
		slices.Sort(kinds)
		t.Logf("%d kinds of files: %s", len(kinds), strings.Join(kinds, ", "))
		for _, kind := range kinds {
			for range flips {
				if !strings.HasSuffix(kind, ".log") { // which would be empty then
					m.settled(t)
				}
				files := kindsOf(t, m.dir)[kind]
				if len(files) == 0 {
					continue
				}
				path := files[rng.IntN(len(files))]
				was := flip(t, path, rng.Uint64())
				if was == nil {
					continue
				}
				made++
				m.damaged = false
				err := m.start()
				first := err
				detected, unsure := err != nil, false
				if detected && !errors.Is(err, crdtlog.ErrDamaged) {
					refused++ // what only this home has: put back by its owner
					if err := os.WriteFile(path, was, 0o600); err != nil {
						t.Fatal(err)
					}
					err = m.start()
				} else if detected {
					m.damaged = true
					err = m.start()
				}
				if err != nil {
					t.Fatalf("%s: it does not start again: %v", kind, err)
				}
				n, _ := m.alive()
				begin := time.Now()
				for {
					shown, found, damaged := shows(t, n, truth)
					detected = detected || damaged > 0 || n.Damaged() > 0
					unsure = unsure || n.Status().Unsure != nil
					if shown == len(truth) && found == len(truth) && damaged == 0 && n.Status().Unsure == nil && equal(keeper, m) {
						break
					}
					if time.Since(begin) > 20*time.Minute {
						t.Fatalf("%s: after %v %d of %d are shown, %d found, %d damaged, equal %v", kind, time.Since(begin), shown, len(truth), found, damaged, equal(keeper, m))
					}
					time.Sleep(time.Second)
				}
				check, err := n.VerifyDeep(t.Context())
				detected = detected || err == nil && len(check.Problems) > 0 // nothing had read it yet
				for range 2 {
					if err != nil || len(check.Problems) == 0 && n.Damaged() == 0 {
						break
					}
					// meshd repair, and a start that writes the store anew.
					if _, err := n.Repair(t.Context()); err != nil {
						t.Fatal(err)
					}
					m.damaged = true
					if err := errors.Join(m.stop(), m.start()); err != nil {
						t.Fatal(err)
					}
					n, _ = m.alive()
					w.within(t, 20*time.Minute, "peers give the rest", func() bool {
						shown, found, damaged := shows(t, n, truth)
						return shown == len(truth) && found == len(truth) && damaged == 0 && equal(keeper, m)
					})
					check, err = n.VerifyDeep(t.Context())
				}
				if err != nil || len(check.Problems) > 0 || n.Damaged() > 0 || !check.ViewsOK {
					t.Fatalf("%s: verify finds %d damaged, %.2000q, %v", kind, check.Damaged, check.Problems, err)
				}
				switch {
				case detected:
					reported++
				case unsure:
					doubted++
				default:
					unseen++
				}
				if *flagStory {
					t.Logf("%s: said so %v, unsure %v, start %v", kind, detected, unsure, first)
				}
				if err := m.stop(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				if t.Failed() {
					t.Fatalf("after a flip in %s", path)
				}
			}
		}
		// A copy of the home in one stream.
		passed, tries := 0, either(300, 5000)
		for range tries {
			b := bytes.Clone(saved.Bytes())
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
			sink := backup.Sink{Pair: func(string, []byte) error { return nil }, File: func(string, fs.FileMode) error { return nil }, Data: func([]byte) error { return nil }}
			if _, _, err := backup.Read(bytes.NewReader(b), sink); err == nil {
				passed++
			}
		}
		t.Logf("scenario 07: %d flips in %d kinds of files of a home: %d said so (%d of them refused to start), of %d the node compared its chains with a peer first, %d changed nothing that is read or were mended unseen; 0 damaged entries served, all %d entries back each time; of %d flips in a backup %d were taken (bar: every flip detected, log healed from peers, views rebuilt, damage never served)",
			made, len(kinds), reported, refused, doubted, unseen, len(truth), tries, passed)
		if passed > 0 {
			t.Errorf("%d flipped backups were taken", passed)
		}
		if reported == 0 || made < len(kinds) {
			t.Errorf("%d flips, %d reported", made, reported)
		}
	})
}
