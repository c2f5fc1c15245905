// Package rest is the HTTP face of a gateway: it turns requests into calls of
// the use cases (gateway/service) and their replies into responses, by the
// conventions that every endpoint shares: one error object, request ids, strict
// JSON, entity tags, idempotency keys, rate headers.
//
// Every endpoint is a row of the table in routes.go; the multiplexer, the
// methods a path allows and the OpenAPI document are all made of it. The path
// of a request is Handler.ServeHTTP (may it come in), Handler.serve (who, how
// often, what body), the row's handle, Handler.write.
//
// The handler serves two roles: the local one, for the owner of the node and
// programs beside it, where a web page of another origin must not get in; and
// the public one, open to strangers and other origins. Start with New.
package rest

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/room"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/site"
)

// Config tunes a Handler. The zero value is the local role.
type Config struct {
	Public         bool                  // serve strangers and other origins
	AllowedOrigins []string              // web origins that may call MCP
	Streams        bool                  // take GET and DELETE of MCP too, for an MCP server with sessions
	Proxies        limit.Proxies         // whose X-Forwarded-For is believed
	Keep           bool                  // remember replies of lists for up to a second, for a gateway that many read
	Log            *slog.Logger          // nil: nothing is logged
	Access         *slog.Logger          // one line a request; nil: none
	Metrics        prometheus.Registerer // nil: nothing is counted
	Console        *console.Console      // the owner's pages, of the local role alone; nil: none
	Guests         *console.Guests       // the pages of people who sign in, of the public role alone; nil: none
	// Refused counts a refusal by the gate it came from; nil: nothing is counted.
	Refused func(code reason.Code, gate string)
}

// Handler is the HTTP face. It is safe for concurrent use.
type Handler struct {
	service *service.Service
	auth    *auth.Authenticator
	mcp     http.Handler
	cfg     Config
	mux     *http.ServeMux
	openapi *packed

	hall       *room.Hall        // of the sockets
	operations map[string]*route // by their names in the document, for calls over sockets
	site       *site.Site
	meter      *metrics
	kept       kept
}

// New returns the handler of every route. mcp answers POST /mcp and finds the
// caller in the request's context.
func New(s *service.Service, a *auth.Authenticator, mcp http.Handler, cfg Config) (*Handler, error) {
	if s == nil || a == nil || mcp == nil {
		return nil, errors.New("rest needs a service, an authenticator and an MCP handler")
	}
	if cfg.Public && cfg.Console != nil {
		return nil, errors.New("the owner's console is of the local role alone")
	}
	if !cfg.Public && cfg.Guests != nil {
		return nil, errors.New("people sign in to the public role alone")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Refused == nil {
		cfg.Refused = func(reason.Code, string) {}
	}
	h := &Handler{service: s, auth: a, mcp: mcp, cfg: cfg, mux: http.NewServeMux(), hall: room.New(), operations: map[string]*route{},
		meter: newMetrics(cfg.Metrics)}
	table := h.routes()
	if cfg.Streams {
		table = append(table, h.streamRoutes()...)
	}
	var err error
	described, err := document(table)
	if err != nil {
		return nil, err
	}
	if h.openapi, err = packDocument(described); err != nil {
		return nil, err
	}
	if h.site, err = site.New(s); err != nil {
		return nil, err
	}
	for i := range table {
		if table[i].raw == nil {
			h.operations[operationID(&table[i])] = &table[i]
		}
	}
	for pattern, methods := range byPath(append(table, h.siteRoutes()...)) {
		h.mux.Handle(pattern, h.dispatch(methods))
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.fail(w, r, cmp.Or(h.charge(w.Header(), h.stranger(r)), error(reason.Refuse(reason.NotFound, "no such path"))))
	})
	return h, nil
}

// stranger is the caller of a path that nothing is known of, whose credentials
// are not looked at.
func (h *Handler) stranger(r *http.Request) call.Caller {
	if _, owner := auth.OwnerOf(r.Context()); owner {
		return call.Caller{Principal: auth.Principal{Kind: auth.Owner}}
	}
	return call.Caller{Addr: h.cfg.Proxies.ClientAddr(r)}
}

// byPath groups the rows of a table by path.
func byPath(table []route) map[string]map[string]*route {
	paths := map[string]map[string]*route{}
	for i := range table {
		rt := &table[i]
		if paths[rt.pattern()] == nil {
			paths[rt.pattern()] = map[string]*route{}
		}
		paths[rt.pattern()][rt.Method] = rt
	}
	return paths
}

// ServeHTTP names the request, admits or refuses it, and finds its route.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen, end := h.meter.watch(w, r)
	defer func() { h.logged(r, seen, end()) }()
	w = seen
	w.Header().Set("X-Request-Id", requestID(r))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	defer h.rescue(w, r)
	if err := h.admit(w.Header(), r); err != nil {
		h.fail(w, r, err)
		return
	}
	if h.forConsole(r) {
		atConsole(w, r)
		h.cfg.Console.ServeHTTP(w, r)
		return
	}
	p := r.URL.Path
	if h.forGuests(r) {
		atGuests(w, p)
		h.cfg.Guests.Serve(w, r, gate{h})
		return
	}
	if len(p) > 1 && strings.HasSuffix(p, "/") {
		target := *r.URL
		target.Path, target.RawPath = strings.TrimRight(p, "/"), strings.TrimRight(r.URL.RawPath, "/")
		if target.Path != "" && path.Clean(target.Path) == target.Path {
			target.Scheme, target.Host = "", ""
			w.Header().Set("Location", target.String())
			w.WriteHeader(http.StatusPermanentRedirect)
			return
		}
	}
	if p == "" || path.Clean(p) != p { // the multiplexer would redirect without our headers
		h.fail(w, r, reason.Refuse(reason.NotFound, "no such path"))
		return
	}
	h.mux.ServeHTTP(w, r)
}

// forConsole reports whether a request is for the owner's console, which is there for
// browsers and not on the control socket.
func (h *Handler) forConsole(r *http.Request) bool {
	if h.cfg.Console == nil || !consolePath(r.URL.Path) {
		return false
	}
	_, socket := auth.OwnerOf(r.Context())
	return !socket
}

// forGuests reports whether a request is for the pages of people who sign in.
func (h *Handler) forGuests(r *http.Request) bool {
	return h.cfg.Guests != nil && h.cfg.Guests.Below(r.URL.Path)
}

func consolePath(p string) bool { return p == console.Root || strings.HasPrefix(p, console.Root+"/") }

// dispatch answers one path: its methods, HEAD where there is GET, OPTIONS, and
// a refusal for the rest.
func (h *Handler) dispatch(methods map[string]*route) http.Handler {
	allow := []string{http.MethodOptions}
	for m := range methods {
		allow = append(allow, m)
		if m == http.MethodGet {
			allow = append(allow, http.MethodHead)
		}
	}
	slices.Sort(allow)
	list := strings.Join(allow, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		rt, ok := methods[method]
		switch {
		case ok:
			h.serve(w, r, rt)
		case method == http.MethodOptions:
			w.Header().Set("Allow", list)
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Allow", list)
			h.fail(w, r, cmp.Or(h.charge(w.Header(), h.stranger(r)), error(reason.Refuse(reason.MethodNotAllowed, "%s is not taken here", clipMethod(r.Method)).
				With(map[string]any{"allow": allow}))))
		}
	})
}

func clipMethod(m string) string {
	if len(m) > 16 {
		return m[:16]
	}
	return m
}

// rescue turns a panic into the reply of an internal fault; the cause is logged.
func (h *Handler) rescue(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	h.cfg.Log.Error("request panicked", "request", w.Header().Get("X-Request-Id"), "path", console.Visible(r.URL.Path), "panic", v)
	h.fail(w, r, reason.Refuse(reason.Internal, ""))
}

// requestID is the id the client gave, when it has the form, else a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if len(id) >= minRequest && len(id) <= maxRequest && !strings.ContainsFunc(id, notInID) {
		return id
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return "req_" + hex.EncodeToString(b[:])
}

func notInID(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-')
}
