package rest_test

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestDeadlineReachesTheGate: a verdict for which there was no time is no verdict.
func TestDeadlineReachesTheGate(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	r := httptest.NewRequestWithContext(overdue{t.Context()}, "POST", "/api/mesh/contribute/check", strings.NewReader(encode(t, contribution("in no time"))))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+w.keys["ada"])
	r.Host = "127.0.0.1"
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	if rec.Code != 504 || !strings.Contains(rec.Body.String(), `"code":"timeout"`) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}
