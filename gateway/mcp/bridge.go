package mcp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Bridge lets a program that speaks MCP over pipes use a server elsewhere: it
// posts each line of in to address and writes the answers to out, until in ends
// or ctx does. A key, if any, goes along as bearer token, and to no other host:
// redirects are not followed. Either generation of the protocol passes; the
// headers that HTTP wants are made of the message.
//
// Every call of a tool gets an idempotency key unless it has one, so that all
// requests may be repeated: up to three times, when the server cannot be
// reached or asks for patience. A request that fails for good is answered with
// a JSON-RPC error.
//
// The server is asked for the named toolsets, and the bridge remembers what
// enable_toolset adds to them; without names the server chooses.
func Bridge(ctx context.Context, address, key string, toolsets []string, in io.Reader, out io.Writer) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("read server address: not an http address")
	}
	b := &bridge{address: address, key: key, toolsets: toolsets, pause: bridgePause, over: make(chan struct{}), client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: headerTime, MaxIdleConnsPerHost: maxInFlight},
	}}
	defer b.client.CloseIdleConnections()
	return eachLine(ctx, &endingReader{in: in, over: b.over}, out, b.answer)
}

// bridge is one conversation.
type bridge struct {
	client       *http.Client
	address, key string
	pause        time.Duration
	version      atomic.Value  // string: what an initialize agreed on
	session      atomic.Value  // string: the session it began, of a server that keeps sessions
	over         chan struct{} // closed when the client says no more

	mu       sync.Mutex
	listens  map[string]openStream // of changes by the id of their request
	toolsets []string              // that the server is asked for; none: it chooses
}

// envelope is what the bridge reads of a message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string                     `json:"name"`
		URI  string                     `json:"uri"`
		Ends json.RawMessage            `json:"requestId"` // of a cancellation
		Meta map[string]json.RawMessage `json:"_meta"`
		Args json.RawMessage            `json:"arguments"`
		Of   json.RawMessage            `json:"notifications"` // that a stream of changes has
	} `json:"params"`
}

const metaVersion = "io.modelcontextprotocol/protocolVersion"

// answer posts one message and returns the line that answers it, nil for none.
// Notices on the way are passed on as they come.
func (b *bridge) answer(ctx context.Context, line []byte, send func([]byte)) []byte {
	if fault := check(line); fault != nil {
		return mustEncode(*fault)
	}
	var e envelope
	if err := json.Unmarshal(line, &e); err != nil {
		return mustEncode(rpcError(nil, mcp.PARSE_ERROR, "the message is not valid JSON-RPC"))
	}
	switch e.Method {
	case string(mcp.MethodToolsCall):
		line = withKey(line)
	case string(mcp.MethodSubscriptionsListen):
		if len(e.ID) > 0 {
			return b.listen(ctx, line, e, send)
		}
	case string(mcp.MethodNotificationCancelled):
		if b.hangUp(e.Params.Ends) {
			return nil // over HTTP that is how a stream ends
		}
	}
	var err error
	for try := range bridgeTries {
		if try > 0 && !wait(ctx, b.pause<<(try-1)) {
			return nil
		}
		var reply []byte
		var again bool
		if reply, again, err = b.try(ctx, line, e, send); !again {
			if err == nil && e.Method == string(mcp.MethodInitialize) {
				b.noteVersion(reply)
			}
			if err == nil && e.Method == string(mcp.MethodToolsCall) && e.Params.Name == enableTool {
				b.noteToolset(reply, e.Params.Args, send)
			}
			if err == nil {
				return reply
			}
			break
		}
	}
	if ctx.Err() != nil || len(e.ID) == 0 {
		return nil
	}
	return refusal(e.ID, err)
}

// refusal is the error line of a request that got no answer. The id goes back
// as it came.
func refusal(id json.RawMessage, err error) []byte {
	body := map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id}
	detail := map[string]any{"code": mcp.INTERNAL_ERROR, "message": err.Error()}
	var s *serverError
	if errors.As(err, &s) && s.data != nil {
		detail["data"] = s.data
	}
	body["error"] = detail
	return mustEncode(body)
}

// serverError is an answer that is no message of the protocol.
type serverError struct {
	status int
	text   string
	data   json.RawMessage // the error object, when the server sent one
}

func (e *serverError) Error() string {
	return fmt.Sprintf("the server answered %d: %s", e.status, e.text)
}

// try posts a message within its time.
func (b *bridge) try(ctx context.Context, line []byte, e envelope, send func([]byte)) (reply []byte, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, bridgeTime)
	defer cancel()
	return b.post(ctx, line, e, send)
}

// post sends a message once. again says that the same may be tried later.
func (b *bridge) post(ctx context.Context, line []byte, e envelope, send func([]byte)) (reply []byte, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.address, bytes.NewReader(line))
	if err != nil {
		return nil, false, fmt.Errorf("make request: %w", err)
	}
	b.setHeaders(req.Header, e)
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, true, errors.New("the server cannot be reached") // the cause names hosts and ports of the owner
	}
	defer resp.Body.Close()
	if id := resp.Header.Get(server.HeaderKeySessionID); id != "" && e.Method == string(mcp.MethodInitialize) && len(id) <= maxSessionID {
		b.session.Store(headerText(id))
	}
	if resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent {
		return nil, false, nil
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" {
		reply, err = readEvents(resp.Body, send)
		return reply, err != nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxMessage+1))
	if err != nil || len(body) > maxMessage {
		return nil, err != nil, errors.New("the server's answer cannot be read whole")
	}
	if isMessage(body) {
		return body, false, nil
	}
	return nil, resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500, newServerError(resp.StatusCode, body)
}

// setHeaders adds what either generation of the protocol wants in headers.
func (b *bridge) setHeaders(h http.Header, e envelope) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if b.key != "" {
		h.Set("Authorization", "Bearer "+b.key)
	}
	b.setToolsets(h)
	var modern string
	if json.Unmarshal(e.Params.Meta[metaVersion], &modern) == nil && modern != "" {
		h.Set(mcp.HeaderProtocolVersion, headerText(modern))
		h.Set("Mcp-Method", headerText(e.Method))
		if name := e.Params.Name + e.Params.URI; name != "" {
			h.Set("Mcp-Name", headerText(name))
		}
		return
	}
	if e.Method == string(mcp.MethodInitialize) {
		return
	}
	if v, ok := b.version.Load().(string); ok {
		h.Set(mcp.HeaderProtocolVersion, v)
	}
	if id, ok := b.session.Load().(string); ok {
		h.Set(server.HeaderKeySessionID, id)
	}
}

// headerText drops what no header may contain; the server then sees that header
// and body differ, and says so.
func headerText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e {
			return -1
		}
		return r
	}, s)
}

// noteVersion remembers what an older client and the server agreed on.
func (b *bridge) noteVersion(reply []byte) {
	var r struct {
		Result struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(reply, &r) == nil && r.Result.Version != "" {
		b.version.Store(headerText(r.Result.Version))
	}
}

// withKey gives a call an idempotency key of its own.
func withKey(line []byte) []byte {
	var message, params, meta map[string]json.RawMessage
	if json.Unmarshal(line, &message) != nil || json.Unmarshal(message["params"], &params) != nil || params == nil {
		return line
	}
	if raw, ok := params["_meta"]; ok && json.Unmarshal(raw, &meta) != nil {
		return line
	}
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	if _, ok := meta["idempotencyKey"]; ok {
		return line
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	meta["idempotencyKey"] = json.RawMessage(`"bridge-` + hex.EncodeToString(b[:]) + `"`)
	params["_meta"] = mustEncode(meta)
	message["params"] = mustEncode(params)
	return mustEncode(message)
}

// isMessage reports whether body is a JSON-RPC message.
func isMessage(body []byte) bool {
	var m struct {
		Version string `json:"jsonrpc"`
	}
	return json.Unmarshal(body, &m) == nil && m.Version == mcp.JSONRPC_VERSION
}

// newServerError reads the error object of a refusal, if it is one.
func newServerError(status int, body []byte) error {
	var o struct {
		Code  string `json:"code"`
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &o) == nil && o.Code != "" {
		return &serverError{status, o.Code + ": " + o.Error, json.RawMessage(bytes.TrimSpace(body))}
	}
	text := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "")), " "))
	return &serverError{status: status, text: string(text[:min(len(text), maxErrorText)])}
}

// readEvents reads a stream of events and returns the answer in it. Notices on
// the way are passed on; a request of the server's is not forwarded, since its answer
// could not find the way back.
func readEvents(r io.Reader, send func([]byte)) ([]byte, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxMessage)
	for s.Scan() {
		data, ok := bytes.CutPrefix(s.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || !isMessage(data) {
			continue
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		switch _ = json.Unmarshal(data, &m); { // isMessage has read it
		case m.Method == "":
			return bytes.Clone(data), nil
		case len(m.ID) == 0:
			send(bytes.Clone(data))
		}
	}
	return nil, errors.New("the server's stream broke off")
}

// wait pauses before another try; false when ctx ended first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
