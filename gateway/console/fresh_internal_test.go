package console

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/console/session"
)

// TestActsThatAskForAFreshCode: such a row is not run without one, leads to the page that
// takes it, and runs once for each.
func TestActsThatAskForAFreshCode(t *testing.T) {
	t.Parallel()
	c := &Console{sessions: session.New(time.Now)}
	code, _ := c.Code(session.SignIn)
	path, cookie, err := c.sessions.Open(code, "")
	if err != nil {
		t.Fatal(err)
	}
	mine, _ := c.sessions.Find(path, []string{cookie}, false)
	ran := 0
	row := post("/keys/export", "/keys", func(*visit) (answer, error) {
		ran++
		return to("/keys", ""), nil
	})
	row.fresh = true
	act := func() string {
		t.Helper()
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/keys/export", strings.NewReader(""))
		v := &visit{Request: r, w: w, session: mine, base: Root + "/~x"}
		c.page(row).ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitMark{}, v)))
		return w.Header().Get("Location")
	}
	for round := range 2 {
		if at := act(); ran != round || at != Root+"/~x/confirm?next=%2Fkeys" {
			t.Fatalf("round %d: ran %d times, then %s", round, ran, at)
		}
		confirms, _ := c.Code(session.Confirm)
		if err := c.sessions.Refresh(mine.ID, confirms); err != nil {
			t.Fatal(err)
		}
		if at := act(); ran != round+1 || at != Root+"/~x/keys" {
			t.Fatalf("round %d: ran %d times, then %s", round, ran, at)
		}
	}
}
