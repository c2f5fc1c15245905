package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
)

// crowd is every change of all scenes of rights, right ones and wrong ones, each
// once, with what they rest on.
func crowd(t *testing.T) (change.Genesis, []*change.Change) {
	t.Helper()
	var all []*change.Change
	var genesis change.Genesis
	seen := map[string]bool{}
	for _, s := range []*scene{rotations(t), devices(t), roles(t)} {
		genesis = s.w.Genesis
		for _, v := range s.out {
			for _, in := range append(slices.Clone(v.In.Past), v.In.Change) {
				c, err := in.Decode()
				if err != nil {
					t.Fatal(err)
				}
				if key := keyOf(c); !seen[key] {
					seen[key] = true
					all = append(all, c)
				}
			}
		}
	}
	return genesis, all
}

// keyOf distinguishes copies of a change that differ in a signature or a body.
func keyOf(c *change.Change) string { return string(c.RawHead) + fmt.Sprint(c.IsStub()) }

// deliver gives changes to a judge in their order, again and again until nothing
// new becomes a member, and returns the last word on each.
func deliver(t fataler, j *rules.Judge, cs []*change.Change, proven map[string]rules.Evidence) map[string]string {
	t.Helper()
	known, verdicts := log{}, map[string]string{}
	for progress := true; progress; {
		progress = false
		for _, c := range cs {
			key := keyOf(c)
			if v := verdicts[key]; v != "" && v != string(reason.MissingDeps) {
				continue
			}
			v, err := j.Check(c, proven[key], known)
			switch code := reason.Of(err); {
			case code == reason.Internal:
				t.Fatalf("%s: %v", c.Head.Kind, err)
			case code != "":
				verdicts[key] = string(code)
			default:
				if have := known[c.ID]; have == nil || have.IsStub() {
					known[c.ID] = v.Change()
				}
				verdicts[key] = "member " + v.Set() + " " + string(v.Row())
				progress = true
			}
		}
	}
	return verdicts
}

// fataler is what tests and properties share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// In whatever order changes come, and whatever the judge was asked before, each
// is judged alike once its past is here.
func TestOrderOfArrivalDecidesNothing(t *testing.T) {
	t.Parallel()
	genesis, cs := crowd(t)
	fresh := func() *rules.Judge {
		j, err := rules.NewJudge(genesis)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	proven := map[string]rules.Evidence{}
	for _, c := range cs {
		proven[keyOf(c)] = rules.Authenticate([]*change.Change{c})[0]
	}
	want := deliver(t, fresh(), cs, proven)
	used := fresh()
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation(cs).Draw(t, "order")
		j := used
		if rapid.Bool().Draw(t, "fresh") {
			j = fresh()
		}
		got := deliver(t, j, order, proven)
		for key, w := range want {
			if got[key] != w {
				t.Fatalf("a change is %q in one order and %q in another", w, got[key])
			}
		}
	})
}

// The answer about a change with nothing but its own past is that of a node that
// contains much more.
func TestOnlyThePastCounts(t *testing.T) {
	t.Parallel()
	for _, s := range []*scene{rotations(t), devices(t), roles(t)} {
		for _, v := range s.out {
			c, err := v.In.Change.Decode()
			if err != nil {
				t.Fatal(err)
			}
			_, err = check(s.w.Judge, s.w, vectortest.Of(c))
			if code := reason.Of(err); code != v.Code {
				t.Errorf("%s: %v", v.Name, err)
			}
		}
	}
}

// A fault of the past is never a refusal, and never a verdict, wherever it strikes.
func TestFaultOfThePastIsNoVerdict(t *testing.T) {
	t.Parallel()
	fault := errors.New("disk")
	for _, s := range []*scene{rotations(t), devices(t), roles(t)} {
		for _, v := range s.out {
			c, err := v.In.Change.Decode()
			if err != nil {
				t.Fatal(err)
			}
			for n := 0; ; n++ {
				j, err := rules.NewJudge(s.w.Genesis)
				if err != nil {
					t.Fatal(err)
				}
				past := &brokenPast{s.w, n, fault}
				_, err = check(j, past, vectortest.Of(c))
				if past.left >= 0 {
					break // it never came to the fault
				}
				if !errors.Is(err, fault) {
					t.Errorf("%s: fault at read %d: %v", v.Name, n, err)
				}
			}
		}
	}
}
