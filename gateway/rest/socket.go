package rest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/room"
	"github.com/meshd/meshd/gateway/stream"
)

const subprotocol = "mesh.v1"

// socketRequest says what a socket is for.
type socketRequest struct {
	call.Request
	Team   string `field:"team"`
	Room   string `field:"room"`
	Ticket string `field:"ticket"`
}

// socketForm reads a socketRequest.
var socketForm = call.Define[socketRequest](call.Form{
	{Name: "team", Max: call.MaxIDText, Help: "A team whose events and room the socket may have."},
	{Name: "room", Max: call.MaxIDText, Help: "The agent whose room the socket may join."},
	{Name: "ticket", Max: stream.MaxTicket, Help: "A ticket instead of a key, for clients that cannot send headers."},
})

func (h *Handler) socketRoute() route {
	return route{stream: true, raw: h.serveSocket, Route: endpoint.Route{Method: "GET", Path: "/api/mesh/ws", Summary: "A WebSocket for events, rooms and calls",
		Bucket: limit.Read, Query: socketForm.Form, Status: http.StatusSwitchingProtocols,
		Codes: []reason.Code{reason.InvalidToken, reason.NotAMember, reason.TeamNotFound, reason.AgentNotFound, reason.SceneNotFound, reason.NotReady}}}
}

// socket is one connection. run reads it; what is sent by others goes through
// one writing goroutine each for peers, events and calls.
type socket struct {
	h       *Handler
	conn    *websocket.Conn
	request *http.Request
	caller  call.Caller
	channel *stream.Channel // what it may receive
	rooms   []string        // it may join, the first by default
	visits  string          // the one of them that is an agent's, "" for none
	peer    *room.Peer
	calls   chan struct{} // a place for each call that runs
	events  context.CancelFunc
	stirred chan struct{} // stirred by every frame of the client
	budget  allowance
}

func (h *Handler) serveSocket(w http.ResponseWriter, r *http.Request) {
	v, err := socketForm.FromQuery(r.URL.Query())
	wanted := socketForm.Read(v)
	s := &socket{h: h, request: r, caller: call.CallerFrom(r.Context()), calls: make(chan struct{}, maxCalls), stirred: make(chan struct{}, 1)}
	known := s.caller.Kind != auth.Anonymous
	if err == nil {
		err = upgrades(w, r)
	}
	if err == nil && (known || s.caller.Warning != "") {
		err = s.admit(r.Context(), wanted)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	// Origins were judged by admit; credentials come by header, ticket or frame,
	// never by cookie, so that a page of another origin has none to abuse.
	s.conn, err = websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}, InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	defer s.conn.CloseNow()
	s.conn.SetReadLimit(2 * maxFrame) // a frame somewhat too long is answered by its own code
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	if s.conn.Subprotocol() != subprotocol {
		s.end(closeBadFrame, "the subprotocol is "+subprotocol)
		return
	}
	if !known && !s.introduce(ctx, wanted) {
		return
	}
	if err := s.enter(); err != nil {
		s.refuse(err)
		return
	}
	defer s.exit()
	s.run(ctx)
}

// upgrades refuses a request that is no opening handshake of a WebSocket (RFC 6455
// §4.2.1), so that its answer is an error object like any other.
func upgrades(w http.ResponseWriter, r *http.Request) error {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key"))
	if r.Method == http.MethodGet && canHijack(w) && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && hasToken(r.Header.Get("Connection"), "upgrade") &&
		r.Header.Get("Sec-WebSocket-Version") == "13" && err == nil && len(key) == 16 && len(r.Header.Values("Sec-WebSocket-Key")) == 1 {
		return nil
	}
	w.Header().Set("Upgrade", "websocket")
	return call.Hinted(reason.InvalidParam, "this path takes WebSockets alone", "open it with a WebSocket client and the subprotocol "+subprotocol)
}

// canHijack reports whether a connection can be taken over, which one of HTTP/2
// cannot.
func canHijack(w http.ResponseWriter) bool {
	for {
		if _, ok := w.(http.Hijacker); ok {
			return true
		}
		inner, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return false
		}
		w = inner.Unwrap()
	}
}

func hasToken(list, want string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.TrimSpace(part), want) {
			return true
		}
	}
	return false
}

// admit finds what the caller may receive and join.
func (s *socket) admit(ctx context.Context, wanted socketRequest) error {
	own, err := s.h.service.Streams.OwnChannel(ctx, s.caller)
	if err != nil {
		return err
	}
	s.channel = s.h.service.Streams.PublicChannel(s.caller).Join(own)
	if text := wanted.Team; text != "" {
		team, err := s.h.service.Streams.TeamChannel(ctx, s.caller, text)
		if err != nil {
			return err
		}
		s.channel = s.channel.Join(team)
		s.rooms = append(s.rooms, text)
	}
	if text := wanted.Room; text != "" {
		visit, err := s.h.service.Visits.RoomOf(ctx, s.caller, text)
		if err != nil {
			return err
		}
		s.visits, s.rooms = visit.ID, append(s.rooms, visit.ID)
	}
	return nil
}

// introduce waits for the frame auth, which must be the first.
func (s *socket) introduce(ctx context.Context, wanted socketRequest) bool {
	// A context that ends would cut the connection without a word.
	late := time.AfterFunc(authTime, func() { s.end(closeAuth, "no auth frame came") })
	kind, raw, err := s.conn.Read(ctx)
	if !late.Stop() || err != nil {
		return false
	}
	f, err := readFrame(raw)
	if err != nil || kind != websocket.MessageText {
		s.end(closeBadFrame, "not a frame")
		return false
	}
	var p struct {
		Token string `json:"token"`
	}
	if f.Type != "auth" || json.Unmarshal(f.Payload, &p) != nil || p.Token == "" {
		s.end(closeAuth, "the first frame must be auth")
		return false
	}
	with := s.request.Clone(ctx)
	with.Header = http.Header{"Authorization": {"Bearer " + p.Token}}
	caller, err := s.h.identify(http.Header{}, with)
	if err == nil {
		caller.RequestID, s.caller = s.caller.RequestID, caller
		err = s.admit(ctx, wanted)
	}
	if err != nil {
		s.refuse(err)
		return false
	}
	return true
}

// enter takes a place among the connections and sends the client who it is.
func (s *socket) enter() (err error) {
	agent := s.caller.AgentID
	if s.caller.Kind == auth.Owner {
		agent = "" // not counted
	}
	if s.peer, err = s.h.hall.Enter(agent); err != nil {
		return err
	}
	s.budget = newAllowance(s.h.service.Access.Now())
	s.notify("", "auth", map[string]any{"ok": true, "agent_id": s.caller.AgentID, "peer_id": s.peer.ID, "seq": s.h.service.Streams.Journal().Head(), "rooms": s.rooms})
	return nil
}

func (s *socket) exit() {
	if s.events != nil {
		s.events()
	}
	for _, id := range s.peer.Exit() {
		s.departed(id)
	}
}

// run serves the socket until either side ends it.
func (s *socket) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.write(ctx)
	}()
	defer func() {
		cancel()
		s.conn.CloseNow()
		<-done
		for range maxCalls { // every call has ended
			s.calls <- struct{}{}
		}
	}()
	for {
		kind, raw, err := s.conn.Read(ctx)
		if err != nil {
			return
		}
		select {
		case s.stirred <- struct{}{}:
		default:
		}
		if !s.budget.take(s.h.service.Access.Now()) {
			s.end(closeRate, "too many frames")
			return
		}
		f, err := readFrame(raw)
		if err != nil || kind != websocket.MessageText {
			s.end(closeBadFrame, "not a frame")
			return
		}
		if f.SenderID != "" && f.SenderID != s.peer.ID && f.SenderID != s.caller.AgentID {
			s.end(closeForbidden, "senderId is set by the server")
			return
		}
		f.SenderID, f.Timestamp = s.peer.ID, s.h.service.Access.Now().UnixMilli()
		if err := s.handle(ctx, f); err != nil {
			s.notify(f.ID, "error", fault(err, s.caller.RequestID))
		}
	}
}

// write sends what other peers say, heartbeats, and the end.
func (s *socket) write(ctx context.Context) {
	tick := time.NewTicker(journal.RecheckEvery)
	defer tick.Stop()
	silent, beat := time.Duration(0), time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.peer.Done():
			s.end(closeCode(s.peer.Why()), string(s.peer.Why()))
			return
		case message := <-s.peer.Out():
			s.send(message)
		case <-s.stirred:
			silent = 0
		case <-tick.C:
			if silent += journal.RecheckEvery; silent > 2*socketHeartbeat {
				s.end(closeHeartbeat, "no sign of life")
				return
			}
			if beat += journal.RecheckEvery; beat >= socketHeartbeat {
				beat = 0
				s.notify("", "heartbeat", struct{}{})
			}
			if err := s.permitted(ctx); err != nil && ctx.Err() == nil {
				s.refuse(err)
				return
			}
		}
	}
}

// permitted checks again the right that the socket was opened with.
func (s *socket) permitted(ctx context.Context) error {
	if err := s.channel.Check(ctx); err != nil || s.visits == "" {
		return err
	}
	_, err := s.h.service.Visits.RoomOf(ctx, s.caller, s.visits)
	return err
}

// refuse sends the reason and ends.
func (s *socket) refuse(err error) {
	s.notify("", "error", fault(err, s.caller.RequestID))
	code := knowledge.Explain(err).Code
	s.end(closeCode(code), string(code))
}

func (s *socket) end(code int, why string) { _ = s.conn.Close(websocket.StatusCode(code), why) }

func (s *socket) notify(id, typ string, payload any) {
	s.send(ownFrame(id, typ, payload, s.h.service.Access.Now()))
}

// send writes one frame. A client that takes nothing for long has gone; a failed
// write closes the connection, which ends run.
func (s *socket) send(raw []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), streamWriteTime)
	defer cancel()
	_ = s.conn.Write(ctx, websocket.MessageText, raw)
}

// Drain ends every socket, since the gateway is about to end, and returns when
// they have.
func (h *Handler) Drain() {
	h.hall.Close()
	h.hall.Wait()
}
