package rest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/gateway/signed"
	"github.com/meshd/meshd/gateway/state"
)

// serve runs one row: who asks, how often, with which body, and once.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, rt *route) {
	at(w, rt)
	caller, err := h.identify(w.Header(), r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	askedBy(w, caller.Principal)
	if rt.stream {
		if caller, err = h.byTicket(r, caller); err != nil {
			h.fail(w, r, err)
			return
		}
	}
	ctx, cancel := rt.within(call.WithCaller(r.Context(), caller))
	defer cancel()
	r = r.WithContext(ctx)
	if rt.page {
		r = h.visited(w, r)
	}
	caller, err = h.pass(w.Header(), r, rt, caller)
	if err != nil {
		if len(w.Header()["Ratelimit-Limit"]) == 0 {
			err = cmp.Or(h.charge(w.Header(), caller), err)
		}
		h.fail(w, r, err)
		return
	}
	if caller.ByToken() { // streams and MCP find it in the context, as its token makes it
		r = r.WithContext(call.WithCaller(r.Context(), caller))
	}
	if rt.Method == http.MethodGet {
		if caller, err = h.signature(w.Header(), r, caller, nil); err != nil {
			h.fail(w, r, err)
			return
		}
	}
	if rt.raw != nil {
		rt.raw(w, r)
		return
	}
	key, keep := keyOf(r, rt, caller)
	keep = keep && h.cfg.Keep
	seq, now := uint64(0), time.Time{}
	if keep {
		// Before the views are asked, so that a reply is never taken for newer than
		// what it was made of.
		seq, now = h.service.Access.Seq(), h.service.Access.Now()
		if reply, ok := h.kept.find(key, seq, now); ok {
			h.write(w, r, rt, caller, reply)
			return
		}
	}
	req := &endpoint.Request{Request: r, Caller: caller}
	if err := h.read(w, req, rt); err != nil {
		h.fail(w, r, err)
		return
	}
	attempt := access.Attempt{Key: r.Header.Get("Idempotency-Key"), Method: r.Method, Path: r.URL.Path, Body: req.Body, Secret: rt.Secret}
	if !rt.Once {
		attempt.Key = ""
	}
	req.Mark = attempt.Mark()
	var a endpoint.Answer
	kept, replayed, err := h.service.Access.Once(ctx, caller, attempt, func() (reply state.Reply, err error) {
		if rt.Needs.Acts() && rt.Method != http.MethodGet {
			if err := caller.Use(ctx, h.service.Access.Now()); err != nil {
				return reply, err
			}
		}
		if a, err = rt.Handle(req); err != nil {
			return reply, req.Values.Said(err)
		}
		return stored(a)
	})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if keep {
		tagged(&kept, rt)
		h.kept.put(key, kept, seq, now)
	}
	if replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	h.write(w, r, rt, caller, kept)
}

// identify finds who asks and from where.
func (h *Handler) identify(out http.Header, r *http.Request) (call.Caller, error) {
	p, err := h.auth.Authenticate(r, h.service.Access.Now())
	if err != nil {
		return call.Caller{}, err
	}
	p.Warn(out)
	addr := h.cfg.Proxies.ClientAddr(r)
	if p.Kind == auth.Owner {
		addr = netip.Addr{}
	}
	return call.Caller{Principal: p, Addr: addr, RequestID: out.Get("X-Request-Id")}, nil
}

// pass checks the row's right and rate, lets a read wait for ?min_seq=, and returns
// the caller as the row sees it.
func (h *Handler) pass(out http.Header, r *http.Request, rt *route, c call.Caller) (call.Caller, error) {
	c, err := h.service.Access.Authorize(r.Context(), c, rt.Needs)
	if err != nil {
		return c, err
	}
	return c, h.measure(out, r, rt, c)
}

// measure is pass for a caller that has the row's right.
func (h *Handler) measure(out http.Header, r *http.Request, rt *route, c call.Caller) error {
	if rt.Method != http.MethodGet && rt.Bucket != "" { // tools of MCP are judged one by one
		if err := h.service.Access.MayWrite(r.Context(), c); err != nil {
			return err
		}
	}
	if rt.Bucket != "" {
		bucket := rt.Bucket
		switch {
		case rt.Proves:
			bucket = limit.Read
		case bucket == limit.Comment && c.Kind == auth.Anonymous:
			bucket = limit.Guestbook
		}
		d := h.service.Access.Allow(bucket, c)
		limit.Headers(out, d)
		if refusal := d.Refusal(); refusal != nil {
			h.meter.rateLimited(bucket)
			return refusal
		}
		if err := h.service.Access.Unburdened(rt.Bucket); err != nil {
			return err
		}
	}
	if rt.Method != http.MethodGet || rt.Bucket == "" {
		return nil
	}
	if err := h.waitFor(r); err != nil {
		return err
	}
	out.Set("X-Mesh-Lag", strconv.FormatInt(h.service.Access.Lag().Milliseconds(), 10))
	return nil
}

// charge takes a request that its row does not measure, because it is refused
// before or there is no row, from the caller's bucket of reads.
func (h *Handler) charge(out http.Header, c call.Caller) error {
	d := h.service.Access.Allow(limit.Read, c)
	limit.Headers(out, d)
	if refusal := d.Refusal(); refusal != nil {
		h.meter.rateLimited(limit.Read)
		return refusal
	}
	return nil
}

func (h *Handler) waitFor(r *http.Request) error {
	text := r.URL.Query().Get("min_seq")
	if text == "" {
		return nil
	}
	seq, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return reason.Refuse(reason.InvalidParam, "min_seq must be a number").With(map[string]any{"param": "min_seq"})
	}
	return h.service.Access.WaitFor(r.Context(), seq)
}

// read takes the body and the query into the row's form.
func (h *Handler) read(w http.ResponseWriter, req *endpoint.Request, rt *route) (err error) {
	if rt.Method == http.MethodGet {
		req.Values, err = rt.Query.FromQuery(req.URL.Query())
		return err
	}
	if req.Body, err = readBody(w, req.Request, rt.MaxSize(), cmp.Or(rt.Media, mediaJSON)); err != nil {
		return err
	}
	if req.Caller, err = h.signature(w.Header(), req.Request, req.Caller, req.Body); err != nil || rt.Media != "" {
		return err
	}
	if signed.IsEnvelope(req.Body) {
		if req.Caller, req.Body, err = h.service.Access.Signatures().Opened(req.Context(), req.Caller, req.Body); err != nil {
			return err
		}
	}
	req.Values, err = rt.Body.FromJSON(req.Body)
	return err
}

const mediaJSON = "application/json"

// readBody reads a body of a media type within the limit. Of a body up to twice as long the
// rest is read and thrown away, so that the client sees the refusal and keeps
// its connection; with a longer one the connection ends.
func readBody(w http.ResponseWriter, r *http.Request, most int64, media string) ([]byte, error) {
	if r.ContentLength > 2*most {
		return nil, tooLarge(w, int(most))
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil {
		return nil, brokenOff(w, err, len(body))
	}
	if int64(len(body)) > most {
		n, err := io.Copy(io.Discard, io.LimitReader(r.Body, most))
		if err != nil || n == most {
			return nil, tooLarge(w, int(most))
		}
		return nil, bodyTooLarge(int(most))
	}
	if len(body) == 0 {
		return nil, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != media {
		return nil, call.Hinted(reason.UnsupportedMediaType, "the body must be "+media, "send Content-Type: "+media)
	}
	return body, nil
}

// brokenOff refuses a body that did not come to its end: the client went away, or
// sent so slowly that it was cut.
func brokenOff(w http.ResponseWriter, err error, read int) error {
	w.Header().Set("Connection", "close")
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return reason.Refuse(reason.Timeout, "the body came too slowly").With(map[string]any{"received_bytes": read})
	}
	return reason.Refuse(reason.InvalidJSON, "the body broke off").With(map[string]any{"offset": read})
}

func tooLarge(w http.ResponseWriter, most int) error {
	w.Header().Set("Connection", "close")
	return bodyTooLarge(most)
}

func bodyTooLarge(most int) error {
	return reason.Refuse(reason.BodyTooLarge, "the body is over %d bytes", most).With(map[string]any{"limit_bytes": most})
}

// serveMCP hands a message to the MCP server, which reads it whole.
func (h *Handler) serveMCP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMCPBody+1))
	switch {
	case err != nil:
		h.fail(w, r, brokenOff(w, err, len(body)))
		return
	case len(body) > maxMCPBody:
		w.Header().Set("Connection", "close")
		h.fail(w, r, bodyTooLarge(maxMCPBody))
		return
	}
	if r.Method != http.MethodGet {
		caller, err := h.signature(w.Header(), r, call.CallerFrom(r.Context()), body)
		if err != nil {
			h.fail(w, r, err)
			return
		}
		r = r.WithContext(call.WithCaller(r.Context(), caller))
	}
	r.Body, r.ContentLength = newBody(body), int64(len(body))
	h.mcp.ServeHTTP(w, r)
}

// signature judges the signature in a request's header, if there is one. Of a read
// without a credential nobody can say whose it would be: it is reported in
// X-Auth-Warning, as of other credentials that are not valid, and passes over.
func (h *Handler) signature(out http.Header, r *http.Request, c call.Caller, body []byte) (call.Caller, error) {
	if !signed.Present(r.Header) {
		return c, nil
	}
	if c.Kind == auth.Anonymous && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		if out.Get("X-Auth-Warning") == "" {
			out.Set("X-Auth-Warning", string(reason.SignatureInvalid))
		}
		return c, nil
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") {
		target = r.URL.RequestURI()
	}
	m := signed.Message{Method: r.Method, Origins: []signed.Origin{access.OriginAt(scheme, r.Host)}, Target: target, Header: r.Header, Body: body}
	if o, ok := h.service.Access.Signatures().Origin(); ok && o != m.Origins[0] {
		m.Origins = append(m.Origins, o)
	}
	if scheme, host, ok := h.cfg.Proxies.Forwarded(r); ok {
		if o := access.OriginAt(scheme, host); !slices.Contains(m.Origins, o) {
			m.Origins = append(m.Origins, o)
		}
	}
	return h.service.Access.Signatures().Signed(r.Context(), c, m)
}

// statusOf is the HTTP status of a refusal; a revoked object that is read is gone.
func statusOf(r *http.Request, err error) int {
	code := knowledge.Explain(err).Code
	if code == reason.Revoked && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		return http.StatusGone
	}
	return code.HTTP()
}

// fail answers with the error object.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // nobody listens any more
	}
	code := knowledge.Explain(err).Code
	h.cfg.Refused(code, "http")
	refusedWith(w, code)
	id := w.Header().Get("X-Request-Id")
	if code == reason.Internal {
		h.cfg.Log.Error("request failed", "request", id, "method", clipMethod(r.Method), "path", console.Visible(r.URL.Path), "error", err)
	}
	body := knowledge.NewErrorBody(err, id)
	st := statusOf(r, err)
	out := w.Header()
	if text := h.challenge(knowledge.Explain(err)); text != "" {
		out.Set("WWW-Authenticate", text)
	}
	if body.RetryAfter > 0 {
		out.Set("Retry-After", strconv.Itoa(body.RetryAfter))
	}
	var missing *auth.MissingProofs
	if errors.As(err, &missing) {
		st = http.StatusNotExtended
		out.Set("Ucan-Cache-Expiry", missing.CacheExpiry())
	}
	askPayment(out, err)
	out.Set("Cache-Control", "no-store")
	if h.failPage(w, r, st, body) {
		return
	}
	raw, encodeErr := endpoint.JSON(body)
	if encodeErr != nil {
		h.cfg.Log.Error("encode error body failed", "request", id, "error", encodeErr)
		raw = []byte(`{"success":false,"error":"internal fault","code":"internal"}` + "\n")
	}
	send(w, r, st, "application/json", raw)
}

// within is the time of a request; a stream has no end of its own.
func (rt *route) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if rt.stream || rt.endless {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, rt.Time())
}

// askPayment adds to a refusal of what is not paid how to pay in version 2 of x402.
func askPayment(out http.Header, err error) {
	var due *knowledge.Due
	if !errors.As(err, &due) {
		return
	}
	if text, err := due.Offer.Header(due.Text); err == nil {
		out.Set(pay.HeaderRequired, text)
	}
}
