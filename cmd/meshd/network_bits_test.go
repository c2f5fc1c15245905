package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

// A network that somebody begins requires 18 bits of proof of work of each new agent.
func TestNewNetworkAsksForProofOfWork(t *testing.T) {
	t.Parallel()
	n := newNode(t, "fresh")
	text, err := os.ReadFile(filepath.Join(filepath.Dir(n.program), "home", "network"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := change.ParseNetworkFile(string(text))
	if err != nil || f.Genesis.Bits != 18 || f.Genesis.Name != "fresh" {
		t.Errorf("%+v, %v", f.Genesis, err)
	}
}
