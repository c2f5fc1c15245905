package v0_test

import (
	"testing"

	"github.com/meshd/meshd/identity/ucan"
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

// A refused token costs no more than a valid one: a chain of 64 links, one that is
// wider than its proof, and one past its end, from their texts.
func BenchmarkRefuse(b *testing.B) {
	deep := chain(b, 64)
	wide := give(b, root, bob, rights([]v0.Cap{right(page, "doc/edit")}))
	for name, c := range map[string]struct {
		raw   string
		check v0.Check
	}{
		"deep=64": {last(deep), v0.Check{Now: now, Proofs: bag(deep...).Find}},
		"widened": {give(b, bob, carol, rights([]v0.Cap{right(page, "*")}, ucan.CID(wide))), v0.Check{Now: now, Proofs: bag(wide).Find}},
		"expired": {give(b, root, bob, v0.Draft{Caps: []v0.Cap{right(page, "*")}, Expires: at(now - 1)}), v0.Check{Now: now}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if r := v0.Verify(c.raw, c.check); r.Valid() {
					b.Fatal("it holds")
				}
			}
		})
	}
}
