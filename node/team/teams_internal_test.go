package team

import (
	"testing"
	"time"

	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/node/core"
)

// A proof is shown again while it is young, by a clock that did not go back, and only
// as long as it rests on the delegation in force.
func TestProofsAreShownAgain(t *testing.T) {
	t.Parallel()
	lent, other, at := new(v1.Delegation), new(v1.Delegation), time.Unix(1_800_000_000, 0)
	s := core.ShownProof{Of: lent, At: at}
	for _, c := range []struct {
		name string
		of   *v1.Delegation
		age  time.Duration
		want bool
	}{
		{"at once", lent, 0, true},
		{"young", lent, core.ProofTerm/4 - 1, true},
		{"old", lent, core.ProofTerm / 4, false},
		{"the clock went back", lent, -1, false},
		{"another delegation", other, 0, false},
	} {
		if got := s.Usable(c.of, at.Add(c.age)); got != c.want {
			t.Errorf("%s: shown again %v", c.name, got)
		}
	}
	if (core.ShownProof{}).Usable(nil, time.Time{}.Add(time.Hour)) {
		t.Error("a proof that was never made is shown")
	}
}
