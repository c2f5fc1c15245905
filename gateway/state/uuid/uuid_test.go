package uuid_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/state/uuid"
)

func TestIDsRise(t *testing.T) {
	t.Parallel()
	g := uuid.New(rand.Reader)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	last := ""
	// More than the counter of one millisecond takes, then a step back.
	for i := range 5000 {
		at := now
		if i > 4500 {
			at = now.Add(-time.Hour)
		}
		id, err := g.V7(at)
		if err != nil {
			t.Fatal(err)
		}
		if id <= last || len(id) != 36 || id[14] != '7' || !strings.ContainsRune("89ab", rune(id[19])) {
			t.Fatalf("id %d is %s after %s", i, id, last)
		}
		last = id
	}
	if id, err := g.V4(); err != nil || len(id) != 36 || id[14] != '4' || !strings.ContainsRune("89ab", rune(id[19])) {
		t.Fatalf("id %s, %v", id, err)
	}
	short := uuid.New(strings.NewReader("short"))
	if _, err := short.V4(); err == nil {
		t.Fatal("an id without randomness")
	}
}
