package block_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/meshd/meshd/node/block"
)

// What was blocked is blocked after a restart, and one rule takes the place of an
// older one.
func TestBlocksOutliveARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "blocks")
	b, err := block.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(b.Put(block.Rule{Kind: block.Peer, ID: "12D3"}), b.Put(block.Rule{Kind: block.Agent, ID: "agt_1"}),
		b.Put(block.Rule{Kind: block.Agent, ID: "agt_1", Why: "spam"}), b.Put(block.Rule{Kind: block.Domain, ID: "go"}), b.Follow("did:key:z6Mk", true))
	if _, ok, err := b.Drop(block.Domain, "go"); !ok || err != nil {
		t.Errorf("dropped: %v, %v", ok, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if b, err = block.Open(path); err != nil {
		t.Fatal(err)
	}
	if r := b.Rules(); len(r) != 2 || r[0].Why != "spam" || !b.Has(block.Peer, "12D3") || b.Has(block.Domain, "go") || b.Any(block.Domain) || !b.Any(block.Agent) {
		t.Errorf("read again: %+v", r)
	}
	if err := b.Follow("did:key:other", false); err != nil || !slices.Equal(b.Follows(), []string{"did:key:z6Mk"}) {
		t.Errorf("followed: %v, %v", b.Follows(), err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := block.Open(path); err == nil {
		t.Error("a damaged list is read as an empty one, which blocks nobody")
	}
}

func TestBlocksAreBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "blocks")
	text := []byte(`{"rules":[`)
	for i := range 10_000 {
		text = fmt.Appendf(text, `{"kind":"domain","id":"d%d"},`, i)
	}
	if err := os.WriteFile(path, append(text[:len(text)-1], `]}`...), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := block.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Put(block.Rule{Kind: block.Domain, ID: "one more"}); !errors.Is(err, block.ErrFull) {
		t.Errorf("one rule more: %v", err)
	}
	if err := b.Put(block.Rule{Kind: block.Domain, ID: "d1", Why: "again"}); err != nil {
		t.Errorf("a rule that is there: %v", err)
	}
}
