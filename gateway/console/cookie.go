package console

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/meshd/meshd/gateway/access"
)

// Cookies of people at a gateway. Behind HTTPS its name is one that browsers take from this
// very host alone, and never for another path.
const (
	plainCookie = "mesh_login"
	safeCookie  = "__Host-" + plainCookie
)

// secured reports whether a browser reaches this gateway by HTTPS.
func (g *Guests) secured(r *http.Request) bool {
	return r.TLS != nil || strings.HasPrefix(g.Service.Access.FullURL(), "https://")
}

func (g *Guests) setCookie(v *visit, secret string) {
	k := &http.Cookie{Name: plainCookie, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if g.secured(v.Request) {
		k.Name, k.Secure = safeCookie, true
	}
	if secret == "" {
		k.MaxAge = -1
	}
	http.SetCookie(v.w, k)
}

func (g *Guests) dropCookies(v *visit) { g.setCookie(v, "") }

// cookies are the secrets that a browser sends. Behind HTTPS the one name counts alone that
// no other host of the same domain can plant, so that nobody is signed in as somebody else.
func (g *Guests) cookies(r *http.Request) (out []string) {
	name := plainCookie
	if g.secured(r) {
		name = safeCookie
	}
	for _, k := range r.CookiesNamed(name) {
		out = append(out, k.Value)
	}
	return out
}

// origins are those that a form of these pages may come from: that which the browser asked,
// and the address of this gateway in its settings, which a proxy may stand before.
func (g *Guests) origins(r *http.Request) func(*url.URL) bool {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	asked := access.OriginAt(scheme, r.Host)
	named, known := g.Service.Access.Signatures().Origin()
	return func(u *url.URL) bool {
		from := access.OriginAt(u.Scheme, u.Host)
		return from == asked || known && from == named
	}
}

// signInFor is the page to sign in that leads back to what a request asked for.
func signInFor(r *http.Request) string {
	next := GuestRoot + "/"
	if r.Method == http.MethodGet && r.URL.RequestURI() != next {
		next = r.URL.RequestURI()
	}
	return SignInPath + "?" + url.Values{"next": {next}}.Encode()
}

// local is a path of this origin with its query, or the first page for anything else: a
// browser takes // and \ for the beginning of another host, and drops what is no character.
func local(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		len(next) > maxNext || strings.ContainsFunc(next, func(r rune) bool { return r == '\\' || r <= ' ' || r >= 0x7f }) {
		return GuestRoot + "/"
	}
	return next
}
