package clock_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/clock"
)

const quarter = 15 * 60 * 1000 // milliseconds

// The vectors are worked out by hand and never written by this program.
func TestVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../testdata/vectors/hlc/next.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name string
		In   struct {
			Now  int64
			Past []uint64
		}
		Out uint64
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vectors {
		if got := clock.Next(v.In.Now, v.In.Past...); got != v.Out {
			t.Errorf("%s: got %d, want %d", v.Name, got, v.Out)
		}
	}
}

func TestAheadVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../testdata/vectors/hlc/ahead.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name string
		In   struct {
			HLC uint64
			Now int64
		}
		Out bool
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vectors {
		if got := clock.Ahead(v.In.HLC, v.In.Now, quarter); got != v.Out {
			t.Errorf("%s: got %t", v.Name, got)
		}
	}
}

func TestNextLiesAboveItsPastAndTheWallClock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64Range(0, clock.Max/clock.Tick).Draw(t, "now")
		past := rapid.SliceOfN(rapid.Uint64Range(0, clock.Max-1), 0, 14).Draw(t, "past")
		got := clock.Next(now, past...)
		least := uint64(now) * clock.Tick
		for _, p := range past {
			least = max(least, p+1)
		}
		if got != least {
			t.Fatalf("got %d, want %d", got, least)
		}
		if got > clock.Max {
			t.Fatalf("%d does not fit a change", got)
		}
	})
}

func TestMillisIsWhatWentIn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, clock.Max/clock.Tick).Draw(t, "ms")
		counter := rapid.Uint64Range(0, clock.Tick-1).Draw(t, "counter")
		if got := clock.Millis(clock.FromMillis(ms) + counter); got != ms {
			t.Fatalf("got %d, want %d", got, ms)
		}
	})
}

func TestExtremes(t *testing.T) {
	t.Parallel()
	if got := clock.Next(math.MinInt64); got != 0 {
		t.Errorf("before 1970: %d", got)
	}
	if got := clock.Next(math.MaxInt64); got != clock.Max+1 {
		t.Errorf("after 2248: %d, want just above Max", got)
	}
}
