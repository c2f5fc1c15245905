package rest

import (
	"net/http"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/endpoint"
)

// gate lets people at a gateway through as programs: by the same authenticator, rights and
// rates.
type gate struct{ h *Handler }

var _ console.Gate = gate{}

// Stranger is the caller of a request whose credentials are not looked at.
func (g gate) Stranger(r *http.Request) call.Caller { return g.h.stranger(r) }

// Identify finds who sends a request, by the credentials in its headers.
func (g gate) Identify(out http.Header, r *http.Request) (call.Caller, error) {
	return g.h.identify(out, r)
}

// Pass judges right and rate of a caller at an endpoint.
func (g gate) Pass(out http.Header, r *http.Request, row *endpoint.Route, c call.Caller) (call.Caller, error) {
	return g.h.pass(out, r, &route{Route: *row}, c)
}
