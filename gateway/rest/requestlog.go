package rest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/console"
)

// Lines of requests: each answered request at debug, one that took long at info,
// and, in the access log of a gateway, each request by itself. The id of a line is
// the X-Request-Id that the client got, which is also request_id in the error object.

// logged is the lines' facts. The path has no query, which may carry a ticket, and no
// secret of a session of the console.
func (h *Handler) logged(r *http.Request, w *watched, took time.Duration) {
	level := slog.LevelDebug
	text := "request"
	if took >= slowRequest && !w.stream {
		level, text = slog.LevelInfo, "slow request"
	}
	access := h.cfg.Access
	ctx := context.WithoutCancel(r.Context()) // the client may be gone
	toLog := h.cfg.Log.Enabled(ctx, level)
	if access == nil && !toLog {
		return
	}
	attrs := []slog.Attr{
		slog.String("request", w.Header().Get("X-Request-Id")), slog.String("method", clipMethod(r.Method)), slog.String("path", clipPath(console.Visible(r.URL.Path))),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes), slog.Float64("millis", float64(took.Microseconds())/1000),
		slog.String("principal", w.principal),
	}
	if w.code != "" {
		attrs = append(attrs, slog.String("code", string(w.code)))
	}
	if toLog {
		h.cfg.Log.LogAttrs(ctx, level, text, attrs...)
	}
	if access != nil {
		attrs = append(attrs, slog.String("route", cmp.Or(w.route, "other")), slog.String("key", w.key), slog.String("client", networkOf(h.cfg.Proxies.ClientAddr(r))), slog.String("proto", r.Proto))
		access.LogAttrs(ctx, slog.LevelInfo, "request", attrs...)
	}
}

// networkOf is the network of an address, /24 or /48: enough to see where a flood
// comes from, and not one person's address.
func networkOf(a netip.Addr) string {
	if !a.IsValid() {
		return "local"
	}
	bits := 24
	if a = a.Unmap(); a.Is6() {
		bits = 48
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return "unknown"
	}
	return p.String()
}

// clipPath bounds what a stranger can write into the log with one request.
func clipPath(p string) string {
	if len(p) <= maxLoggedPath {
		return p
	}
	cut := maxLoggedPath
	for cut > 0 && !utf8.RuneStart(p[cut]) {
		cut--
	}
	return p[:cut] + "…"
}

// refusedWith notes the code of a refusal for the request's line.
func refusedWith(w http.ResponseWriter, code reason.Code) {
	if w, ok := w.(*watched); ok {
		w.code = code
	}
}

// askedBy notes what kind of caller it was for the request's line, and by which API
// key: its id, which opens nothing.
func askedBy(w http.ResponseWriter, who auth.Principal) {
	if w, ok := w.(*watched); ok {
		w.principal, w.key = who.Kind.String(), who.KeyID
	}
}
