package logtest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/rules"
)

type pair struct {
	key   string
	value []byte
}

// pairs are all pairs of the store.
func (b *box) pairs(t testing.TB) []pair {
	t.Helper()
	var out []pair
	err := b.engine.Scan(t.Context(), "/", "0", func(key string, value []byte) error {
		out = append(out, pair{key, bytes.Clone(value)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *box) put(t testing.TB, key string, value []byte) {
	t.Helper()
	if err := b.engine.Put(t.Context(), ds.RawKey(key), value); err != nil {
		t.Fatal(err)
	}
}

// reopened is a second log over the same engine, which remembers nothing.
func (b *box) reopened(t testing.TB) (*log.Log, error) {
	return log.Open(t.Context(), b.engine, b.world.Genesis.Shards, nil)
}

func testFlips(t *testing.T, newPlace func(t testing.TB) Place) {
	const seed = 31
	rng := rand.New(rand.NewPCG(seed, seed))
	b := newBox(t, newPlace, worldtest.New(seed))
	b.story(t)
	truth := b.since(t)
	for _, p := range b.pairs(t) {
		bad := bytes.Clone(p.value)
		bit := rng.IntN(len(bad) * 8)
		bad[bit/8] ^= 1 << (bit % 8)
		b.put(t, p.key, bad)
		if !b.notices(t, p.key, truth) {
			t.Errorf("seed %d: bit %d of %s flipped unnoticed", seed, bit, p.key)
		}
		b.put(t, p.key, p.value)
		if t.Failed() {
			return
		}
	}
	b.sound(t)
}

// notices reports whether the log sees that the value of key is damaged. It
// fails t when a read gives anything but the truth or ErrDamaged.
func (b *box) notices(t testing.TB, key string, truth []log.Record) bool {
	t.Helper()
	l, err := b.reopened(t)
	if err != nil {
		wantErr(t, err, log.ErrDamaged)
		return true
	}
	seen := false
	for _, want := range truth {
		id := want.Change.ID
		got, err := l.Get(t.Context(), id)
		var d *log.DamageError
		switch {
		case err == nil && !sameRecord(got, want):
			t.Errorf("damage to %s is served: %+v", key, got)
		case errors.As(err, &d):
			seen = true
			if d.ID != id {
				t.Errorf("damage to %s names %s", id, d.ID)
			}
		case err != nil:
			t.Errorf("get: %v", err)
		}
		if m, err := l.Member(id); err == nil && (m == nil || !bytes.Equal(m.RawHead, want.Change.RawHead)) {
			t.Errorf("damage to %s is served by Member", key)
		}
	}
	if strings.HasPrefix(key, "/k/") {
		_, err := l.Mark(t.Context(), "k")
		wantErr(t, err, log.ErrDamaged)
		return true
	}
	found := 0
	if err := l.Verify(t.Context(), true, func(log.Problem) { found++ }); err != nil {
		t.Errorf("verify: %v", err)
	}
	if seen && found == 0 {
		t.Errorf("verify overlooks damage to %s that a read sees", key)
	}
	return found > 0
}

func testHeal(t *testing.T, newPlace func(t testing.TB) Place) {
	b := newBox(t, newPlace, worldtest.New(32))
	b.story(t)
	truth := b.since(t)
	copies := b.copies(t, truth)
	for _, p := range b.pairs(t) {
		prefix := p.key[:3]
		if !slices.Contains([]string{"/h/", "/b/", "/i/", "/c/", "/t/"}, prefix) {
			continue
		}
		b.put(t, p.key, append([]byte{p.value[0] ^ 0x40}, p.value[1:]...))
		l, err := b.reopened(t)
		if err != nil {
			t.Fatal(err)
		}
		b.Log = l
		var hurt []change.ID
		if err := b.Verify(t.Context(), true, func(p log.Problem) { hurt = append(hurt, p.ID) }); err != nil {
			t.Fatal(err)
		}
		if len(hurt) == 0 {
			t.Fatalf("damage to %s is not reported", p.key)
		}
		for _, id := range hurt {
			if err := b.Heal(t.Context(), copies[id]); err != nil {
				t.Fatalf("heal %s after damage to %s: %v", id, p.key, err)
			}
		}
		if !slices.EqualFunc(b.since(t), truth, sameRecord) {
			t.Fatalf("healing %s changed the log", p.key)
		}
		b.sound(t)
	}
	wantErr(t, b.Heal(t.Context(), rules.Verified{}), log.ErrNotFound)
	stranger := b.world.Agent("zoe").Bind()
	wantErr(t, b.Heal(t.Context(), b.world.Verify(stranger)[0]), log.ErrNotFound)
}

// copies are what a peer would send of each record: the same head with the same
// evidence, and with its body whatever is here.
func (b *box) copies(t testing.TB, rs []log.Record) map[change.ID]rules.Verified {
	t.Helper()
	out := map[change.ID]rules.Verified{}
	var all []*change.Change
	for _, r := range rs {
		made, err := b.world.Member(r.Change.ID)
		if err != nil || made == nil {
			t.Fatalf("the world does not know %s", r.Change.ID)
		}
		c, err := change.Decode(r.Change.RawHead, made.Body)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	for i, v := range b.world.Verify(all...) {
		if rs[i].Own {
			v = b.world.Verify(all[i])[0]
		}
		out[all[i].ID] = v
	}
	return out
}

func testStray(t *testing.T, newPlace func(t testing.TB) Place) {
	b := newBox(t, newPlace, worldtest.New(33))
	b.story(t)
	for _, p := range b.pairs(t) {
		prefix := p.key[:3]
		if prefix == "/m/" || prefix == "/k/" || prefix == "/t/" || prefix == "/c/" || prefix == "/s/" {
			continue
		}
		end := p.key[len(p.key)-8:]
		stray := strings.TrimSuffix(p.key, end) + "00000000"
		b.put(t, stray, p.value)
		found := 0
		if err := b.Verify(t.Context(), true, func(log.Problem) { found++ }); err != nil {
			t.Fatal(err)
		}
		if found == 0 {
			t.Errorf("stray %s is not reported", stray)
		}
		if err := b.engine.Delete(t.Context(), ds.RawKey(stray)); err != nil {
			t.Fatal(err)
		}
	}
	b.sound(t)
}
