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

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/service"
)

// exchange is one message on its way through the library and back. The library
// tells every error of a handler as an internal one and answers a refused call
// with 200; a handler leaves here what the answer has to be instead. One
// goroutine handles a message; notify alone may be called by several.
type exchange struct {
	method mcp.MCPMethod
	id     json.RawMessage
	token  json.RawMessage // for progress, as the client wrote it
	uri    string          // of a resource, as the client wrote it
	cursor string          // of a list that is made here

	fault     *mcp.JSONRPCErrorDetails // the answer is this error
	status    int                      // of HTTP, 0 for the library's
	challenge string                   // WWW-Authenticate that goes with status

	noticeMu sync.Mutex // one notice after another, each written before the next
	send     func(ctx context.Context, method string, params map[string]any) error
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
	}
	if json.Unmarshal(message, &m) != nil {
		return &exchange{}
	}
	x := &exchange{id: m.ID, method: m.Method}
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
// that the answer cannot overtake it. It fails when the client is gone or hears
// no notices.
func (x *exchange) notify(ctx context.Context, method string, params map[string]any) error {
	if x.send == nil {
		return errNoNotices
	}
	x.noticeMu.Lock()
	defer x.noticeMu.Unlock()
	return x.send(ctx, method, params)
}

var errNoNotices = errors.New("this request hears no notices")

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
	service.ErrorBody
	URI string `json:"uri,omitempty"`
}

// refuse answers the exchange of ctx with a JSON-RPC error that carries the
// error object of the API, and returns that error for the library, which drops
// it. uri is the resource that was asked for, if one was.
func (m *Server) refuse(ctx context.Context, err error, uri string) error {
	c, x := service.CallerFrom(ctx), exchangeOf(ctx)
	body := service.NewErrorBody(err, c.RequestID)
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

// answerWriter is the HTTP response of an exchange. It holds back status and
// headers until the first byte, so that the exchange has the last word, and it
// knows how many notices have been flushed to the client.
//
// The library writes notices in a goroutine of its own and takes them out of
// their queue before it asks whether the answer is being written; a notice in
// between is lost. Waiting for each to be flushed leaves none in between.
type answerWriter struct {
	http.ResponseWriter
	x      *exchange
	status int
	begun  bool

	countMu          sync.Mutex
	written, flushed int
	told             chan struct{} // closed and replaced with every flush
}

func newAnswerWriter(w http.ResponseWriter, x *exchange) *answerWriter {
	return &answerWriter{ResponseWriter: w, x: x, told: make(chan struct{})}
}

// Unwrap gives the writer below to http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader remembers the status until the first byte.
func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *answerWriter) streams() bool {
	return strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
}

// begin sends status and headers, once.
func (w *answerWriter) begin() {
	if w.begun {
		return
	}
	w.begun = true
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if w.x.status != 0 && !w.streams() {
		w.status = w.x.status
		if w.x.challenge != "" {
			w.Header().Set("WWW-Authenticate", w.x.challenge)
		}
	}
	w.ResponseWriter.WriteHeader(w.status)
}

// notice begins every notice that the library encodes; no text inside a message
// can hold it, because quotes are escaped there.
var notice = []byte(`"method":"notifications/`)

// Write sends p. The library writes each event and each answer in one piece.
func (w *answerWriter) Write(p []byte) (int, error) {
	first := !w.begun
	w.begin()
	switch {
	case w.streams():
		if bytes.Contains(p, notice) {
			w.countMu.Lock()
			w.written++
			w.countMu.Unlock()
		}
	case w.x.fault != nil && !first:
		return len(p), nil
	case w.x.fault != nil:
		if _, err := w.ResponseWriter.Write(w.x.answer(nil)); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Flush sends what is buffered and tells who waits for it. A writer that cannot
// flush sends later, in the same order.
func (w *answerWriter) Flush() {
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	w.countMu.Lock()
	defer w.countMu.Unlock()
	if w.flushed != w.written {
		w.flushed = w.written
		close(w.told)
		w.told = make(chan struct{})
	}
}

// waitFor returns when n notices have been flushed, or the error of ctx.
func (w *answerWriter) waitFor(ctx context.Context, n int) error {
	for {
		w.countMu.Lock()
		done, told := w.flushed >= n, w.told
		w.countMu.Unlock()
		if done {
			return nil
		}
		select {
		case <-told:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sendBy is how an exchange over HTTP sends notices: through the library, one at
// a time.
func (w *answerWriter) sendBy(rpc *server.MCPServer) func(context.Context, string, map[string]any) error {
	sent := 0
	return func(ctx context.Context, method string, params map[string]any) error {
		ctx, cancel := context.WithTimeout(ctx, noticeTime)
		defer cancel()
		if err := rpc.SendNotificationToClient(ctx, method, params); err != nil {
			return err
		}
		sent++
		return w.waitFor(ctx, sent)
	}
}

// finish sends the status of an answer without a body.
func (w *answerWriter) finish() {
	if w.status != 0 {
		w.begin()
	}
}
