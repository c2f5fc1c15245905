package statetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

// ReplaySuite runs the contract of the store of used tokens, as Suite does the
// rest.
func ReplaySuite(t *testing.T, open func(testing.TB) *state.DB) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, *state.DB)
	}{
		{"TokenActsOnce", testTokenActsOnce},
		{"ConcurrentUsesHaveOneWinner", testTokenRace},
		{"UsedTokenIsForgottenAfterItsEnd", testTokenSwept},
		{"TermIsChecked", testTokenTerm},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, open(t))
		})
	}
}

func testTokenActsOnce(t *testing.T, db *state.DB) {
	end := Start.Add(time.Hour)
	must(t, db.UseToken(t.Context(), "nnc ada 1", end, Start))
	must(t, db.UseToken(t.Context(), "nnc ada 2", end, Start))
	must(t, db.UseToken(t.Context(), "nnc bob 1", end, Start))
	refused(t, db.UseToken(t.Context(), "nnc ada 1", end, Start), reason.TokenReplayed)
	refused(t, db.UseToken(t.Context(), "nnc ada 1", end, end), reason.TokenReplayed) // its last moment
}

func testTokenRace(t *testing.T, db *state.DB) {
	codes := race(16, func(int) error { return db.UseToken(t.Context(), "nnc ada 1", Start.Add(time.Hour), Start) })
	if codes[""] != 1 || codes[reason.TokenReplayed] != 15 {
		t.Errorf("codes %v", codes)
	}
}

func testTokenSwept(t *testing.T, db *state.DB) {
	for i := range 3 {
		must(t, db.UseToken(t.Context(), fmt.Sprint("nnc ada ", i), Start.Add(time.Duration(i)*time.Hour), Start))
	}
	swept, err := db.Sweep(t.Context(), Start.Add(90*time.Minute))
	must(t, err)
	if swept.Rows != 2 {
		t.Errorf("%d rows were swept", swept.Rows)
	}
	refused(t, db.UseToken(t.Context(), "nnc ada 2", Start.Add(2*time.Hour), Start.Add(90*time.Minute)), reason.TokenReplayed)
	// A row past its time that nobody swept yet is no use of another token.
	must(t, db.UseToken(t.Context(), "nnc ada 2", Start.Add(9*time.Hour), Start.Add(8*time.Hour)))
	refused(t, db.UseToken(t.Context(), "nnc ada 2", Start.Add(9*time.Hour), Start.Add(8*time.Hour)), reason.TokenReplayed)
}

func testTokenTerm(t *testing.T, db *state.DB) {
	for _, c := range []struct {
		key string
		end time.Time
		ok  bool
	}{
		{"a", Start, true},
		{"b", Start.Add(state.MaxTokenTerm), true},
		{"c", Start.Add(-time.Second), false},
		{"d", Start.Add(state.MaxTokenTerm + time.Second), false},
		{"", Start.Add(time.Hour), false},
	} {
		if err := db.UseToken(t.Context(), c.key, c.end, Start); (err == nil) != c.ok {
			t.Errorf("%q until %s: %v", c.key, c.end, err)
		}
	}
}
