package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/pay"
)

// exchange is one message on its way through the library and back. The library
// reports every error of a handler as an internal one and answers a refused call
// with 200; a handler leaves here what the answer has to be instead. One
// goroutine handles a message; notify alone may be called by several.
type exchange struct {
	method   mcp.MCPMethod
	id       json.RawMessage
	response bool            // the client answers a request of the server's
	token    json.RawMessage // for progress, as the client wrote it
	uri      string          // of a resource, as the client wrote it
	cursor   string          // of a list that is made here

	sets    []endpoint.Toolset // whose tools are listed
	dynamic bool               // somebody remembers what enable_toolset adds to them
	enabled endpoint.Toolset   // what it has added, "" for nothing
	keeps   *selection         // of the pipe that the message came by; nil for another way

	receipt *pay.PaymentReceipt   // of a payment that came with the call
	beside  []endpoint.Attachment // that go with the result of the call

	fault     *mcp.JSONRPCErrorDetails // the answer is this error
	status    int                      // of HTTP, 0 for the library's
	challenge string                   // WWW-Authenticate that goes with status

	// stand is where the caller stands after this message, nil when nobody was
	// asked. A notice may begin the answer while the call is still being judged.
	stand atomic.Pointer[limit.Decision]

	// send writes a notice, before anything that is sent later; nil when the
	// client receives none. Several goroutines may call it.
	send func(ctx context.Context, method string, params map[string]any) error
	// alive gives a quiet stream a sign of life; nil where none is needed.
	alive func() error
	// over is closed when nobody receives notices any more; nil: ctx says so.
	over <-chan struct{}
	// places are those of streams over one pipe; nil where others are counted.
	places chan struct{}
	// client ends when who asks has gone, and within is how long a handler may
	// take; 0 where nothing ends but the context itself.
	client context.Context
	within time.Duration
	// acknowledged: a stream of changes was opened here, and the library's own
	// word about it is not passed on.
	acknowledged bool
}

// until is ctx, ended also when nobody reads this exchange any more.
func (x *exchange) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if x.over == nil {
		return ctx, cancel
	}
	go func() {
		select {
		case <-x.over:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

type exchangeMark struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeMark{}, x)
}

// exchangeOf returns the exchange that ctx belongs to; an empty one, which nobody
// reads, outside of any.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeMark{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// readExchange reads what is needed of a message before the library does. A
// message that cannot be read gives an exchange without a method; the library
// says what is wrong with it.
func readExchange(message []byte) *exchange {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method mcp.MCPMethod   `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(message, &m) != nil {
		return &exchange{}
	}
	x := &exchange{id: m.ID, method: m.Method}
	x.response = m.Method == "" && (len(m.Result) > 0 || len(m.Error) > 0)
	var p struct {
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return x
	}
	if t := p.Meta.Token; len(t) > 0 && len(t) <= maxToken && (t[0] == '"' || t[0] == '-' || t[0] >= '0' && t[0] <= '9') {
		x.token = t
	}
	return x
}

// notify sends a notice about this request and returns when it is on its way, so
// that the answer cannot overtake it. It fails when the client is gone or reads
// no notices.
func (x *exchange) notify(ctx context.Context, method string, params map[string]any) error {
	if x.send == nil {
		return errNoNotices
	}
	return x.send(ctx, method, params)
}

// wantsProgress reports whether the client receives progress of a call.
func (x *exchange) wantsProgress() bool { return len(x.token) > 0 && x.send != nil }

var errNoNotices = errors.New("this request cannot carry notifications")

// answer is the message the client gets where the library would send reply.
func (x *exchange) answer(reply []byte) []byte {
	if x.fault == nil {
		return reply
	}
	id := x.id
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return mustEncode(struct {
		JSONRPC string                  `json:"jsonrpc"`
		ID      json.RawMessage         `json:"id"`
		Error   mcp.JSONRPCErrorDetails `json:"error"`
	}{mcp.JSONRPC_VERSION, id, *x.fault})
}

// faultData is the error object of the API as data of a JSON-RPC error.
type faultData struct {
	knowledge.ErrorBody
	URI string `json:"uri,omitempty"`
}

// refuse answers the exchange of ctx with a JSON-RPC error that carries the
// error object of the API, and returns that error for the library, which drops
// it. uri is the resource that was asked for, if one was.
func (m *Server) refuse(ctx context.Context, err error, uri string) error {
	c, x := call.CallerFrom(ctx), exchangeOf(ctx)
	body := errorBody(err, c.RequestID)
	m.count(reason.Code(body.Code))
	if body.Code == string(reason.Internal) {
		m.log.Error("message failed", "method", string(x.method), "request", c.RequestID, "error", err)
	}
	code, text := mcp.INVALID_PARAMS, body.Error
	switch status := reason.Code(body.Code).HTTP(); {
	case uri != "" && (status == http.StatusNotFound || status == http.StatusGone || reason.Code(body.Code) == reason.Revoked):
		text = "Resource not found: " + text
		if !server.IsModernRequest(ctx) {
			code = mcp.RESOURCE_NOT_FOUND
		}
	case status >= 500 || status == http.StatusTooManyRequests:
		code = mcp.INTERNAL_ERROR
	}
	x.fault = &mcp.JSONRPCErrorDetails{Code: code, Message: text, Data: faultData{body, uri}}
	if server.IsModernRequest(ctx) && code == mcp.INVALID_PARAMS {
		x.status = http.StatusBadRequest
	}
	return errors.New(body.Code)
}

// rescue turns a panic into an internal fault of this exchange. It is deferred.
func (m *Server) rescue(ctx context.Context, uri string, err *error) {
	if v := recover(); v != nil {
		*err = m.refuse(ctx, fmt.Errorf("panic: %v", v), uri)
	}
}

// answerWriter is the HTTP response of an exchange. It delays status and
// headers until the first byte, so that the exchange has the last word, and it
// writes notices itself, each flushed before the next step of whoever sends it.
//
// The library has a way for notices, too: a queue that a goroutine empties while
// the answer is made. A notice that this goroutine has when the answer is
// ready is dropped (mcp-go v1.2.1), so that way is not used.
type answerWriter struct {
	http.ResponseWriter
	x *exchange
	// unasked takes from the budget of a caller whose message was refused, or
	// turned out to be none, before anybody asked for it.
	unasked func()

	writeMu sync.Mutex // guards all below; the library writes in two goroutines
	status  int
	begun   bool
	stream  bool // events follow; known when begun
	noticed bool // an event that is a notice was written
}

func newAnswerWriter(w http.ResponseWriter, x *exchange) *answerWriter {
	return &answerWriter{ResponseWriter: w, x: x}
}

// Unwrap gives the writer below to http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader remembers the status until the first byte.
func (w *answerWriter) WriteHeader(status int) {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if w.status == 0 {
		w.status = status
	}
}

const eventStream = "text/event-stream"

// begin sends status and headers, once.
func (w *answerWriter) begin() {
	if w.begun {
		return
	}
	w.begun = true
	w.stream = strings.HasPrefix(w.Header().Get("Content-Type"), eventStream)
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if w.x.status != 0 && !w.stream {
		w.status = w.x.status
		if w.x.challenge != "" {
			w.Header().Set("WWW-Authenticate", w.x.challenge)
		}
	}
	if w.unasked != nil && w.x.stand.Load() == nil {
		w.unasked()
	}
	if d := w.x.stand.Load(); d != nil {
		limit.Headers(w.Header(), *d)
	}
	w.ResponseWriter.WriteHeader(w.status)
}

// notice begins every notice that the library encodes; no text inside a message
// can contain it, because quotes are escaped there.
var notice = []byte(`"method":"notifications/`)

// Write sends p, which the library gives in whole events or as one whole answer.
// An answer that comes after notices becomes the last event.
func (w *answerWriter) Write(p []byte) (int, error) {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if w.x.method == mcp.MethodSubscriptionsListen && bytes.Contains(p, notice) && (w.x.acknowledged || w.x.fault != nil) {
		return len(p), nil // the library acknowledges what was opened, or refused, here
	}
	if w.x.method == mcp.MethodSubscriptionsListen && w.x.fault != nil && !w.begun {
		w.Header().Set("Content-Type", "application/json") // refused before it began: no stream
	}
	w.begin()
	switch {
	case w.stream && w.x.fault != nil:
		return len(p), w.event(w.x.answer(nil))
	case w.stream && (bytes.HasPrefix(p, []byte("event:")) || bytes.HasPrefix(p, []byte("id:"))):
		if bytes.Contains(p, notice) {
			w.noticed = true
		} else if err := w.acknowledge(); err != nil {
			return 0, err
		}
		return w.ResponseWriter.Write(p)
	case w.stream:
		return len(p), w.event(w.x.answer(bytes.TrimSpace(p)))
	case w.x.fault != nil:
		_, err := w.ResponseWriter.Write(w.x.answer(nil))
		return len(p), err
	}
	return w.ResponseWriter.Write(p)
}

// event writes a message as an event and flushes it.
func (w *answerWriter) event(message []byte) error {
	return w.push(fmt.Appendf(nil, "event: message\ndata: %s\n\n", message))
}

// push writes part of a stream and flushes it. A client that takes nothing for
// long has gone; it delays nobody else.
func (w *answerWriter) push(p []byte) error {
	control := http.NewResponseController(w.ResponseWriter)
	_ = control.SetWriteDeadline(time.Now().Add(pushTime)) // not every writer has one
	if _, err := w.ResponseWriter.Write(p); err != nil {
		return err
	}
	if err := control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// notify is how an exchange over HTTP sends notices: the answer becomes a stream.
func (w *answerWriter) notify(ctx context.Context, method string, params map[string]any) error {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if !w.begun {
		w.Header().Set("Content-Type", eventStream)
		w.Header().Set("Cache-Control", "no-cache")
		w.begin()
	}
	if !w.stream {
		return errNoNotices
	}
	return w.event(mustEncode(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": method, "params": params}))
}

// alive writes a comment, which clients pass over, to a stream that has begun.
func (w *answerWriter) alive() error {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if !w.stream {
		return errNoNotices
	}
	return w.push([]byte(": alive\n\n"))
}

// acknowledge writes the notice that must come first on a stream of
// subscriptions, when the library has lost it: where there is nothing to
// subscribe to, its answer follows at once. By the time it writes an answer it
// has written a notice or never will.
func (w *answerWriter) acknowledge() error {
	if w.x.method != mcp.MethodSubscriptionsListen || w.noticed || w.x.acknowledged {
		return nil
	}
	w.noticed = true
	return w.event(mustEncode(map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "method": mcp.MethodNotificationSubscriptionsAcknowledged,
		"params": map[string]any{"_meta": map[string]any{mcp.MetaKeySubscriptionID: w.x.id}, "notifications": mcp.SubscriptionFilter{}},
	}))
}

// Flush sends what is buffered, and before it the headers of a stream. A writer
// that cannot flush sends later, in the same order.
func (w *answerWriter) Flush() {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	switch {
	case !w.begun && w.x.fault != nil:
		return // the answer is not what the library has begun
	case w.status != 0 && strings.HasPrefix(w.Header().Get("Content-Type"), eventStream):
		w.begin()
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// finish sends the status of an answer without a body.
func (w *answerWriter) finish() {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if w.status != 0 {
		w.begin()
	}
}
