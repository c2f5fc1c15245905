package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
)

// rpc is the payload of an rpc frame: an operation by the name that the OpenAPI
// document gives it, and its parameters, those of the path among them.
type rpc struct {
	Method string                     `json:"method"`
	Params map[string]json.RawMessage `json:"params"`
}

// rpc runs an endpoint as the socket's agent and answers with its reply. Calls
// run beside each other, a few at a time.
func (s *socket) rpc(ctx context.Context, f frame) error {
	var c rpc
	if json.Unmarshal(f.Payload, &c) != nil {
		return reason.Refuse(reason.InvalidParam, "the payload must be {method, params}")
	}
	return s.call(ctx, f, c)
}

// sync reads a shared document, and changes it first when the frame brings
// operations: {doc, since, ops}. It is a call of the document's endpoints.
func (s *socket) sync(ctx context.Context, f frame) error {
	c := rpc{Method: memoryRead}
	if json.Unmarshal(f.Payload, &c.Params) != nil || c.Params["doc"] == nil {
		return reason.Refuse(reason.InvalidParam, "the payload must be {doc, since, ops}")
	}
	if c.Params["ops"] != nil {
		c.Method = memoryWrite
		delete(c.Params, "since")
	}
	return s.call(ctx, f, c)
}

// The operations that state-sync stands for.
const (
	memoryRead  = "get-api-crdt-doc-state"
	memoryWrite = "post-api-crdt-doc-ops"
)

// call runs a call and answers with a frame of the type that asked.
func (s *socket) call(ctx context.Context, f frame, c rpc) error {
	rt := s.h.operations[c.Method]
	if rt == nil {
		return call.Hinted(reason.NotFound, "no such method", "methods are the operation ids of /openapi.json")
	}
	r, err := c.request(ctx, rt)
	if err != nil {
		return err
	}
	select {
	case s.calls <- struct{}{}:
	default:
		return reason.Refuse(reason.RateLimited, "%d calls run already", maxCalls).With(map[string]any{"retry_after": 1})
	}
	go func() {
		defer func() { <-s.calls }()
		s.answer(f, r)
	}()
	return nil
}

// request is the HTTP request of a call.
func (c rpc) request(ctx context.Context, rt *route) (*http.Request, error) {
	path, query, body := rt.Path, url.Values{}, map[string]json.RawMessage{}
	for name, raw := range c.Params {
		text, err := plainText(raw)
		switch {
		case strings.Contains(rt.Path, "{"+name+"}"):
			if err != nil || text == "" {
				return nil, reason.Refuse(reason.InvalidParam, "%s must be a text", name)
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(text), 1)
		case rt.Method != http.MethodGet:
			body[name] = raw
		case err != nil:
			return nil, reason.Refuse(reason.InvalidParam, "%s must be a text, a number, true, false or a list of texts", name)
		default:
			query.Set(name, text)
		}
	}
	if strings.Contains(path, "{") {
		return nil, reason.Refuse(reason.InvalidParam, "a parameter of the path %s is missing", rt.Path)
	}
	raw := []byte{}
	if rt.Method != http.MethodGet {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, rt.Method, "http://localhost"+path+"?"+query.Encode(), bytes.NewReader(raw))
	if err != nil {
		return nil, reason.Refuse(reason.InvalidParam, "the parameters of the path make no address")
	}
	if rt.Method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// plainText is a JSON value as it is written in a query.
func plainText(raw json.RawMessage) (string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, float64:
		return strings.TrimSpace(string(raw)), nil
	case []any:
		var parts []string
		for _, e := range v {
			text, ok := e.(string)
			if !ok {
				return "", fmt.Errorf("not a list of texts")
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), nil
	}
	return "", fmt.Errorf("not a plain value")
}

// answer runs the request and sends its reply.
func (s *socket) answer(f frame, r *http.Request) {
	r.RemoteAddr = s.request.RemoteAddr
	for _, name := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded"} {
		if v := s.request.Header.Values(name); len(v) > 0 {
			r.Header[name] = v
		}
	}
	w := &replyKeeper{header: http.Header{}}
	err := s.h.service.Streams.StillValid(r.Context(), s.caller)
	if err == nil {
		s.h.ServeHTTP(w, r.WithContext(auth.WithPrincipal(r.Context(), s.caller.Principal)))
	}
	payload := map[string]any{"id": f.ID, "status": w.status}
	switch {
	case err != nil:
		payload["error"] = fault(err, s.caller.RequestID)
	case w.over:
		payload["error"] = fault(call.Hinted(reason.BodyTooLarge, "the reply does not fit into a frame", "ask over HTTP, or for less"), s.caller.RequestID)
	case w.status >= 400:
		payload["error"] = json.RawMessage(orNull(w.body.Bytes()))
	default:
		payload["result"] = json.RawMessage(orNull(w.body.Bytes()))
	}
	s.notify(f.ID, f.Type, payload)
}

// orNull is a JSON text, or a JSON string of what is none.
func orNull(b []byte) []byte {
	b = bytes.TrimSpace(b)
	if len(b) == 0 {
		return []byte("null")
	}
	if json.Valid(b) {
		return b
	}
	text, err := json.Marshal(string(b))
	if err != nil {
		return []byte("null")
	}
	return text
}

// replyKeeper keeps a reply that fits into a frame.
type replyKeeper struct {
	header http.Header
	status int
	body   bytes.Buffer
	over   bool
}

// Header is that of the reply.
func (w *replyKeeper) Header() http.Header { return w.header }

// WriteHeader keeps the first status.
func (w *replyKeeper) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write keeps what fits and drops the rest.
func (w *replyKeeper) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.body.Len()+len(p) > maxFrame-frameRoom {
		w.over = true
		return len(p), nil
	}
	return w.body.Write(p)
}

// allowance is how many frames a client may send: frameRate a second, and
// frameBurst at once.
type allowance struct {
	left float64
	at   time.Time
}

func newAllowance(now time.Time) allowance { return allowance{frameBurst, now} }

func (a *allowance) take(now time.Time) bool {
	a.left = min(frameBurst, a.left+frameRate*max(0, now.Sub(a.at).Seconds()))
	a.at = now
	if a.left < 1 {
		return false
	}
	a.left--
	return true
}
