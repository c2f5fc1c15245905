package console

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// cookieName is the cookie of a session. Its path has the session's other secret.
const cookieName = "meshd_console"

// newNonce is what the one script of a page is allowed by.
func newNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// policy is the Content-Security-Policy of a page: its own style, pictures and
// requests, the one script that the page names, no frame, forms to itself.
func policy(nonce string) string {
	return "default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; script-src 'nonce-" + nonce +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// ours refuses a request that writes and does not come from a page of the console, by
// what browsers say of it. A page without a referrer sends the origin null with a form,
// so that alone says nothing; the browser's own word about the site decides then.
func ours(r *http.Request) error {
	return comesFrom(r, func(u *url.URL) bool { return u.Scheme == "http" && strings.EqualFold(u.Host, r.Host) })
}

// comesFrom is ours for pages of the origins that own says.
func comesFrom(r *http.Request, own func(*url.URL) bool) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return reason.Refuse(reason.Forbidden, "requests of other pages are refused")
		}
		return nil
	}
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if site != "" && site != "same-origin" {
		return reason.Refuse(reason.Forbidden, "forms of other pages are refused")
	}
	if origin == "" || origin == "null" {
		if site == "same-origin" {
			return nil
		}
		return reason.Refuse(reason.Forbidden, "this browser does not say which page a form comes from; use a newer one")
	}
	u, err := url.Parse(origin)
	if err != nil || !own(u) {
		return reason.Refuse(reason.Forbidden, "forms of other pages are refused")
	}
	return nil
}

// Visible is a path without the secret of a session, for logs.
func Visible(path string) string {
	rest, ok := strings.CutPrefix(path, Root+"/~")
	if !ok {
		return path
	}
	_, below, _ := strings.Cut(rest, "/")
	return Root + "/~/" + below
}
