package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/stream"
	"github.com/meshd/meshd/identity/ucan"
)

// eventRoutes are the streams of events. They have no time-out; who may receive what
// is checked again while they are open.
func (h *Handler) eventRoutes() []route {
	serve := func(path, summary string, open func(r *http.Request, c call.Caller) (*stream.Channel, error)) route {
		return route{stream: true, raw: func(w http.ResponseWriter, r *http.Request) { h.streamEvents(w, r, open) },
			Route: endpoint.Route{Method: "GET", Path: path, Summary: summary, Bucket: limit.Read, Query: stream.EventsForm.Form, Kind: eventStream,
				Codes: []reason.Code{reason.InvalidToken, reason.NotReady}}}
	}
	public := serve("/api/mesh/events", "What happens in public, as server-sent events", func(_ *http.Request, c call.Caller) (*stream.Channel, error) {
		return h.service.Streams.PublicChannel(c), nil
	})
	own := serve("/api/mesh/me/events", "What happens to the caller's agent alone, and to admins incidents of the node, as server-sent events", func(r *http.Request, c call.Caller) (*stream.Channel, error) {
		return h.service.Streams.OwnChannel(r.Context(), c)
	})
	own.Needs = auth.Own(ucan.EventRead)
	live := serve("/api/mesh/team/{id}/room/live", "What happens in a team, as server-sent events", func(r *http.Request, c call.Caller) (*stream.Channel, error) {
		return h.service.Streams.TeamChannel(r.Context(), c, r.PathValue("id"))
	})
	live.Needs = access.Right(access.TeamRead)
	live.Codes = append(live.Codes, reason.TeamNotFound, reason.NotAMember)
	again := live
	again.Path = "/api/mesh/team/{id}/events"
	memory := serve("/api/crdt/{doc}/events", "What happens to a shared document, as server-sent events", func(r *http.Request, c call.Caller) (*stream.Channel, error) {
		return h.service.Streams.MemoryChannel(r.Context(), c, r.PathValue("doc"))
	})
	memory.Needs = auth.Right{On: auth.Document, Can: ucan.MemoryRead}
	memory.Codes = append(memory.Codes, reason.NotFound, reason.TeamNotFound, reason.NotAMember, reason.ZoneDenied, reason.InvalidParam)
	return []route{public, own, live, again, memory, h.socketRoute()}
}

const eventStream = "text/event-stream"

// byTicket is the caller of a stream that was asked for with a ticket.
func (h *Handler) byTicket(r *http.Request, c call.Caller) (call.Caller, error) {
	ticket := r.URL.Query().Get("ticket")
	if ticket == "" {
		return c, nil
	}
	return h.service.Streams.ByTicket(r.Context(), c, ticket)
}

func (h *Handler) streamEvents(w http.ResponseWriter, r *http.Request, find func(*http.Request, call.Caller) (*stream.Channel, error)) {
	v, err := stream.EventsForm.FromQuery(r.URL.Query())
	if err != nil {
		h.fail(w, r, err)
		return
	}
	channel, err := find(r, call.CallerFrom(r.Context()))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	out := w.Header()
	if r.Method == http.MethodHead {
		out.Set("Content-Type", eventStream)
		return
	}
	s, err := channel.Open(r.Context(), journal.SSE, stream.EventsForm.Read(v), r.Header.Get("Last-Event-ID"))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer s.Close()
	out.Set("Content-Type", eventStream)
	out.Set("Cache-Control", "no-store")
	out.Set("X-Accel-Buffering", "no") // a proxy must not wait for more
	w.WriteHeader(http.StatusOK)
	e := &eventWriter{w: w, control: http.NewResponseController(w), masked: s.View().Masked}
	// The connection's times are those of requests that end.
	_ = e.control.SetReadDeadline(time.Time{})
	e.greet(s, channel.Resync)
	for e.err == nil {
		d, err := s.Next(r.Context())
		if err != nil {
			return // the client has gone
		}
		e.deliver(d)
		if d.End != "" {
			e.bye(d.End)
			return
		}
		if d.Check {
			if err := channel.Check(r.Context()); err != nil {
				e.bye(knowledge.Explain(err).Code)
				return
			}
		}
	}
}

// eventWriter writes server-sent events to one client. After an error it writes
// nothing more.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	masked  bool
	err     error
}

// greet sends what every stream begins with. Its id is the place after which the
// stream goes on, so that a client that loses the connection now misses nothing.
func (e *eventWriter) greet(s *journal.Stream, resync string) {
	e.begin()
	e.frame(strconv.FormatUint(s.Start, 10), "hello", map[string]any{"seq": s.Head, "oldest_seq": s.Oldest, "heartbeat_s": int(journal.Heartbeat.Seconds())})
	e.write([]byte("retry: " + strconv.Itoa(int(retryTime.Milliseconds())) + "\n\n"))
	if s.Reset != nil {
		e.frame(strconv.FormatUint(s.Start, 10), string(reason.Reset), map[string]any{"from": s.Reset.From, "to": s.Reset.To, "resync": resync})
	}
	e.flush()
}

func (e *eventWriter) deliver(d journal.Delivery) {
	if len(d.Events) == 0 && !d.Ping {
		return
	}
	e.begin()
	for _, event := range d.Events {
		e.write(event.Frame(e.masked))
	}
	if d.Ping {
		e.write([]byte(": alive\n\n"))
	}
	e.flush()
}

func (e *eventWriter) bye(code reason.Code) {
	e.begin()
	e.frame("", "bye", map[string]any{"code": code})
	e.flush()
}

func (e *eventWriter) frame(id, kind string, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		e.err = fmt.Errorf("encode %s: %w", kind, err)
		return
	}
	e.write(journal.Frame(id, kind, raw))
}

// begin gives the client a time for what is written next: one that reads nothing
// delays its own stream alone, and not for ever.
func (e *eventWriter) begin() { _ = e.control.SetWriteDeadline(time.Now().Add(streamWriteTime)) }

func (e *eventWriter) write(p []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(p)
	}
}

func (e *eventWriter) flush() {
	if e.err == nil {
		e.err = e.control.Flush()
	}
}
