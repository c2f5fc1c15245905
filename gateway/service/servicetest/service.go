package servicetest

import (
	"bytes"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/statetest"
)

// OpenState opens a database of its own for a test.
func OpenState(t testing.TB) *state.DB {
	t.Helper()
	return statetest.Open(t)
}

// OpenStateIn is OpenState in a folder that the test looks into.
func OpenStateIn(t testing.TB, dir string) *state.DB {
	t.Helper()
	return statetest.OpenIn(t, dir)
}

// NewService returns the use cases over m and db.
func NewService(t testing.TB, m *Mesh, db *state.DB, limits limit.Config, baseURL string, tools []string, now func() time.Time) *service.Service {
	t.Helper()
	return NewServiceWith(t, m, db, limits, service.Config{Version: "1.2.3", Tools: tools, BaseURL: func() string { return baseURL }, Now: now})
}

// NewServiceWith returns the use cases over m and db as cfg says.
func NewServiceWith(t testing.TB, m *Mesh, db *state.DB, limits limit.Config, cfg service.Config) *service.Service {
	t.Helper()
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	if err != nil {
		t.Fatal(err)
	}
	l, err := limit.New(limits)
	if err != nil {
		t.Fatal(err)
	}
	s, err := service.New(m, db, cursors, l, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
