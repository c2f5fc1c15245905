package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/meshd/meshd/gateway/rest"
)

// ws is one client of the socket.
type ws struct {
	t    testing.TB
	conn *websocket.Conn
	ctx  context.Context
	id   string // its peer id
}

// wsFrame is a frame as a client reads it.
type wsFrame struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Payload   map[string]any `json:"payload"`
	SenderID  string         `json:"senderId"`
	Timestamp int64          `json:"timestamp"`
}

func (l *live) dial(query, key string) (*ws, *http.Response, error) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 2*time.Minute)
	l.t.Cleanup(cancel)
	o := &websocket.DialOptions{Subprotocols: []string{"mesh.v1"}, HTTPHeader: http.Header{}}
	if key != "" {
		o.HTTPHeader.Set("Authorization", "Bearer "+key)
	}
	conn, resp, err := websocket.Dial(ctx, l.server.URL+"/api/mesh/ws"+query, o)
	if err != nil {
		return nil, resp, err
	}
	l.t.Cleanup(func() { _ = conn.CloseNow() })
	return &ws{t: l.t, conn: conn, ctx: ctx}, resp, nil
}

// socket is a client that has proved itself.
func (l *live) socket(query, key string) *ws {
	l.t.Helper()
	c, _, err := l.dial(query, key)
	must(l.t, err)
	f := c.want("auth")
	c.id = f.Payload["peer_id"].(string)
	return c
}

func (c *ws) send(f any) {
	c.t.Helper()
	raw, ok := f.(string)
	if !ok {
		raw = encode(c.t, f)
	}
	must(c.t, c.conn.Write(c.ctx, websocket.MessageText, []byte(raw)))
}

func (c *ws) next() (f wsFrame, err error) {
	_, raw, err := c.conn.Read(c.ctx)
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(raw, &f)
}

func (c *ws) want(typ string) wsFrame {
	c.t.Helper()
	f, err := c.next()
	if err != nil || f.Type != typ {
		c.t.Fatalf("frame %+v, %v, want %s", f, err, typ)
	}
	return f
}

// wantClose reads until the server ends the socket.
func (c *ws) wantClose(code int) {
	c.t.Helper()
	for {
		if _, err := c.next(); err != nil {
			if got := websocket.CloseStatus(err); got != websocket.StatusCode(code) {
				c.t.Fatalf("closed with %d (%v), want %d", got, err, code)
			}
			return
		}
	}
}

type obj = map[string]any

func TestSocketProvesItself(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	agent, key := l.register("Ada", 1)
	c := l.socket("", key)
	if c.id == "" {
		t.Error("no peer id")
	}
	ticket := l.want(l.do(apiCall{method: "POST", path: "/api/mesh/events/ticket", key: key}), 200, "").json["ticket"].(string)
	l.socket("?ticket="+ticket, "")
	c, _, err := l.dial("", "")
	must(t, err)
	c.send(obj{"id": "1", "type": "auth", "payload": obj{"token": key}})
	if f := c.want("auth"); f.Payload["agent_id"] != agent || f.Payload["ok"] != true || f.Payload["seq"].(float64) < 1 || f.SenderID != "server" {
		t.Errorf("auth %+v", f)
	}
	for name, first := range map[string]any{
		"another type": obj{"type": "ping"}, "no token": obj{"type": "auth"},
		"a wrong token": obj{"type": "auth", "payload": obj{"token": key[:len(key)-1] + "x"}},
		"a jwt":         obj{"type": "auth", "payload": obj{"token": "eyJ.a.b"}},
	} {
		c, _, err := l.dial("", "")
		must(t, err)
		c.send(first)
		c.wantClose(4401)
		_ = name
	}
	c, _, err = l.dial("", "")
	must(t, err)
	c.send("not json")
	c.wantClose(4400)
	// Anything but a handshake gets an error object.
	for _, r := range []reply{l.get("/api/mesh/ws"), l.do(apiCall{method: "HEAD", path: "/api/mesh/ws", key: key}), l.do(apiCall{method: "GET", path: "/api/mesh/ws", key: key, header: map[string]string{
		"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "12", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}})} {
		if r.StatusCode != 400 || r.Header.Get("Upgrade") != "websocket" {
			t.Errorf("%d %s", r.StatusCode, r.raw)
		}
	}
	// A credential that is wrong in a header is refused before the upgrade.
	if _, resp, err := l.dial("", "mesh_sk_wrong"); err == nil || resp.StatusCode != 401 {
		t.Errorf("a wrong key: %v", err)
	}
	if _, resp, err := l.dial("?team=gld_x", key); err == nil || resp.StatusCode != 404 {
		t.Errorf("an unknown team: %v", err)
	}
}

func TestSilentSocketIsCut(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	c, _, err := l.dial("", "")
	must(t, err)
	begun := time.Now()
	c.wantClose(4401)
	if took := time.Since(begun); took < 4*time.Second || took > 15*time.Second {
		t.Errorf("cut after %v", took)
	}
}

func TestSocketWithoutSubprotocolIsCut(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	conn, _, err := websocket.Dial(t.Context(), l.server.URL+"/api/mesh/ws", nil)
	must(t, err)
	(&ws{t: t, conn: conn, ctx: t.Context()}).wantClose(4400)
}

func TestSocketFrames(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	agent, key := l.register("Ada", 1)
	for name, c := range map[string]struct {
		frame any
		code  int
	}{
		"broken":            {`{"type":`, 4400},
		"no type":           {obj{"id": "1"}, 4400},
		"two":               {`{"type":"ping"}{"type":"ping"}`, 4400},
		"a list":            {`[]`, 4400},
		"unknown delivery":  {obj{"type": "ping", "delivery": "pigeon"}, 4400},
		"deep":              {`{"type":"ping","payload":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, 4400},
		"long":              {obj{"type": "ping", "payload": strings.Repeat("x", 64<<10)}, 4400},
		"a long id":         {obj{"type": "ping", "id": strings.Repeat("x", 129)}, 4400},
		"many targets":      {obj{"type": "ping", "targetId": make([]string, 51)}, 4400},
		"not UTF-8":         {"{\"type\":\"ping\",\"id\":\"\xff\"}", 4400},
		"a forged sender":   {obj{"type": "ping", "senderId": "server"}, 4403},
		"another as sender": {obj{"type": "ping", "senderId": "agt_other"}, 4403},
	} {
		t.Run(name, func(t *testing.T) {
			s := l.socket("", key)
			s.t = t
			s.send(c.frame)
			s.wantClose(c.code)
		})
	}
	s := l.socket("", key)
	must(t, s.conn.Write(s.ctx, websocket.MessageBinary, []byte(`{"type":"ping"}`)))
	s.wantClose(4400)
	s = l.socket("", key)
	s.send(obj{"id": "7", "type": "ping", "senderId": agent, "payload": obj{"n": 1}})
	if f := s.want("pong"); f.ID != "7" || f.Payload["n"] != 1.0 {
		t.Errorf("pong %+v", f)
	}
	for typ, code := range map[string]string{"dance": "invalid_param", "auth": "invalid_param", "state-sync": "invalid_param", "join": "forbidden", "action": "forbidden", "rpc": "invalid_param"} {
		s.send(obj{"id": typ, "type": typ})
		if f := s.want("error"); f.ID != typ || f.Payload["code"] != code {
			t.Errorf("%s: %+v", typ, f)
		}
	}
}

func TestSocketSendsEvents(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	_, key := l.register("Ada", 1)
	_, other := l.register("Bob", 2)
	s := l.socket("", key)
	s.send(obj{"id": "s", "type": "subscribe", "payload": obj{"kinds": []string{"entry.*", "key.*"}}})
	s.want("subscribe")
	l.planted(l.mesh.AddAgent("Carl"), lesson)
	first := s.want("event")
	for first.Payload["kind"] == "key.created" { // of the registration
		first = s.want("event")
	}
	if first.Payload["kind"] != "entry.created" || first.Payload["seq"].(float64) < 1 {
		t.Errorf("event %+v", first)
	}
	l.want(l.do(apiCall{method: "POST", path: "/api/mesh/keys", key: other, body: `{"label":"x","scopes":["mesh:read"]}`}), 201, "")
	l.want(l.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: `{"label":"x","scopes":["mesh:read"]}`}), 201, "")
	own := s.want("event")
	if own.Payload["kind"] != "key.created" {
		t.Errorf("event %+v", own)
	}
	s.send(obj{"id": "u", "type": "unsubscribe"})
	s.send(obj{"id": "p", "type": "ping"})
	s.want("pong")
	l.planted(l.mesh.AddAgent("Dora"), lesson)
	s.send(obj{"id": "b", "type": "subscribe", "payload": obj{"since": fmt.Sprintf("%.0f", first.Payload["seq"]), "kinds": []string{"entry.created"}}})
	s.want("subscribe")
	if f := s.want("event"); f.Payload["seq"].(float64) <= own.Payload["seq"].(float64) {
		t.Errorf("came back to %+v", f)
	}
	s.send(obj{"id": "f", "type": "subscribe", "payload": obj{"since": "5"}})
	s.want("subscribe")
	if f := s.want("reset"); f.Payload["from"] != "5" {
		t.Errorf("reset %+v", f)
	}
	s.send(obj{"id": "k", "type": "subscribe", "payload": obj{"kinds": []string{"weather.*"}}})
	if f := s.want("error"); f.Payload["code"] != "invalid_param" {
		t.Errorf("%+v", f)
	}
}

func TestPeersMeetInARoom(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	ada, adaKey := l.register("Ada", 1)
	bob, bobKey := l.register("Bob", 2)
	query := "?room=" + ada
	a, b, c := l.socket(query, adaKey), l.socket(query, bobKey), l.socket(query, bobKey)
	join := obj{"id": "j", "type": "join", "payload": obj{"roomId": ada}}
	a.send(join)
	if f := a.want("room-state"); len(f.Payload["peers"].([]any)) != 0 {
		t.Errorf("alone: %+v", f)
	}
	b.send(join)
	if f := b.want("room-state"); f.Payload["peers"].([]any)[0].(obj)["peerId"] != a.id {
		t.Errorf("second: %+v", f)
	}
	if f := a.want("peer-joined"); f.Payload["peerId"] != b.id || f.Payload["agentId"] != bob || f.SenderID != "server" {
		t.Errorf("joined: %+v", f)
	}
	// Whoever has not joined neither sends nor receives.
	c.send(obj{"id": "o", "type": "offer", "targetId": a.id, "payload": obj{"sdp": "x"}})
	if f := c.want("error"); f.Payload["code"] != "forbidden" {
		t.Errorf("%+v", f)
	}
	b.send(obj{"id": "o", "type": "offer", "targetId": a.id, "payload": obj{"sdp": "x", "peerId": "forged", "roomId": ada}})
	if f := a.want("offer"); f.SenderID != b.id || f.Payload["peerId"] != b.id || f.Payload["sdp"] != "x" || f.ID != "o" {
		t.Errorf("offer: %+v", f)
	}
	a.send(obj{"type": "action", "targetId": "all", "payload": obj{"name": "wave"}})
	for _, s := range []*ws{a, b} {
		if f := s.want("action"); f.SenderID != a.id || f.Payload["name"] != "wave" {
			t.Errorf("action: %+v", f)
		}
	}
	b.send(obj{"type": "action", "targetId": "host", "payload": obj{"name": "ask"}})
	a.want("action")
	b.send(obj{"id": "x", "type": "answer", "targetId": "peer_none"})
	if f := b.want("error"); f.Payload["code"] != "not_found" {
		t.Errorf("%+v", f)
	}
	b.send(obj{"type": "join", "payload": obj{"roomId": bob}})
	if f := b.want("error"); f.Payload["code"] != "forbidden" {
		t.Errorf("another room: %+v", f)
	}
	must(t, b.conn.Close(websocket.StatusNormalClosure, ""))
	if f := a.want("peer-left"); f.Payload["peerId"] != b.id {
		t.Errorf("left: %+v", f)
	}
}

func TestCallsOverASocket(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	agent, key := l.register("Ada", 1)
	s := l.socket("", key)
	rpc := func(method string, params obj) obj {
		t.Helper()
		s.send(obj{"id": "r", "type": "rpc", "payload": obj{"method": method, "params": params}})
		f, err := s.next()
		must(t, err)
		if f.ID != "r" {
			t.Fatalf("%s: %+v", method, f)
		}
		return f.Payload
	}
	if got := rpc("get-api-mesh-me", nil); got["status"] != 200.0 || !strings.Contains(encode(t, got["result"]), agent) {
		t.Errorf("me: %v", got)
	}
	put := rpc("post-api-mesh-contribute", contribution("over a socket"))
	if put["status"] != 201.0 {
		t.Fatalf("contribute: %v", put)
	}
	id := put["result"].(obj)["id"].(string)
	if got := rpc("get-api-mesh-entry-id", obj{"id": id}); got["result"].(obj)["entry"].(obj)["content"] == "" {
		t.Errorf("entry: %v", got)
	}
	if got := rpc("get-api-mesh-feed", obj{"limit": 1, "type": "gotcha"}); got["result"].(obj)["count"] != 1.0 {
		t.Errorf("feed: %v", got)
	}
	for method, c := range map[string]struct {
		params obj
		code   string
	}{
		"get-api-mesh-entry-id":  {obj{}, "invalid_param"},
		"get-api-mesh-feed":      {obj{"limit": "many"}, "invalid_param"},
		"get-api-mesh-search":    {obj{"q": obj{}}, "invalid_param"},
		"get-api-mesh-events":    {nil, "not_found"},
		"post-mcp":               {nil, "not_found"},
		"get-api-mesh-ws":        {nil, "not_found"},
		"post-api-mesh-register": {obj{}, "invalid_name"},
	} {
		got := rpc(method, c.params)
		if e, ok := got["error"].(obj); ok {
			got = e
		}
		if got["code"] != c.code {
			t.Errorf("%s: %v, want %s", method, got, c.code)
		}
	}
}

func TestRevokedKeyEndsItsSocket(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	_, key := l.register("Ada", 1)
	second := l.want(l.do(apiCall{method: "POST", path: "/api/mesh/keys", key: key, body: `{"label":"x","scopes":["mesh:read"]}`}), 201, "").json
	s := l.socket("", second["api_key"].(string))
	l.want(l.do(apiCall{method: "DELETE", path: "/api/mesh/keys/" + second["key"].(obj)["id"].(string), key: key}), 200, "")
	s.send(obj{"id": "r", "type": "rpc", "payload": obj{"method": "get-api-mesh-me"}})
	if f := s.want("rpc"); f.Payload["error"].(obj)["code"] != "key_revoked" {
		t.Errorf("a call of a dead key: %+v", f)
	}
	begun := time.Now()
	s.wantClose(4401)
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("a dead key kept its socket for %v", took)
	}
}

func TestSocketsAreLimitedAndDrained(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	_, key := l.register("Ada", 1)
	var open []*ws
	for range 10 {
		open = append(open, l.socket("", key))
	}
	c, _, err := l.dial("", key)
	must(t, err)
	c.wantClose(4429)
	flood := open[0]
	for range 400 {
		if flood.conn.Write(flood.ctx, websocket.MessageText, []byte(`{"type":"heartbeat"}`)) != nil {
			break
		}
	}
	flood.wantClose(4429)
	done := make(chan struct{})
	go func() {
		l.handler.(*rest.Handler).Drain()
		close(done)
	}()
	for _, s := range open[1:] {
		s.wantClose(4503)
	}
	<-done
}
