package fold_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// A checkpoint taken anywhere goes on as the views it was taken of would have.
func TestCheckpointGoesOn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, members := draw(t)
		order := shuffled(members, rapid.Uint64().Draw(t, "order"))
		cut := rapid.IntRange(0, len(order)).Draw(t, "cut")
		v := fold.New(w.Net)
		apply(v, order[:cut]...)
		raw := v.AppendCheckpoint([]byte("before"))
		if !bytes.HasPrefix(raw, []byte("before")) {
			t.Fatalf("AppendCheckpoint does not append")
		}
		raw = raw[len("before"):]
		loaded, err := fold.Load(w.Net, raw)
		if err != nil {
			t.Fatal(err)
		}
		clear(raw) // nothing of it may be kept
		agree(t, loaded, order[:cut])
		apply(loaded, order...)
		agree(t, loaded, members)
		for _, c := range members {
			if change.LaneOf(c.Head.Kind) == change.Content {
				loaded.Withdraw(c)
			}
		}
		left := slices.Clone(members)
		for i, c := range left {
			if change.LaneOf(c.Head.Kind) == change.Content {
				left[i] = c.Stub()
			}
		}
		agree(t, loaded, left)
	})
}

// full is a checkpoint in which every part of the views has something.
func full(t testing.TB) (*worldtest.World, []byte) {
	t.Helper()
	w := worldtest.New(1)
	ada := w.Agent("ada")
	bind := ada.BindAs(body.Bind{Name: "Ada", Home: "mesh.example", Next: make([]byte, 32)})
	one := ada.Entry("go", "one")
	twin := ada.Clone()
	two := ada.EntryAs("go", entryOf("two", func(v *body.Entry) {
		v.Supersedes, v.Reuses, v.Tags, v.Price = one.ID, []change.ID{one.ID}, []string{"storage"}, 7
	}))
	space := ada.ID.Space()
	edit := ada.Edit(space, "page", worldtest.Chunk(ada.Actor(space, "page"), 1, 1, nil, "bio", "x"))
	v := fold.New(w.Net)
	for _, m := range w.Verify(bind, one, two, twin.Entry("go", "right"), ada.Retract(two.ID), edit) {
		v.Apply(m.Change())
	}
	manifest, err := body.Manifest{Bootstrap: []string{"/ip4/192.0.2.1"}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	v.Apply(change.Seal(change.Draft{Net: w.Net, Space: change.SpaceNet, Kind: change.KindManifest, HLC: 1, Seq: 1, Body: manifest}, ada.Key))
	return w, v.AppendCheckpoint(nil)
}

// resealed is a checkpoint whose checksum is right again.
func resealed(b []byte) []byte {
	if len(b) < sha256.Size {
		return b
	}
	payload := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(payload)
	return append(slices.Clone(payload), sum[:]...)
}

func TestDamagedCheckpointIsRefused(t *testing.T) {
	t.Parallel()
	w, good := full(t)
	if _, err := fold.Load(w.Net, good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 4
		if _, err := fold.Load(w.Net, bad); !errors.Is(err, fold.ErrCheckpoint) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := fold.Load(w.Net, good[:i]); !errors.Is(err, fold.ErrCheckpoint) {
			t.Fatalf("%d bytes: %v", i, err)
		}
	}
	if _, err := fold.Load(w.Net, resealed(append(slices.Clone(good), 0))); !errors.Is(err, fold.ErrCheckpoint) {
		t.Errorf("trailing byte: %v", err)
	}
	other := w.Net
	other[0] ^= 1
	if _, err := fold.Load(other, good); !errors.Is(err, fold.ErrCheckpoint) {
		t.Errorf("another network: %v", err)
	}
}

func TestManifestOutlivesACheckpoint(t *testing.T) {
	t.Parallel()
	w, raw := full(t)
	v, err := fold.Load(w.Net, raw)
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := v.Manifest(); !ok || len(m.Bootstrap) != 1 {
		t.Errorf("manifest %+v, %t", m, ok)
	}
}

// FuzzLoad forges checkpoints with a right checksum: whatever loads can be
// read, written and changed without a panic.
func FuzzLoad(f *testing.F) {
	w, good := full(f)
	f.Add(good)
	f.Add(fold.New(w.Net).AppendCheckpoint(nil))
	ada := w.Agent("eve")
	bind, entry := ada.Bind(), ada.Entry("go", "after the checkpoint")
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := fold.Load(w.Net, resealed(b))
		if err != nil {
			if !errors.Is(err, fold.ErrCheckpoint) {
				t.Errorf("%v", err)
			}
			return
		}
		v.Rows()
		v.Hash()
		v.Agents()
		v.Domains()
		v.Manifest()
		apply(v, bind, entry, ada.Retract(entry.ID))
		var shown []change.ID
		v.Newest(fold.Filter{Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
			shown = append(shown, e.ID)
			return true
		})
		for _, id := range shown {
			v.Withdraw(&change.Change{ID: id, Head: &change.Head{Kind: change.KindEntryPut}})
		}
		if _, left, _ := v.Counts(); left != 0 {
			t.Errorf("%d entries are left when all are withdrawn", left)
		}
		if _, err := fold.Load(w.Net, v.AppendCheckpoint(nil)); err != nil {
			t.Errorf("what was loaded is written as something else: %v", err)
		}
	})
}
