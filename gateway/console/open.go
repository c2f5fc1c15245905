package console

import (
	"net/http"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console/session"
)

// openView is the page that a link leads to.
type openView struct{ Code string }

// open takes a sign-in code. The link alone uses nothing up, since previews and
// browsers fetch links before anybody follows them: the form on the page does.
func (c *Console) open(v *visit) {
	switch v.Method {
	case http.MethodGet, http.MethodHead:
		c.show(v, http.StatusOK, "open", "Open the console", openView{v.URL.Query().Get("code")})
	case http.MethodPost:
		if err := ours(v.Request); err != nil {
			c.fail(v, http.StatusForbidden, err)
			return
		}
		if err := c.readForm(v); err != nil {
			c.refuse(v, err)
			return
		}
		path, cookie, err := c.sessions.Open(v.PostForm.Get("code"), call.Clip(v.UserAgent(), maxBrowser))
		if err != nil {
			c.refuse(v, err)
			return
		}
		base := Root + "/~" + path + "/"
		http.SetCookie(v.w, &http.Cookie{Name: cookieName, Value: cookie, Path: base, HttpOnly: true, SameSite: http.SameSiteStrictMode})
		c.Log.Info("console opened", "sessions", len(c.sessions.List()))
		v.w.Header().Set("Location", base)
		v.w.WriteHeader(http.StatusSeeOther)
	default:
		v.w.Header().Set("Allow", "GET, HEAD, POST")
		c.fail(v, http.StatusMethodNotAllowed, reason.Refuse(reason.MethodNotAllowed, "this page takes no such request"))
	}
}

// readForm reads a posted form.
func (c *Console) readForm(v *visit) error {
	v.Body = http.MaxBytesReader(v.w, v.Body, maxForm)
	if err := v.ParseForm(); err != nil {
		return reason.Refuse(reason.InvalidParam, "the form cannot be read, or is larger than %d bytes", maxForm)
	}
	for _, values := range v.PostForm {
		for i, text := range values {
			values[i] = strings.ReplaceAll(text, "\r\n", "\n") // as the author typed it
		}
	}
	return nil
}

// sessionsView is the page of the sessions.
type sessionsView struct {
	Sessions []session.Session
	Mine     string
}

func (c *Console) sessionsPage(v *visit) (answer, error) {
	return draw("sessions", "Sessions", sessionsView{c.sessions.List(), v.session.ID}), nil
}

// endSession ends one session, or all the others.
func (c *Console) endSession(v *visit) (answer, error) {
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

// fresh refuses an act that asks for a fresh code, unless this session was just
// confirmed by one. Each code is good for one act. The refusal leads to the page that
// takes codes.
func (c *Console) fresh(v *visit) error {
	if c.sessions.TakeFresh(v.session.ID) {
		return nil
	}
	return errNotFresh
}

var errNotFresh = reason.Refuse(reason.ProofRequired, "this asks for a fresh code from the terminal")

func (c *Console) confirmPage(v *visit) (answer, error) {
	return draw("confirm", "Confirm it is you", confirmView{Next: within(v.URL.Query().Get("next"))}), nil
}

func (c *Console) confirm(v *visit) (answer, error) {
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
