package v0_test

import (
	"testing"

	"github.com/meshd/meshd/identity/ucan/v0"
)

// A chain of three links, verified from its text without anything remembered:
// the aim is under a millisecond.
func BenchmarkVerifyCold(b *testing.B) {
	raws := chain(b, 3)
	find := bag(raws...).Find
	for b.Loop() {
		if r := v0.Verify(raws[3], v0.Check{Proofs: find}); !r.Valid() {
			b.Fatal(r.Findings)
		}
	}
}

// The same with a memo that has seen it: the aim is under 20 microseconds.
func BenchmarkVerifyRemembered(b *testing.B) {
	raws := chain(b, 3)
	check := v0.Check{Proofs: bag(raws...).Find, Memo: v0.NewMemo(16)}
	for b.Loop() {
		if r := v0.Verify(raws[3], check); !r.Valid() {
			b.Fatal(r.Findings)
		}
	}
}
