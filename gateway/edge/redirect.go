package edge

import (
	"net/http"
	"net/url"
	"strings"
)

// Redirect answers every request of plain HTTP with the same path at the public
// address, whatever Host the caller names. Only GET and HEAD move: a body or a
// key that was sent in the clear is not to be sent again as if nothing had
// happened.
func Redirect(publicURL string) http.Handler {
	base, err := url.Parse(publicURL)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if err != nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "this address speaks HTTPS only", http.StatusForbidden)
			return
		}
		target := url.URL{Scheme: base.Scheme, Host: base.Host, RawQuery: r.URL.RawQuery,
			Path: strings.TrimRight(base.Path, "/") + "/" + strings.TrimLeft(r.URL.Path, "/")}
		w.Header().Set("Location", target.String())
		w.WriteHeader(http.StatusPermanentRedirect)
	})
}
