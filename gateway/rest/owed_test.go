package rest_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/node"
)

// exec runs a statement in the file of the state.
func (w *world) exec(statement string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "state.db"))
	must(w.t, err)
	_, err = db.ExecContext(w.t.Context(), statement)
	must(w.t, errors.Join(err, db.Close()))
}

// TestSaleNoticeIsRetried: an author is notified of a sale although the notice could not
// be kept when it was made, once, and the failures are counted.
func TestSaleNoticeIsRetried(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	path := s.sells(0.25, nil)
	s.grant("bo", 100)
	s.grant("cy", 100)
	notices := func() (n int) {
		r := s.want(s.as("ada", "GET", "/api/mesh/notifications", nil, nil), 200, "")
		return strings.Count(string(r.raw), `"kind":"sale"`)
	}
	pending := func() int {
		n, err := s.service.Owed().Pending(t.Context())
		must(t, err)
		return n
	}
	s.exec(`CREATE TRIGGER broken BEFORE INSERT ON notifications BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
	s.want(s.as("bo", "POST", path+"/buy", nil, nil), 200, "")
	if notices() != 0 || pending() != 1 || s.service.Owed().Failed() != 1 {
		t.Fatalf("%d notices, %d pending, %d failed", notices(), pending(), s.service.Owed().Failed())
	}
	must(t, s.service.Housekeeping(t.Context())) // its time has not come
	if s.service.Owed().Failed() != 1 {
		t.Error("it was tried before its time")
	}
	s.clock.Add(time.Minute)
	must(t, s.service.Housekeeping(t.Context()))
	if s.service.Owed().Failed() != 2 || pending() != 1 {
		t.Errorf("%d failed, %d pending", s.service.Owed().Failed(), pending())
	}
	s.exec(`DROP TRIGGER broken`)
	s.clock.Add(time.Minute) // the pause has doubled
	must(t, s.service.Housekeeping(t.Context()))
	if notices() != 0 {
		t.Error("it was tried before its time")
	}
	s.clock.Add(time.Minute)
	must(t, s.service.Housekeeping(t.Context()))
	if notices() != 1 || pending() != 0 {
		t.Errorf("%d notices, %d pending", notices(), pending())
	}
	s.want(s.as("cy", "POST", path+"/buy", nil, nil), 200, "")
	must(t, s.service.Housekeeping(t.Context()))
	if notices() != 2 || pending() != 0 || s.service.Owed().Lost() != 0 {
		t.Errorf("%d notices, %d pending", notices(), pending())
	}
	// What an earlier process has left is done, too.
	s.exec(`INSERT INTO owed SELECT 'sale', substr('` + path + `', length('/api/mesh/entry/') + 1) || '/dan', '` + s.ids["ada"] + `', 0, 0, 0, 0, ''`)
	must(t, s.service.Housekeeping(t.Context()))
	if notices() != 3 {
		t.Errorf("%d notices", notices())
	}
}

// anchors is a node whose log takes no anchors for a while.
type anchors struct {
	*node.Node
	broken atomic.Bool
}

func (a *anchors) AnchorAudit(ctx context.Context, agent change.AgentID, day, hash string) error {
	if a.broken.Load() {
		return errors.New("no space left on the device")
	}
	return a.Node.AnchorAudit(ctx, agent, day, hash)
}

// TestAuditAnchorIsRetried: the head of an audit trail gets into the log although it
// could not when records were appended, and after 30 days it is given up and counted.
func TestAuditAnchorIsRetried(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	mesh := &anchors{Node: w.node}
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	must(t, err)
	limits, err := limit.New(limit.Config{Disabled: true})
	must(t, err)
	w.service, err = service.New(mesh, w.state, cursors, limits, service.Config{Version: "1.2.3", BaseURL: func() string { return base }, Now: w.clock.Now})
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{})
	must(t, err)
	w.handler, err = rest.New(w.service, auth.New(w.state), m, rest.Config{})
	must(t, err)
	w.agent("ada")
	const path = "/api/mesh/agent/ada/audit"
	appended := func(prev any, chain string) {
		record := fields{"tick_iso": "2026-03-01T12:00:00Z", "layer_hashes": []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7"}, "operation": "tick", "prev_hash": prev, "fnv1a_chain": chain}
		if r := w.as("ada", "POST", path, fields{"record": record}, 200, ""); r["appended"] != 1.0 {
			t.Fatalf("appended %v", r)
		}
	}
	count := func() int {
		found, _ := w.as("ada", "GET", path, nil, 200, "")["anchors"].(fields)
		return len(found)
	}
	mesh.broken.Store(true)
	appended(nil, "01")
	appended("01", "02") // owed once, for the head as it stands
	pending, err := w.service.Owed().Pending(t.Context())
	must(t, err)
	if count() != 0 || pending != 1 || w.service.Owed().Failed() != 2 {
		t.Fatalf("%d anchors, %d pending, %d failed", count(), pending, w.service.Owed().Failed())
	}
	mesh.broken.Store(false)
	w.clock.Add(2 * time.Minute)
	must(t, w.service.Housekeeping(t.Context()))
	if count() != 1 {
		t.Error("the anchor is not in the log")
	}
	mesh.broken.Store(true)
	w.clock.Add(24 * time.Hour)
	appended("02", "03")
	for range 31 * 4 {
		w.clock.Add(6 * time.Hour)
		must(t, w.service.Housekeeping(t.Context()))
	}
	if pending, err = w.service.Owed().Pending(t.Context()); err != nil || pending != 0 || w.service.Owed().Lost() != 1 {
		t.Errorf("%d pending, %d lost, %v", pending, w.service.Owed().Lost(), err)
	}
}
