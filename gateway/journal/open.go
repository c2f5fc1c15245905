package journal

import (
	"context"
	"net/netip"

	"github.com/meshd/meshd/crdt/reason"
)

// Open begins a stream for a reader. Refusals are rate_limited when the reader
// has too many, overloaded when the gateway has, and not_ready when it ends. The
// caller must Close the stream.
func (j *Journal) Open(ctx context.Context, who Reader, v View, from From) (*Stream, error) {
	s := &Stream{j: j, reader: who, view: v, wake: make(chan struct{}, 1)}
	if err := j.join(s, from); err != nil {
		return nil, err
	}
	if from.Given || from.Tail <= 0 {
		return s, nil
	}
	rows, err := j.state.EventsBefore(ctx, s.Head, v.Audiences, from.Tail)
	if err != nil {
		s.Close()
		return nil, err
	}
	if len(rows) > 0 {
		s.Start = rows[0].Seq - 1
	}
	for i := range rows {
		if e := (&Event{Event: rows[i]}); v.wants(e) {
			s.replay = append(s.replay, e)
		}
	}
	return s, nil
}

// join adds a stream to those that receive new events, and finds where its replay
// begins, at one moment: what is published later is queued, all before is in the
// replay.
func (j *Journal) join(s *Stream, from From) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.room(s.reader); err != nil {
		return err
	}
	s.Head, s.Oldest, s.Start = j.span.Head, j.span.Floor+1, j.span.Head
	switch {
	case !from.Given:
	case !from.Known || from.Seq > s.Head || from.Seq < j.span.Floor && from.Seq != 0:
		s.Reset = &Reset{From: from.Text, To: s.Head}
	case from.Seq >= j.ring.floor:
		s.replay, s.Start = j.ring.after(from.Seq, &s.view), from.Seq
	default:
		s.Start = max(from.Seq, j.span.Floor)
		s.after, s.until = max(from.Seq, j.span.Floor), s.Head
	}
	j.opened++
	s.slot = j.opened
	j.streams[s] = struct{}{}
	j.count(s.reader, +1)
	return nil
}

// room refuses a reader that has too many streams; mu is held.
func (j *Journal) room(r Reader) error {
	switch {
	case j.draining || !j.loaded:
		return retry(reason.NotReady, "the gateway is about to begin or to end", 1)
	case len(j.streams) >= MaxStreams:
		return retry(reason.Overloaded, "this gateway has no room for another stream", 30)
	case r.Agent != "" && j.byAgent[r.Face][r.Agent] >= MaxPerAgent:
		return retry(reason.RateLimited, "this agent has %d streams open", 30, MaxPerAgent)
	case r.Addr.IsValid() && j.byAddr[r.Addr] >= MaxPerAddr:
		return retry(reason.RateLimited, "this address has %d streams open", 30, MaxPerAddr)
	}
	return nil
}

func retry(code reason.Code, text string, seconds int, args ...any) error {
	return reason.Refuse(code, text, args...).With(map[string]any{"retry_after": seconds})
}

func (j *Journal) count(r Reader, by int) {
	if r.Agent != "" {
		add(j.byAgent[r.Face], r.Agent, by)
	}
	if r.Addr.IsValid() {
		add(j.byAddr, r.Addr, by)
	}
}

func add[K string | netip.Addr](m map[K]int, k K, by int) {
	if m[k] += by; m[k] <= 0 {
		delete(m, k)
	}
}

func (j *Journal) drop(s *Stream) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, there := j.streams[s]; there {
		delete(j.streams, s)
		j.count(s.reader, -1)
	}
}

// Drain ends every stream with not_ready after what is queued, and lets no new
// one in: the gateway is about to end, and readers come back to another or to the
// next process.
func (j *Journal) Drain() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.draining = true
	for s := range j.streams {
		s.mu.Lock()
		s.end(reason.NotReady)
		s.mu.Unlock()
	}
}

// Streams is how many are open.
func (j *Journal) Streams() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.streams)
}

// Recheck has every stream of an agent ask for its right again at once.
func (j *Journal) Recheck(agent string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for s := range j.streams {
		if s.reader.Agent == agent || agent == "" {
			s.mu.Lock()
			s.check = true
			s.stir()
			s.mu.Unlock()
		}
	}
}
