package worldtest_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

func TestChunksHaveEffect(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	ada := w.Agent("ada")
	bind := ada.Bind()
	space := ada.ID.Space()
	one := worldtest.Chunk(ada.Actor(space, "page"), 1, 1, nil, "bio", "I am Ada.")
	first, err := doc.DecodeChunk(one)
	if err != nil {
		t.Fatal(err)
	}
	two := worldtest.Chunk(ada.Actor(space, "page"), 2, 2, [][32]byte{first.Hash}, "theme", "")
	second, err := doc.DecodeChunk(two)
	if err != nil {
		t.Fatal(err)
	}
	cs := []*change.Change{bind, ada.Edit(space, "page", one), ada.Edit(space, "page", two)}
	for i, v := range w.Verify(cs...) {
		if v.Row() != "" {
			t.Errorf("change %d: body fails its row: %s", i, v.Row())
		}
	}
	ordered, heads, waiting := doc.Order([]doc.Edit{{HLC: 2, Chunk: second}, {HLC: 1, Chunk: first}})
	if len(ordered) != 2 || len(waiting) != 0 || len(heads) != 1 || heads[0] != second.Hash {
		t.Errorf("%d edits have effect, heads %x", len(ordered), heads)
	}
}
