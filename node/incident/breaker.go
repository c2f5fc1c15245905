package incident

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"
)

// ErrOpen is what a breaker answers instead of a call while it is open. Nothing
// was asked.
var ErrOpen = errors.New("circuit breaker is open")

// State is how a breaker stands.
type State string

// The states.
const (
	Closed   State = "closed"    // calls go through
	Opened   State = "open"      // calls are refused
	HalfOpen State = "half_open" // the next call goes through, to try
)

// Breaker guards the calls of one component. It is safe for concurrent use; a nil
// Breaker lets everything through.
type Breaker struct {
	book      *Book
	component string

	failures int // in a row
	rest     time.Duration
	until    time.Time // open until then; zero: closed
	trying   bool      // a call that tries is on its way
}

// Breaker is the guard of a component, the same at every call.
func (b *Book) Breaker(component string) *Breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.breakers[component] == nil {
		b.breakers[component] = &Breaker{book: b, component: component}
	}
	return b.breakers[component]
}

// Do calls f unless the breaker is open, then it returns ErrOpen. failed reports whether
// an error of f is the fault of the component, not of the request.
func (k *Breaker) Do(f func() error, failed func(error) bool) error {
	if k == nil {
		return f()
	}
	if !k.enter() {
		return ErrOpen
	}
	ended := false
	defer func() {
		if !ended { // a panic says nothing of the component, but the next may try
			k.book.mu.Lock()
			k.trying = false
			k.book.mu.Unlock()
		}
	}()
	err := f()
	ended = true
	k.leave(err, err != nil && failed(err))
	return err
}

func (k *Breaker) enter() bool {
	k.book.mu.Lock()
	defer k.book.mu.Unlock()
	switch k.state() {
	case Opened:
		return false
	case HalfOpen:
		if k.trying {
			return false
		}
		k.trying = true
	}
	return true
}

func (k *Breaker) leave(err error, failed bool) {
	k.book.mu.Lock()
	defer k.book.mu.Unlock()
	k.trying = false
	if !failed {
		k.failures, k.rest, k.until = 0, 0, time.Time{}
		k.book.recover(k.component)
		return
	}
	if k.failures++; k.failures < tolerated {
		return
	}
	k.rest = min(cmp.Or(2*k.rest, firstRest), longest)
	k.until = k.book.now().Add(k.rest)
	k.book.fail(k.component, err.Error(), false)
}

func (k *Breaker) state() State {
	switch {
	case k.until.IsZero():
		return Closed
	case k.book.now().Before(k.until):
		return Opened
	}
	return HalfOpen
}

// Reading is how a breaker stands at a moment.
type Reading struct {
	Component string
	State     State
	Failures  int       // in a row
	RetryAt   time.Time // when it lets a call through again; zero when it does now
}

// Readings are all breakers, by component.
func (b *Book) Readings() []Reading {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]Reading, 0, len(b.breakers))
	for _, name := range slices.Sorted(maps.Keys(b.breakers)) {
		k := b.breakers[name]
		r := Reading{Component: name, State: k.state(), Failures: k.failures}
		if r.State == Opened {
			r.RetryAt = k.until.UTC()
		}
		out = append(out, r)
	}
	return out
}
