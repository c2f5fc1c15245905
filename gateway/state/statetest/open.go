package statetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/gateway/state"
)

// Open opens a database of its own for a test.
func Open(t testing.TB) *state.DB {
	t.Helper()
	return OpenIn(t, t.TempDir())
}

// OpenIn is Open in a folder that the test looks into.
func OpenIn(t testing.TB, dir string) *state.DB {
	t.Helper()
	db, err := state.Open(t.Context(), filepath.Join(dir, "state.db"), state.Config{Pepper: bytes.Repeat([]byte{9}, 32), Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return db
}
