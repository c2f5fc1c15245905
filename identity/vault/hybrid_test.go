package vault

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHybridIsBothOrNone makes, passes on and reopens a key of two halves; what fails
// leaves neither half.
func TestHybridIsBothOrNone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	v := open(t, dir, cheap("a"))
	info, err := v.CreateHybrid("acting", Agent)
	if err != nil || info.Kind != Agent || info.Name != "acting" {
		t.Fatalf("create: %+v %v", info, err)
	}
	h, err := open(t, dir, cheap("a")).Hybrid("acting")
	if err != nil || h.Key().Key.String() != info.Public {
		t.Fatalf("reopened: %v %v", h, err)
	}
	_, first, _ := v.Export("acting")
	_, second, err := v.Export(SecondName("acting"))
	if err != nil || first == second {
		t.Fatalf("the halves have one seed, or there is no second: %v", err)
	}
	if _, err := v.ImportHybrid("copy", Device, first, second); err != nil {
		t.Fatal(err)
	}
	if c, err := v.Hybrid("copy"); err != nil || !bytes.Equal(c.Key().PQ, h.Key().PQ) || c.Key().Key != h.Key().Key {
		t.Fatalf("a copy is another key: %v", err)
	}

	create(t, v, "plain", Agent)
	if _, err := v.Hybrid("plain"); !errors.Is(err, ErrNotFound) {
		t.Fatalf("a plain key as hybrid: %v", err)
	}
	if _, err := v.CreateHybrid("plain", Agent); !errors.Is(err, ErrExists) {
		t.Fatalf("over a plain key: %v", err)
	}
	if _, err := os.Stat(v.path(SecondName("plain"))); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("what failed left a second half: %v", err)
	}
	// A crash between the halves leaves the second one; the import is done again.
	if _, err := v.Import(SecondName("again"), PQ, second); err != nil {
		t.Fatal(err)
	}
	if _, err := v.ImportHybrid("again", Agent, first, second); err != nil {
		t.Fatalf("the same again: %v", err)
	}
	if err := v.Delete("again"); err != nil {
		t.Fatal(err)
	}
	if _, err := v.ImportHybrid("again", Agent, first, first); !errors.Is(err, ErrExists) {
		t.Fatalf("another second half: %v", err)
	}
	if _, err := v.Hybrid("again"); !errors.Is(err, ErrNotFound) {
		t.Fatalf("what failed left a first half: %v", err)
	}
	if _, err := v.CreateHybrid("w", Wallet); !errors.Is(err, ErrKind) {
		t.Fatalf("a wallet with a second half: %v", err)
	}
	if _, err := v.CreateHybrid(strings.Repeat("a", maxName-1), Agent); !errors.Is(err, ErrName) {
		t.Fatalf("a name without room for the second half: %v", err)
	}
	create(t, v, SecondName("odd"), Agent)
	create(t, v, "odd", Agent)
	if _, err := v.Hybrid("odd"); !errors.Is(err, ErrKind) {
		t.Fatalf("an Ed25519 key as second half: %v", err)
	}
}
