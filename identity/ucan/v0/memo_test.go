package v0_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// A memo makes no difference but to the time: not for good tokens, not for bad
// ones, not for proofs that are not at hand this time.
func TestMemoChangesNoAnswer(t *testing.T) {
	t.Parallel()
	raws := chain(t, 3)
	bad := []byte(raws[1])
	bad[len(bad)-3] ^= 1
	forged := give(t, who(102), who(103), rights([]v0.Cap{right(page, "*")}, ucan.CID(string(bad))))
	proofs := bag(append(raws, string(bad))...)
	memo := v0.NewMemo(100)
	wrong := func(cid string) (string, bool) { return raws[0], true }
	for range 3 {
		for _, raw := range append(raws, string(bad), forged, "x", "") {
			for _, find := range []func(string) (string, bool){proofs.Find, nil, wrong} {
				for _, now := range []int64{0, now} {
					plain := v0.Verify(raw, v0.Check{Now: now, Proofs: find})
					kept := v0.Verify(raw, v0.Check{Now: now, Proofs: find, Memo: memo})
					if fmt.Sprint(plain.Findings, plain.Authorities, plain.Missing, plain.Issuers) != fmt.Sprint(kept.Findings, kept.Authorities, kept.Missing, kept.Issuers) {
						t.Fatalf("%v without, %v with a memo", plain.Findings, kept.Findings)
					}
				}
			}
		}
	}
	if r := v0.Verify(forged, v0.Check{Proofs: proofs.Find, Memo: memo}); !r.Findings.Has(v0.InvalidSignature) {
		t.Errorf("a forged proof: %v", r.Findings)
	}
}

// A memo of one token is as good as none, and many may use one at once.
func TestMemoIsBoundedAndShared(t *testing.T) {
	t.Parallel()
	raws := chain(t, 6)
	proofs := bag(raws...)
	for _, size := range []int{-1, 1, 3, 100} {
		memo := v0.NewMemo(size)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for i := range raws {
					if r := v0.Verify(raws[i], v0.Check{Proofs: proofs.Find, Memo: memo}); !r.Valid() {
						t.Errorf("size %d: %v", size, r.Findings)
					}
				}
			})
		}
		all.Wait()
		if held := memo.Len(); held > max(size, 1) {
			t.Errorf("memo of %d holds %d", size, held)
		}
	}
}
