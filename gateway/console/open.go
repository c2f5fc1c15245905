package console

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
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
