package events

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Reasons a subscription ends.
var (
	// ErrSlow means the buffer was full when the next event came. Everything up
	// to there was delivered, nothing after it.
	ErrSlow = errors.New("event subscriber is too slow")
	// ErrClosed means the bus or the subscription was closed.
	ErrClosed = errors.New("event bus is closed")
)

// Config are the choices of a bus; the zero value is sensible.
type Config struct {
	// Start is the sequence number before the first event, so that a bus may go
	// on counting where an earlier process ended.
	Start uint64
	// Now reads the clock in milliseconds; nil is the system clock.
	Now func() int64
}

// Bus delivers events to subscribers. All methods are safe for concurrent use.
type Bus struct {
	now func() int64

	mu     sync.Mutex // guards what follows and every send on a subscriber's channel
	seq    uint64
	subs   map[*Sub]struct{}
	closed bool
}

// New makes a bus without subscribers.
func New(cfg Config) *Bus {
	if cfg.Now == nil {
		cfg.Now = func() int64 { return time.Now().UnixMilli() }
	}
	return &Bus{now: cfg.Now, seq: cfg.Start, subs: map[*Sub]struct{}{}}
}

// Publish numbers e, stamps it unless At is set, and hands it to every
// subscriber of its kind. All subscribers see events in the order of their
// numbers. It never blocks on a subscriber, returns the number, and does
// nothing but return the last number once the bus is closed.
func (b *Bus) Publish(e Event) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return b.seq
	}
	b.seq++
	e.Seq = b.seq
	if e.At == 0 {
		e.At = b.now()
	}
	for s := range b.subs {
		if s.mask&e.Kind != 0 && !s.offer(e) {
			b.end(s, ErrSlow)
		}
	}
	return e.Seq
}

// Seq returns the number of the last event.
func (b *Bus) Seq() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seq
}

// Subscribe delivers the events of the kinds in mask that are published from
// now on. buffer is how many may wait, DefaultBuffer when it is 0, at most
// MaxBuffer. A subscriber whose buffer is full when an event comes is cut off:
// its channel is closed and Err is ErrSlow. The caller must Close it.
func (b *Bus) Subscribe(mask Kind, buffer int) *Sub { return b.subscribe(mask, buffer, false) }

// SubscribeLossy is like Subscribe, but a full buffer loses its oldest event,
// which Dropped counts.
func (b *Bus) SubscribeLossy(mask Kind, buffer int) *Sub { return b.subscribe(mask, buffer, true) }

func (b *Bus) subscribe(mask Kind, buffer int, lossy bool) *Sub {
	if buffer <= 0 {
		buffer = DefaultBuffer
	}
	s := &Sub{bus: b, mask: mask, lossy: lossy, ch: make(chan Event, min(buffer, MaxBuffer))}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs[s] = struct{}{}
	if b.closed {
		b.end(s, ErrClosed)
	}
	return s
}

// Close ends every subscription with ErrClosed, after what is already in its
// buffer. It may be called more than once.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for s := range b.subs {
		b.end(s, ErrClosed)
	}
}

// end closes a subscription; mu is locked. Only the first end counts.
func (b *Bus) end(s *Sub, err error) {
	if _, open := b.subs[s]; !open {
		return
	}
	delete(b.subs, s)
	s.err = err
	close(s.ch)
}

// Sub is one subscription. Its methods are safe for concurrent use.
type Sub struct {
	bus     *Bus
	mask    Kind
	lossy   bool
	ch      chan Event
	dropped atomic.Uint64
	err     error // guarded by bus.mu
}

// offer puts e into the buffer and reports whether that was possible; the mu of
// the bus is locked, so nobody else sends.
func (s *Sub) offer(e Event) bool {
	for {
		select {
		case s.ch <- e:
			return true
		default:
		}
		if !s.lossy {
			return false
		}
		select {
		case <-s.ch:
			s.dropped.Add(1)
		default: // the reader has just made room
		}
	}
}

// C is where events arrive. It is closed when the subscription ends; what was
// buffered can still be read.
func (s *Sub) C() <-chan Event { return s.ch }

// Err is nil while the subscription lives, then ErrSlow or ErrClosed.
func (s *Sub) Err() error {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	return s.err
}

// Dropped counts the events a lossy subscription has lost.
func (s *Sub) Dropped() uint64 { return s.dropped.Load() }

// Close ends the subscription with ErrClosed. It may be called more than once
// and after the bus has ended the subscription, whose Err it then leaves alone.
func (s *Sub) Close() {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	s.bus.end(s, ErrClosed)
}
