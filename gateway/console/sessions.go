package console

import (
	"net/http"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/console/session"
)

// signing has the pages of the sessions themselves.
type signing struct{ *Console }

func (c signing) rows() []page {
	return []page{
		get("/sessions", "/sessions", c.sessionsPage),
		post("/sessions/end", "/sessions", c.endSession),
		get("/confirm", "/sessions", c.confirmPage),
		post("/confirm", "/sessions", c.confirm),
	}
}

// sessionsView is the page of the sessions.
type sessionsView struct {
	Sessions []session.Session
	Mine     string
}

func (c signing) sessionsPage(v *visit) (answer, error) {
	return draw("sessions", "Sessions", sessionsView{c.sessions.List(), v.session.ID}), nil
}

// endSession ends one session, or all the others.
func (c signing) endSession(v *visit) (answer, error) {
	if v.PostForm.Has("others") {
		c.sessions.EndOthers(v.session.ID)
		return to("/sessions", "ended"), nil
	}
	id := v.PostForm.Get("id")
	if !c.sessions.End(id) {
		return answer{}, reason.Refuse(reason.NotFound, "this session has ended already")
	}
	if id == v.session.ID {
		http.SetCookie(v.w, &http.Cookie{Name: cookieName, Path: v.base + "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
		return answer{away: Root}, nil
	}
	return to("/sessions", "ended"), nil
}

// confirmView is the page that asks for a fresh code.
type confirmView struct {
	Next  string // the page that asked, below the session
	Error error
}

func (c signing) confirmPage(v *visit) (answer, error) {
	return draw("confirm", "Confirm it is you", confirmView{Next: within(v.URL.Query().Get("next"))}), nil
}

func (c signing) confirm(v *visit) (answer, error) {
	next := within(v.PostForm.Get("next"))
	if err := c.sessions.Refresh(v.session.ID, v.PostForm.Get("code")); err != nil {
		return draw("confirm", "Confirm it is you", confirmView{next, err}).with(http.StatusForbidden), nil
	}
	return to(next, "confirmed"), nil
}

// within is a path of the console, or its first page for anything else.
func within(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n?#") {
		return "/"
	}
	return path
}
