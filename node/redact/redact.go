// Package redact keeps secrets out of logs. Handler wraps another slog handler and
// replaces what looks like a credential in messages and attributes, whoever put it
// there; code still must not log secrets on purpose.
package redact

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

// shapes are the credentials that this program makes or takes: API keys, JWTs
// (capabilities and role tokens), Bearer credentials, one-time tickets, private keys
// in PEM, passwords in URLs.
var shapes = []*regexp.Regexp{
	regexp.MustCompile(`mesh_sk_[A-Za-z0-9_-]+`),
	regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?`),
	regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{8,}`),
	regexp.MustCompile(`(?i)\b(ticket|passphrase|password|secret|api_?key|token)=[^\s&"']+`),
	regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)`),
	regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@]+@`),
}

// names are attributes whose whole value is secret.
var names = []string{"authorization", "passphrase", "password", "secret", "seed", "apikey", "api_key", "token", "ticket", "cookie"}

// Text returns s without credentials.
func Text(s string) string {
	for _, re := range shapes {
		s = re.ReplaceAllString(s, Mark)
	}
	return s
}

// handler redacts on the way to next.
type handler struct{ next slog.Handler }

// Handler returns a handler that writes to next without credentials.
func Handler(next slog.Handler) slog.Handler { return handler{next} }

// Enabled asks the wrapped handler.
func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle passes on a redacted copy of the record.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, Text(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(clean(a))
		return true
	})
	return h.next.Handle(ctx, out)
}

// WithAttrs redacts attributes that every record will have.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		out[i] = clean(a)
	}
	return handler{h.next.WithAttrs(out)}
}

// WithGroup opens a group in the wrapped handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.next.WithGroup(name)} }

func clean(a slog.Attr) slog.Attr {
	if slices.Contains(names, strings.ToLower(a.Key)) {
		return slog.String(a.Key, Mark)
	}
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, Text(v.String()))
	case slog.KindGroup:
		var members []slog.Attr
		for _, m := range v.Group() {
			members = append(members, clean(m))
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(members...)}
	case slog.KindAny:
		return slog.String(a.Key, Text(fmt.Sprint(v.Any())))
	}
	return slog.Attr{Key: a.Key, Value: v}
}
