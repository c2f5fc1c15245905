package state_test

import (
	"testing"

	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/statetest"
)

func TestSQLiteKeepsUsedTokens(t *testing.T) {
	t.Parallel()
	statetest.ReplaySuite(t, func(t testing.TB) *state.DB {
		db, _ := openTemp(t)
		return db
	})
}
