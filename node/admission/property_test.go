package admission_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/node/admission"
)

// TestStrangersChangeNothingForOthers: whatever strangers write, what becomes of
// everybody else's changes is what would become of them without strangers.
func TestStrangersChangeNothingForOthers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := admission.Config{AuthorPerMinute: 2, TreePerMinute: 3, GuildPerMinute: 3, HomePerMinute: 3, StrangersPerMinute: 1, AuthorBodies: 60, TreeBodies: 90, MaxHeld: 1600}
		now := time.Unix(1_800_000_000, 0)
		cfg.Now = func() time.Time { return now }
		crowded, calm := mustDesk(t, cfg), mustDesk(t, cfg)
		honest := func(of []admission.Change) (out []admission.ID) {
			for _, c := range of {
				if !c.Stranger {
					out = append(out, c.ID)
				}
			}
			return out
		}
		made := byte(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 50).Draw(t, "seconds")) * time.Second)
			for range rapid.IntRange(0, 60).Draw(t, "spam") {
				c := admission.Change{Author: fmt.Sprint("stranger ", rapid.IntRange(0, 50).Draw(t, "key")), Newborn: true, Stranger: true, Bytes: 10}
				c.ID[0], c.ID[1], c.ID[2] = 1, made, byte(rapid.IntRange(0, 255).Draw(t, "id"))
				crowded.Judge(c)
			}
			for range rapid.IntRange(0, 8).Draw(t, "honest") {
				made++
				c := admission.Change{Author: rapid.SampledFrom([]string{"ada", "bo", "cy"}).Draw(t, "author"), Bytes: rapid.IntRange(1, 100).Draw(t, "bytes")}
				c.ID[1] = made
				c.Tree = rapid.SampledFrom([]string{"", "t"}).Draw(t, "tree")
				c.Guild = rapid.SampledFrom([]string{"", "g"}).Draw(t, "guild")
				c.Home = rapid.SampledFrom([]string{"", "h"}).Draw(t, "home")
				c.Control = rapid.Bool().Draw(t, "control")
				got, want := crowded.Judge(c), calm.Judge(c)
				if got != want {
					t.Fatalf("%+v: %v with strangers, %v without", c, got, want)
				}
				if c.Control && got.Verdict == admission.Stub {
					t.Fatal("a control kind became a stub")
				}
			}
			if got, want := honest(crowded.Release(1e6)), honest(calm.Release(1e6)); !slices.Equal(got, want) {
				t.Fatalf("released %v with strangers, %v without", got, want)
			}
		}
	})
}

// TestNoAuthorGetsMoreThanItsRate: in no span of time are more of an author's
// changes shown than its burst and its rate allow, however they arrive, and all
// that are held are shown once, in order, in the end.
func TestNoAuthorGetsMoreThanItsRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(1_800_000_000, 0)
		d := mustDesk(t, admission.Config{AuthorPerMinute: 6, Now: func() time.Time { return now }})
		var shown []time.Time // a list of times is the reference
		var queue []admission.ID
		show := func() {
			shown = append(shown, now)
			for i, at := range shown {
				if n := len(shown) - i; float64(n) > 60+now.Sub(at).Seconds()*6/60+1 {
					t.Fatalf("%d shown in %v", n, now.Sub(at))
				}
			}
		}
		release := func() {
			for _, c := range d.Release(1e6) {
				if len(queue) == 0 || queue[0] != c.ID {
					t.Fatal("released out of order, or twice")
				}
				queue = queue[1:]
				show()
			}
		}
		made := uint16(0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 55).Draw(t, "seconds")) * time.Second)
			for range rapid.IntRange(0, 30).Draw(t, "changes") {
				made++
				c := admission.Change{Author: "ada", ID: admission.ID{byte(made >> 8), byte(made)}, Bytes: 1}
				switch d.Judge(c).Verdict {
				case admission.Take:
					show()
				case admission.Hold:
					queue = append(queue, c.ID)
				default:
					t.Fatal("a stub below every quota")
				}
			}
			release()
		}
		for range 400 {
			now = now.Add(50 * time.Second)
			release()
		}
		if len(queue) != 0 || d.Waiting() != 0 {
			t.Fatalf("%d are never shown", len(queue))
		}
	})
}

func mustDesk(t rapid.TB, cfg admission.Config) *admission.Desk {
	t.Helper()
	d, err := admission.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
