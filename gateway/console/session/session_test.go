package session_test

import (
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/console/session"
)

// clock is the time of a store, moved by tests.
type clock struct{ now time.Time }

func newStore() (*session.Store, *clock) {
	c := &clock{time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	return session.New(func() time.Time { return c.now }), c
}

func wantCode(t *testing.T, err error, want reason.Code) {
	t.Helper()
	if got := reason.Of(err); got != want {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestCodeWorksOnceAndInTime(t *testing.T) {
	t.Parallel()
	s, c := newStore()
	code, until := s.Code(session.SignIn)
	if len(code) != 43 || until != c.now.Add(session.CodeLife) {
		t.Errorf("%q until %v", code, until)
	}
	path, cookie, err := s.Open(" "+code+"\n", "a browser")
	if err != nil || path == cookie || len(path) != 43 || len(cookie) != 43 {
		t.Fatal(path, cookie, err)
	}
	_, _, err = s.Open(code, "")
	wantCode(t, err, reason.TokenReplayed)
	late, _ := s.Code(session.SignIn)
	c.now = c.now.Add(session.CodeLife - time.Nanosecond)
	if _, _, err = s.Open(late, ""); err != nil {
		t.Error(err)
	}
	late, _ = s.Code(session.SignIn)
	c.now = c.now.Add(session.CodeLife)
	_, _, err = s.Open(late, "")
	wantCode(t, err, reason.TokenExpired)
	for _, foreign := range []string{"", "x", path, cookie} {
		_, _, err = s.Open(foreign, "")
		wantCode(t, err, reason.InvalidToken)
	}
	other, _ := newStore()
	elsewhere, _ := other.Code(session.SignIn)
	_, _, err = s.Open(elsewhere, "")
	wantCode(t, err, reason.InvalidToken)
	confirms, _ := s.Code(session.Confirm)
	_, _, err = s.Open(confirms, "")
	wantCode(t, err, reason.InvalidToken)
}

// opened is a session with its secrets.
func opened(t *testing.T, s *session.Store) (path, cookie string, mine session.Session) {
	t.Helper()
	code, _ := s.Code(session.SignIn)
	path, cookie, err := s.Open(code, "a browser")
	if err != nil {
		t.Fatal(err)
	}
	mine, ok := s.Find(path, []string{cookie}, false)
	if !ok {
		t.Fatal("not found")
	}
	return path, cookie, mine
}

func TestBothSecretsAreNeeded(t *testing.T) {
	t.Parallel()
	s, _ := newStore()
	path, cookie, mine := opened(t, s)
	otherPath, otherCookie, other := opened(t, s)
	if mine.ID == other.ID || path == otherPath || cookie == otherCookie {
		t.Error("two sessions are one")
	}
	for _, c := range []struct {
		path    string
		cookies []string
		want    bool
	}{
		{path, []string{cookie}, true},
		{path, []string{"of another server", cookie}, true}, // which could set one for the whole host
		{path, nil, false},
		{path, []string{""}, false},
		{path, []string{path}, false},
		{path, []string{otherCookie}, false},
		{otherPath, []string{cookie}, false},
		{cookie, []string{path}, false},
		{"", []string{cookie}, false},
	} {
		if _, ok := s.Find(c.path, c.cookies, false); ok != c.want {
			t.Errorf("%q %q: %v", c.path, c.cookies, ok)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s, c := newStore()
	path, cookie, mine := opened(t, s)
	find := func(quiet bool) bool { _, ok := s.Find(path, []string{cookie}, quiet); return ok }
	if mine.Until != c.now.Add(session.Idle) {
		t.Error(mine.Until)
	}
	c.now = c.now.Add(session.Idle - time.Second)
	if !find(true) {
		t.Fatal("ended before its time")
	}
	c.now = c.now.Add(time.Second)
	if find(false) {
		t.Error("a page that looks by itself keeps a session alive")
	}
	select {
	case <-mine.Ended:
	default:
		t.Error("who follows the session is not told")
	}

	path, cookie, _ = opened(t, s)
	begun := c.now
	for c.now.Sub(begun) < session.Longest-session.Idle/2 {
		c.now = c.now.Add(session.Idle / 2)
		if want := c.now.Sub(begun) < session.Longest; find(false) != want {
			t.Fatalf("after %v: %v", c.now.Sub(begun), !want)
		}
	}
	c.now = begun.Add(session.Longest)
	if find(false) || len(s.List()) != 0 {
		t.Error("lives for ever")
	}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	s, c := newStore()
	pathA, cookieA, a := opened(t, s)
	c.now = c.now.Add(time.Minute)
	_, _, b := opened(t, s)
	list := s.List()
	if len(list) != 2 || list[0].ID != b.ID || list[1].ID != a.ID || list[1].Browser != "a browser" {
		t.Errorf("%+v", list)
	}
	if s.End("nobody") || !s.End(b.ID) || s.End(b.ID) {
		t.Error("ending is not once")
	}
	opened(t, s)
	opened(t, s)
	if n := s.EndOthers(a.ID); n != 2 {
		t.Errorf("%d ended", n)
	}
	if _, ok := s.Find(pathA, []string{cookieA}, false); !ok {
		t.Error("its own was ended too")
	}
	for range session.MaxSessions {
		c.now = c.now.Add(time.Second)
		opened(t, s)
	}
	if _, ok := s.Find(pathA, []string{cookieA}, false); ok || len(s.List()) != session.MaxSessions {
		t.Errorf("%d sessions", len(s.List()))
	}
}

func TestCodesTakeNoMemory(t *testing.T) {
	t.Parallel()
	s, c := newStore()
	first, _ := s.Code(session.SignIn)
	c.now = c.now.Add(time.Second)
	last := ""
	for range 1000 {
		last, _ = s.Code(session.SignIn)
	}
	_, _, err := s.Open(first, "")
	wantCode(t, err, reason.InvalidToken)
	if _, _, err := s.Open(last, ""); err != nil {
		t.Error(err)
	}
}

func TestFreshIsForOneAct(t *testing.T) {
	t.Parallel()
	s, c := newStore()
	_, _, a := opened(t, s)
	_, _, b := opened(t, s)
	signs, _ := s.Code(session.SignIn)
	wantCode(t, s.Refresh(a.ID, signs), reason.InvalidToken)
	code, _ := s.Code(session.Confirm)
	wantCode(t, s.Refresh("nobody", code), reason.AuthRequired)
	if err := s.Refresh(a.ID, code); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.Refresh(b.ID, code), reason.TokenReplayed)
	if s.TakeFresh(b.ID) || !s.TakeFresh(a.ID) || s.TakeFresh(a.ID) {
		t.Error("a code is good for one act of one session")
	}
	code, _ = s.Code(session.Confirm)
	if err := s.Refresh(a.ID, code); err != nil {
		t.Fatal(err)
	}
	c.now = c.now.Add(session.FreshLife)
	if s.TakeFresh(a.ID) {
		t.Error("it stays fresh")
	}
}
