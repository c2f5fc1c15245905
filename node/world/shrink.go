package world

import (
	"fmt"
	"slices"
	"time"
)

// shrinkRuns bounds how many worlds Shrink runs.
const shrinkRuns = 40

// Shrink looks for a smaller world that fails by the same rule as s did: fewer
// rounds, liars, faults, machines and acts, in this order. run runs a world; report is
// called with each that still fails. The order of goroutines is not part of a world, so
// a world that fails rarely shrinks little.
func Shrink(s Spec, rule string, run func(Spec) Result, report func(Spec)) Spec {
	left := shrinkRuns
	fails := func(t Spec) bool {
		if left == 0 {
			return false
		}
		left--
		r := run(t)
		if r.Rule() != rule {
			return false
		}
		report(t)
		return true
	}
	plan := NewPlan(s)
	for r := 1; r < plan.rounds; r++ {
		t := s
		t.Rounds = r
		if fails(t) {
			s = t
			break
		}
	}
	if t := s; t.Liars > 0 {
		t.Liars = 0
		if fails(t) {
			s = t
		}
	}
	s.Faults = numbers(NewPlan(s))
	for half := len(s.Faults) / 2; half > 0; half /= 2 {
		for i := 0; i+half <= len(s.Faults); {
			t := s
			t.Faults = slices.Delete(slices.Clone(s.Faults), i, i+half)
			if fails(t) {
				s = t
			} else {
				i += half
			}
		}
	}
	for i := s.Nodes - 1; i > 0 && s.Nodes-len(s.Off) > 2; i-- {
		t := s
		t.Off = append(slices.Clone(s.Off), i)
		if fails(t) {
			s = t
		}
	}
	for t := s; ; s = t {
		t.Thin = max(2, 2*s.Thin)
		if t.Thin > 64 || !fails(t) {
			return s
		}
	}
}

// numbers are those of the faults that happen in a plan.
func numbers(p Plan) []int {
	out := []int{}
	for _, f := range p.Broken {
		if f.At < time.Duration(p.rounds)*p.length {
			out = append(out, f.Number)
		}
	}
	slices.Sort(out)
	return out
}

// Report is what a person reads of a failed world.
func (r Result) Report() string {
	return fmt.Sprintf("%v\nreplay: make world SEEDS=%v", r.Violations[0], r.Plan.Spec)
}
