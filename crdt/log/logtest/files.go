package logtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
)

// Disk is an engine that keeps files.
type Disk struct {
	Name string // as Salvage knows it
	Open func(dir string) (log.Engine, error)

	// ReadOnlyOnce: it may refuse writes once it has met damage, until it is
	// salvaged.
	ReadOnlyOnce bool
}

// Files damages every file of a store, in every way that disks have, and looks
// what becomes of the log: damage is recognised as such, what can be read is
// served and is the truth, writing goes on, and copies of what was lost make the
// log whole again.
func Files(t *testing.T, d Disk) {
	const seed = 77
	rng := rand.New(rand.NewPCG(seed, seed))
	s := newStore(t, d)
	if found, err := log.Survey(t.Context(), d.Name, s.dir); err != nil || !found.Sound() || found.Members != len(s.truth) || engine.CheckFiles(d.Name, s.dir) != nil {
		t.Errorf("of a sound store of %d a survey says %+v, %v", len(s.truth), found, err)
	}
	for _, name := range s.files(t) {
		size := len(s.read(t, name))
		ways := map[string]func(t testing.TB, path string, b []byte){
			"deleted":   func(t testing.TB, path string, _ []byte) { must(t, os.Remove(path)) },
			"emptied":   func(t testing.TB, path string, _ []byte) { must(t, os.Truncate(path, 0)) },
			"halved":    func(t testing.TB, path string, b []byte) { must(t, os.Truncate(path, int64(len(b)/2))) },
			"zeroed":    func(t testing.TB, path string, b []byte) { must(t, os.WriteFile(path, make([]byte, len(b)), 0o600)) },
			"cut short": func(t testing.TB, path string, b []byte) { must(t, os.Truncate(path, max(0, int64(len(b)-1)))) },
		}
		for i := range 4 {
			at, bit := 0, rng.IntN(8)
			if size > 0 {
				at = rng.IntN(size)
			}
			if i == 0 {
				at = 0
			}
			ways[fmt.Sprintf("bit %d of byte %d flipped", bit, at)] = func(t testing.TB, path string, b []byte) {
				if len(b) > 0 {
					b[at] ^= 1 << bit
				}
				must(t, os.WriteFile(path, b, 0o600))
			}
		}
		start := rng.IntN(max(1, size-512))
		ways[fmt.Sprintf("512 bytes from %d zeroed", start)] = func(t testing.TB, path string, b []byte) {
			clear(b[min(start, len(b)):min(start+512, len(b))])
			must(t, os.WriteFile(path, b, 0o600))
		}
		for way, harm := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				dir := s.copy(t)
				harm(t, filepath.Join(dir, name), s.read(t, name))
				s.survive(t, dir, name)
			})
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// store is a sound one, with its content.
type store struct {
	Disk
	dir    string
	world  *worldtest.World
	truth  []log.Record
	made   []*change.Change
	author *worldtest.Author
	cp     []byte
}

func newStore(t testing.TB, d Disk) *store {
	t.Helper()
	s := &store{Disk: d, dir: filepath.Join(t.TempDir(), "store"), world: worldtest.New(76)}
	e, err := d.Open(s.dir)
	must(t, err)
	l, err := log.Open(t.Context(), e, s.world.Genesis.Shards, nil)
	must(t, err)
	put := func(cs ...*change.Change) {
		t.Helper()
		if _, err := l.Append(t.Context(), s.world.Verify(cs...)); err != nil {
			t.Fatal(err)
		}
		s.made = append(s.made, cs...)
	}
	s.author = s.world.Agent("ada")
	bo := s.world.Agent("bo")
	put(s.author.Bind(), bo.Bind())
	for n := range 6 {
		for m := range 10 {
			put(s.author.Entry("go", fmt.Sprintf("ada learned %d.%d", n, m)), bo.Entry("rust", fmt.Sprintf("bo learned %d.%d", n, m)))
		}
		if n == 1 || n == 3 {
			must(t, e.Erase(t.Context(), "/", "0")) // into tables
		}
		if n == 4 {
			s.cp, _ = l.AppendCheckpoint(nil)
		}
	}
	s.truth, err = l.Since(t.Context(), 0, 1<<20)
	must(t, err)
	must(t, e.Close())
	return s
}

func (s *store) files(t testing.TB) (names []string) {
	t.Helper()
	list, err := os.ReadDir(s.dir)
	must(t, err)
	for _, e := range list {
		if e.Name() != "LOCK" {
			names = append(names, e.Name())
		}
	}
	return names
}

func (s *store) read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	must(t, err)
	return b
}

func (s *store) copy(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	must(t, os.CopyFS(dir, os.DirFS(s.dir)))
	return dir
}

// open opens the log as a node does: what cannot be opened is salvaged.
func (s *store) open(t testing.TB, dir string) (l *log.Log, e log.Engine, salvaged bool) {
	t.Helper()
	cp, err := log.DecodeCheckpoint(s.cp)
	must(t, err)
	for n := 0; ; n++ {
		e, err = s.Disk.Open(dir)
		if err == nil {
			if l, err = log.Open(t.Context(), e, s.world.Genesis.Shards, cp); err == nil {
				return l, e, n > 0
			}
			must(t, e.Close())
		}
		if !errors.Is(err, log.ErrDamaged) {
			t.Fatalf("not known for damage: %v", err)
		}
		if n > 0 {
			t.Fatalf("salvaged, and still: %v", err)
		}
		cp, _ = log.DecodeCheckpoint(s.cp)
		if _, err := log.Salvage(t.Context(), s.Name, dir, dir+".damaged", s.world.Genesis.Shards, cp.Known()); err != nil {
			t.Fatalf("salvage: %v", err)
		}
		if _, err := os.Stat(dir + ".damaged"); err != nil {
			t.Errorf("the damaged store is not kept: %v", err)
		}
	}
}

func (s *store) survive(t *testing.T, dir, name string) {
	found, surveyed := log.Survey(t.Context(), s.Name, dir)
	passes := surveyed == nil && found.Sound() && engine.CheckFiles(s.Name, dir) == nil
	l, e, salvaged := s.open(t, dir)
	defer func() { must(t, e.Close()) }()
	again := func() {
		t.Helper()
		var had []change.ID
		for _, r := range s.truth {
			if _, err := l.Get(t.Context(), r.Change.ID); err == nil {
				had = append(had, r.Change.ID)
			}
		}
		must(t, e.Close())
		_, err := log.Salvage(t.Context(), s.Name, dir, dir+".again", s.world.Genesis.Shards, log.Known{})
		must(t, err)
		l, e, salvaged = s.open(t, dir)
		for _, id := range had {
			if _, err := l.Get(t.Context(), id); err != nil {
				t.Fatalf("what could be read before a salvage cannot be after it: %v", err)
			}
		}
	}
	served, gone := s.served(t, l)
	if !salvaged && gone > 0 && !strings.HasSuffix(name, ".log") {
		t.Errorf("%d changes are gone without a word", gone)
	}
	problems := 0
	must(t, l.Verify(t.Context(), true, func(p log.Problem) { problems++ }))
	counted, _ := l.Damaged()
	if passes && (salvaged || served < len(s.truth)) && !strings.HasSuffix(name, ".log") {
		t.Errorf("a survey passes a store of which %d changes of %d can be read (salvaged: %v)", served, len(s.truth), salvaged)
	}
	if hurt := len(s.truth) - served - gone; hurt > 0 && (problems < hurt || counted < hurt) {
		t.Errorf("%d changes are damaged; verify finds %d problems, %d are counted", hurt, problems, counted)
	}

	// Writing goes on, by another author at least.
	w := s.world
	zoe := w.Agent("zoe")
	news := w.Verify(zoe.Bind(), zoe.Entry("go", "zoe goes on"))
	_, err := l.Append(t.Context(), news)
	if errors.Is(err, log.ErrDamaged) && s.ReadOnlyOnce {
		again()
		_, err = l.Append(t.Context(), news)
	}
	if err != nil {
		t.Fatalf("append to a damaged store: %v", err)
	}
	// A peer brings what is lost.
	healed := false
	for i, c := range s.made {
		v := w.Verify(c)
		_, err := l.Get(t.Context(), c.ID)
		switch {
		case errors.Is(err, log.ErrNotFound):
			out, err := l.Append(t.Context(), v)
			if err != nil {
				t.Fatalf("take change %d again: %v", i, err)
			}
			if out[0].Fork {
				t.Fatalf("change %d comes back as a fork", i)
			}
		case err != nil:
			err := l.Heal(t.Context(), v[0])
			if errors.Is(err, log.ErrDamaged) && s.ReadOnlyOnce && !healed {
				healed = true
				again()
				err = l.Heal(t.Context(), v[0])
			}
			if err != nil {
				t.Fatalf("heal change %d: %v", i, err)
			}
		}
	}
	if served, gone := s.served(t, l); served != len(s.truth) || l.Counts().Members != uint64(len(s.truth))+2 {
		t.Errorf("healed: %d of %d changes are served, %d gone; %d members", served, len(s.truth), gone, l.Counts().Members)
	}
	_, seq, _, forked, err := l.Tip(t.Context(), s.made[len(s.made)-2].Head.Chain())
	if err != nil || forked || seq != s.made[len(s.made)-2].Head.Seq {
		t.Errorf("the end of a healed chain is at %d, forked %v, %v", seq, forked, err)
	}
}

// served counts the changes that are read, every way, and those that the log does
// not know. Whatever is read must be true.
func (s *store) served(t *testing.T, l *log.Log) (served, gone int) {
	t.Helper()
	sound := map[change.ID]bool{}
	for _, want := range s.truth {
		id := want.Change.ID
		r, err := l.Get(t.Context(), id)
		r.Seq = want.Seq // a salvage may number anew
		switch {
		case err == nil && !sameRecord(r, want):
			t.Fatalf("something else is served as %s: %+v", id, r)
		case err == nil:
			served++
			sound[id] = true
		case errors.Is(err, log.ErrNotFound):
			gone++
		case !errors.Is(err, log.ErrDamaged) || reason.Of(err) != reason.StoreDamaged:
			t.Fatalf("damage comes as %q: %v", reason.Of(err), err)
		}
	}
	all, err := l.Since(t.Context(), 0, 1<<20)
	if err != nil {
		t.Fatalf("since: %v", err)
	}
	for _, r := range all {
		delete(sound, r.Change.ID)
	}
	if changes, parts := l.Damaged(); len(sound) > 0 && changes+parts == 0 {
		t.Errorf("%d sound changes are missing from the order of arrival, and nothing is counted", len(sound))
	}
	return served, gone
}
