package rest

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/room"
	"github.com/meshd/meshd/gateway/stream"
)

// handle does what a frame of the client asks for.
func (s *socket) handle(ctx context.Context, f frame) error {
	switch f.Type {
	case "heartbeat", "pong":
		return nil
	case "ping":
		s.notify(f.ID, "pong", f.Payload)
		return nil
	case "subscribe":
		return s.subscribe(ctx, f)
	case "unsubscribe":
		if s.events != nil {
			s.events()
			s.events = nil
		}
		return nil
	case "rpc":
		return s.rpc(ctx, f)
	case "join":
		return s.join(ctx, f)
	case "leave":
		return s.leave(f)
	case "offer", "answer", "ice-candidate", "action":
		return s.pass(f)
	case "auth":
		return reason.Refuse(reason.InvalidParam, "the socket has an agent already")
	case "state-sync":
		return s.sync(ctx, f)
	}
	return reason.Refuse(reason.InvalidParam, "no such type of frame")
}

// subscribe delivers events from a place on, instead of those asked for before.
func (s *socket) subscribe(ctx context.Context, f frame) error {
	raw := []byte(f.Payload)
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	v, err := subscribeForm.FromJSON(raw)
	if err != nil {
		return err
	}
	if s.events != nil {
		s.events()
	}
	opened, err := s.channel.Open(ctx, journal.Socket, stream.EventsForm.Read(v), "")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	s.events = func() {
		cancel()
		<-done
		opened.Close()
	}
	s.notify(f.ID, "subscribe", map[string]any{"ok": true, "seq": opened.Head, "oldest_seq": opened.Oldest})
	if opened.Reset != nil {
		s.notify(f.ID, string(reason.Reset), map[string]any{"from": opened.Reset.From, "to": opened.Reset.To, "resync": s.channel.Resync})
	}
	go func() {
		defer close(done)
		s.pump(ctx, opened)
	}()
	return nil
}

// subscribeForm is that of a stream, with since as a number too.
var subscribeForm = stream.EventsForm.Pick("kinds", "domain", "since", "tail")

// pump sends the events of a stream. Rights are asked again by write.
func (s *socket) pump(ctx context.Context, stream *journal.Stream) {
	masked := stream.View().Masked
	for {
		d, err := stream.Next(ctx)
		if err != nil {
			return
		}
		for _, e := range d.Events {
			s.notify(e.ID, "event", json.RawMessage(e.JSON(masked)))
		}
		if d.End != "" {
			s.peer.Cut(d.End)
			return
		}
	}
}

// room reads which room a frame is about: the one it names, if the socket may
// join it, else the socket's first.
func (s *socket) room(f frame) (string, error) {
	var p struct {
		RoomID string `json:"roomId"`
	}
	if len(f.Payload) > 0 && json.Unmarshal(f.Payload, &p) != nil {
		return "", reason.Refuse(reason.InvalidParam, "the payload must be an object, and roomId a text")
	}
	switch {
	case p.RoomID == "" && len(s.rooms) > 0:
		return s.rooms[0], nil
	case slices.Contains(s.rooms, p.RoomID):
		return p.RoomID, nil
	}
	return "", call.Hinted(reason.Forbidden, "this socket may not join that room", "name it when the socket is opened: ?team= or ?room=")
}

func (s *socket) join(ctx context.Context, f frame) error {
	id, err := s.room(f)
	if err != nil {
		return err
	}
	already := s.peer.In(id)
	size := room.MaxMembers
	if id == s.visits { // as the scene is by now
		visit, err := s.h.service.Visits.RoomOf(ctx, s.caller, id)
		if err != nil {
			return err
		}
		size = visit.Size
	}
	there, err := s.peer.Join(id, size)
	if err != nil {
		return err
	}
	if there == nil {
		there = []room.Ref{}
	}
	s.notify(f.ID, "room-state", map[string]any{"roomId": id, "peerId": s.peer.ID, "peers": there, "timestamp": f.Timestamp})
	if already || len(there) == 0 {
		return nil
	}
	// Whoever came since has seen this peer in the state of the room.
	to := make([]string, len(there))
	for i, ref := range there {
		to[i] = ref.PeerID
	}
	s.announce(id, "peer-joined", to)
	return nil
}

func (s *socket) leave(f frame) error {
	id, err := s.room(f)
	if err != nil {
		return err
	}
	if s.peer.Leave(id) {
		s.departed(id)
	}
	return nil
}

func (s *socket) announce(id, typ string, to []string) {
	now := s.h.service.Access.Now()
	s.peer.Send(id, to, ownFrame("", typ, map[string]any{
		"roomId": id, "peerId": s.peer.ID, "agentId": s.caller.AgentID, "timestamp": now.UnixMilli()}, now), false)
}

func (s *socket) departed(id string) { s.announce(id, "peer-left", []string{room.Others}) }

// pass hands a frame to peers of a room. What it says of its sender is what the
// server knows.
func (s *socket) pass(f frame) error {
	id, err := s.room(f)
	if err != nil {
		return err
	}
	if !s.peer.In(id) {
		return call.Hinted(reason.Forbidden, "the socket is not in that room", "send join first")
	}
	payload := map[string]json.RawMessage{}
	if len(f.Payload) > 0 && json.Unmarshal(f.Payload, &payload) != nil {
		return reason.Refuse(reason.InvalidParam, "the payload must be an object")
	}
	for k, v := range map[string]any{"roomId": id, "peerId": s.peer.ID, "timestamp": f.Timestamp} {
		if payload[k], err = json.Marshal(v); err != nil {
			return err
		}
	}
	if f.Payload, err = json.Marshal(payload); err != nil {
		return err
	}
	raw, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if s.peer.Send(id, f.TargetID, raw, f.Delivery == "unreliable") == 0 && f.Type != "action" {
		return reason.Refuse(reason.NotFound, "nobody of that name is in the room")
	}
	return nil
}
