package journal

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/meshd/meshd/crdt/reason"
)

// View is what a reader may and wants to receive.
type View struct {
	Audiences []string // at least one
	Masked    bool     // the reader has no key
	Kinds     []string // kinds or areas such as entry.*; none: all
	Domain    string   // "": any
}

// wants reports whether an event is for this reader.
func (v *View) wants(e *Event) bool {
	return slices.Contains(v.Audiences, e.Audience) && (v.Domain == "" || v.Domain == e.Domain) && (len(v.Kinds) == 0 || slices.ContainsFunc(v.Kinds, func(k string) bool {
		area, all := strings.CutSuffix(k, "*")
		return k == e.Kind || all && strings.HasPrefix(e.Kind, area)
	}))
}

// Face is what carries a stream; each has its own count for an agent.
type Face uint8

// The faces.
const (
	SSE Face = iota
	Socket
	Watcher // of the Model Context Protocol: receives that objects changed
	faces
)

// Reader is who opens a stream, for the limits.
type Reader struct {
	Face  Face
	Agent string     // "" without a key
	Addr  netip.Addr // zero: not counted, as for the owner
}

// From says where a stream begins.
type From struct {
	Given bool   // the reader names the place after which it goes on
	Seq   uint64 // that place; Known says whether it could be read
	Known bool
	Text  string // as it was written
	Tail  int    // without a place: how many older events come first
}

// Reset informs a reader that events are missing between the place it named and
// those that follow.
type Reset struct {
	From string
	To   uint64
}

// Stream is one reader's events. Next is for one goroutine; Filter may be called
// by another.
type Stream struct {
	j      *Journal
	reader Reader
	slot   int

	// Head is the newest place when the stream began, and Oldest the first that
	// could be asked for.
	Head, Oldest uint64
	// Start is the place after which the stream delivers.
	Start uint64
	// Reset is set when the place asked for is not one of this stream.
	Reset *Reset

	replay []*Event // before what is queued
	after  uint64   // a replay from the database goes on here
	until  uint64   // and ends here

	mu    sync.Mutex // guards what follows
	view  View
	queue []*Event
	bytes int
	ended reason.Code // "" while the stream lives
	ping  bool
	check bool
	wake  chan struct{}
}

// Delivery is what Next returns.
type Delivery struct {
	Events []*Event
	Ping   bool        // a sign of life is due
	Check  bool        // the right to the stream should be asked for again
	End    reason.Code // why the stream ends, after Events; "" while it lives
}

// Next waits for something to do: events, a heartbeat, the end. It returns the
// error of ctx when that ends first.
func (s *Stream) Next(ctx context.Context) (Delivery, error) {
	if es, err := s.older(ctx); len(es) > 0 || err != nil {
		return Delivery{Events: es}, err
	}
	for {
		s.mu.Lock()
		d := Delivery{Events: s.queue, Ping: s.ping, Check: s.check, End: s.ended}
		s.queue, s.bytes, s.ping, s.check = nil, 0, false, false
		s.mu.Unlock()
		if len(d.Events) > 0 || d.Ping || d.Check || d.End != "" {
			return d, nil
		}
		select {
		case <-ctx.Done():
			return Delivery{}, ctx.Err()
		case <-s.wake:
		}
	}
}

// older returns the next part of a replay, nothing when it is over.
func (s *Stream) older(ctx context.Context) ([]*Event, error) {
	if es := s.replay; len(es) > 0 {
		s.replay = nil
		return es, nil
	}
	view := s.View()
	for s.after < s.until {
		rows, err := s.j.state.EventsAfter(ctx, s.after, view.Audiences, pageEvents)
		if err != nil {
			return nil, err
		}
		var out []*Event
		next := s.until
		if len(rows) == pageEvents {
			next = min(next, rows[len(rows)-1].Seq)
		}
		for i := range rows {
			if e := (&Event{Event: rows[i]}); e.Seq <= s.until && view.wants(e) {
				out = append(out, e)
			}
		}
		s.after = next
		if len(out) > 0 {
			return out, nil
		}
	}
	return nil, nil
}

// View is what the stream delivers now.
func (s *Stream) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}

// Filter changes the kinds that are delivered from now on.
func (s *Stream) Filter(kinds []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view.Kinds = kinds
}

// offer queues an event for the reader, and cuts a reader that has let too much
// wait. It never blocks.
func (s *Stream) offer(e *Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != "" || !s.view.wants(e) {
		return
	}
	if s.bytes += e.size(s.view.Masked); s.bytes > MaxBuffer {
		s.end(reason.SlowConsumer)
		return
	}
	s.queue = append(s.queue, e)
	s.stir()
}

// end lets what is queued out, then ends; mu is held.
func (s *Stream) end(code reason.Code) {
	if s.ended == "" {
		s.ended = code
	}
	s.stir()
}

func (s *Stream) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// tick marks what is due at a second of the journal's clock. Readers have
// different slots, so that not all of them stir at once.
func (s *Stream) tick(second int) {
	at := second + s.slot
	ping, check := at%int(Heartbeat.Seconds()) == 0, at%int(RecheckEvery.Seconds()) == 0
	if !ping && !check {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ping, s.check = s.ping || ping, s.check || check
	s.stir()
}

// Close ends the stream and frees its place. It may be called more than once.
func (s *Stream) Close() { s.j.drop(s) }

// Ended is closed over by a face that must know of the end while it writes.
func (s *Stream) Ended() reason.Code {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}
