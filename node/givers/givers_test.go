package givers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var noon = time.Unix(1767225600, 0).UTC()

func open(t *testing.T, path string, last uint64) *Book {
	t.Helper()
	b, err := Open(path, last)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *Book) want(t *testing.T, seq uint64, giver string, known bool) {
	t.Helper()
	if got, _, ok := b.Of(seq); got != giver || ok != known {
		t.Errorf("change %d came from %q, known %v; want %q, %v", seq, got, ok, giver, known)
	}
}

// The giver of each change is known again after a restart, and what the file says
// of a log that is gone is not.
func TestGiversOutliveARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "givers")
	b := open(t, path, 0)
	for seq, giver := range []string{4: "ada", 5: "ada", 6: "", 7: "bo", 8: "ada"} {
		if seq >= 4 {
			b.Note(uint64(seq), giver, noon)
		}
	}
	b.Note(9, "ada", noon.Add(10*time.Minute))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = open(t, path, 9)
	for seq, giver := range map[uint64]string{4: "ada", 5: "ada", 6: "", 7: "bo", 8: "ada", 9: "ada", 12: "ada"} {
		b.want(t, seq, giver, true)
	}
	b.want(t, 3, "", false)
	if _, at, _ := b.Of(8); !at.Equal(noon) {
		t.Errorf("the eighth came at %v", at)
	}
	if _, at, _ := b.Of(9); !at.Equal(noon.Add(10 * time.Minute)) {
		t.Errorf("the ninth came at %v", at)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = open(t, path, 5) // a log that lost its end, and will number other changes anew
	b.Note(6, "cy", noon)
	b.want(t, 6, "cy", true)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// A crash cuts the file anywhere: what stands before the cut is true.
func TestCutBookIsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "givers")
	b := open(t, path, 0)
	for seq := uint64(1); seq <= 20; seq++ {
		b.Note(seq, fmt.Sprint("peer", seq%3), noon)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		b := open(t, path, 20)
		for _, r := range b.runs {
			b.want(t, r.seq, fmt.Sprint("peer", r.seq%3), true)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBookIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "givers")
	b := open(t, path, 0)
	const n = maxRuns + 100
	for seq := uint64(1); seq <= n; seq++ {
		b.Note(seq, fmt.Sprint("peer", seq), noon) // the worst: a giver of its own for each
	}
	if len(b.runs) > maxRuns || len(b.names) > maxRuns {
		t.Errorf("%d runs of %d givers", len(b.runs), len(b.names))
	}
	b.want(t, 1, "", false)
	b.want(t, n, fmt.Sprint("peer", n), true)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = open(t, path, n)
	b.want(t, n-5, fmt.Sprint("peer", n-5), true)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}
