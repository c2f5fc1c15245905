package change_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// BenchmarkControl seals and verifies a control change by an Ed25519 key, and by one that
// has an ML-DSA-65 half too.
func BenchmarkControl(b *testing.B) {
	pair := keys.NewHybridSigner(keys.FromSeed([32]byte{1}), [32]byte{2})
	single := keys.FromSeed([32]byte{1})
	d := change.Draft{Space: "agent/x", Kind: change.KindRevoke, Body: make([]byte, 400), HLC: 1 << 40, Seq: 2, Prev: change.ID{1}, Proof: []change.ID{{2}}}
	plain := change.Seal(d, single)
	both, err := change.SealHybrid(d, pair)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("seal/ed25519", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			change.Seal(d, single)
		}
	})
	b.Run("seal/"+keys.SchemeHybrid, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := change.SealHybrid(d, pair); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("verify/ed25519", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !keys.Verify(plain.Head.Author, plain.ID.Preimage(), plain.Head.Sig[:]) {
				b.Fatal("it does not verify")
			}
		}
	})
	b.Run("verify/"+keys.SchemeHybrid, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !keys.VerifyHybrid(pair.Key(), change.HybridPurpose, both.Head.Unsigned(), both.Head.Sig[:], both.Head.Sig2) {
				b.Fatal("it does not verify")
			}
		}
	})
	b.Run("unlock/"+keys.SchemeHybrid, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			keys.NewHybridSigner(single, [32]byte{2})
		}
	})
}
