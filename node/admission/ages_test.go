package admission_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/meshd/meshd/node/admission"
)

var day0 = time.UnixMilli(1_800_000_000_000)

func TestTwoEqualPeersEndCatchingUp(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		do   func(*admission.Ages)
		done bool
	}{
		"alone":       {func(a *admission.Ages) { a.Note(day0.Add(240*time.Hour), 0) }, false},
		"never equal": {func(a *admission.Ages) { a.Peer("x", false, 0, day0, 9) }, false},
		"one peer":    {func(a *admission.Ages) { a.Peer("x", true, 0, day0, 9); a.Peer("x", true, 0, day0, 9) }, false},
		"two peers":   {func(a *admission.Ages) { a.Peer("x", true, 0, day0, 9); a.Peer("y", true, 0, day0, 9) }, true},
		"a third brings much": {func(a *admission.Ages) {
			a.Peer("liar", true, 0, day0, 9)
			a.Peer("honest", false, 500, day0, 9)
			a.Peer("accomplice", true, 0, day0, 9)
		}, false},
		"one for ten minutes":  {func(a *admission.Ages) { a.Peer("x", true, 0, day0, 9); a.Note(day0.Add(10*time.Minute), 9) }, true},
		"a day without an end": {func(a *admission.Ages) { a.Peer("x", false, 0, day0, 9); a.Note(day0.Add(24*time.Hour), 9) }, true},
	} {
		a := admission.NewAges(day0, 0)
		test.do(a)
		old := day0.Add(-time.Hour).UnixMilli()
		if a.Past(old) == test.done || a.CatchingUp() == test.done {
			t.Errorf("%s: past %v", name, a.Past(old))
		}
		if a.Past(day0.UnixMilli()) {
			t.Errorf("%s: what is written from now on is past", name)
		}
	}
	if a := admission.NewAges(day0, 100); a.Past(0) || a.Newborn(100, 0, day0) {
		t.Error("a home from before there were ages catches up again")
	}
}

func TestNewbornByWhenItCame(t *testing.T) {
	t.Parallel()
	a := admission.NewAges(day0, 0)
	a.Peer("x", true, 0, day0, 10)
	a.Peer("y", true, 0, day0, 10)
	claims := day0.AddDate(-1, 0, 0).UnixMilli()
	for h := range 50 {
		now := day0.Add(time.Duration(h) * time.Hour)
		a.Note(now, uint64(10+h))
		if h == 10 {
			b, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			a = new(admission.Ages)
			if err := json.Unmarshal(b, a); err != nil {
				t.Fatal(err)
			}
			if away := a.Away(now.Add(time.Hour)); away != time.Hour {
				t.Errorf("away %v", away)
			}
		}
		// Heard of in the fifth hour; it claims to be a year old.
		if got := a.Newborn(15, claims, now); h >= 5 && got != (h < 29) {
			t.Errorf("%d hours after: newborn %v", h-5, got)
		}
		if got := a.Newborn(9, day0.UnixMilli(), now); got != (h < 24) {
			t.Errorf("found when catching up, %d hours old: newborn %v", h, got)
		}
		if len(a.Marks) > 26 {
			t.Fatalf("%d marks", len(a.Marks))
		}
	}
}
