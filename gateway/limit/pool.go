package limit

import (
	"time"
)

// Pool is a set of meters that several gateways take tokens of. Each takes a few at a
// time, so that most requests ask nobody; what it does not spend before it would have
// grown again is lost. So all of them together never let more pass than one would, and
// each reserves at most one part in poolParts of a budget.
type Pool interface {
	// Take takes tokens of a meter: as many as wanted, or those that are left. debt is
	// the time until the meter is full again. An error says that nothing is known; the
	// Limiter then counts for itself for a moment.
	Take(m Metered, tokens int) (got int, debt time.Duration, err error)
}

// Metered names a meter of a Pool.
type Metered struct {
	ID       string        // says nothing of who it is to who has no other list of callers
	Interval time.Duration // in which one token grows
	Quantity int           // tokens when full
}

// reserved are tokens of a Pool that wait for requests here.
type reserved struct {
	tokens int
	until  int64 // Unix nanoseconds; then as many have grown anew
}

// batch is how many tokens are taken at once.
func (m *meter) batch() int { return max(1, min(m.quantity/poolParts, maxPoolBatch)) }

// ready reports whether one request passes: by a token that is reserved, or without a Pool by
// the meter itself.
func (m *meter) ready(at int64, alone bool) bool {
	if m.reserved.tokens > 0 && at < m.reserved.until {
		return true
	}
	m.reserved = reserved{}
	return alone && m.wait(at) == 0
}

// pay takes the token of a request; ready must have been true.
func (m *meter) pay(at int64) {
	if m.reserved.tokens > 0 {
		m.reserved.tokens--
		return
	}
	m.spend(at)
}

// draw takes tokens of the Pool for the meters that have none and may have some, and
// reports whether to count alone. The mutex is free while the Pool is asked.
func (l *Limiter) draw(used []*meter, at int64) (alone bool) {
	if l.pool == nil {
		return true
	}
	for again := true; again; {
		again = false
		for _, m := range used {
			// The meter is at least as empty for everybody as it was when this one asked last.
			for !m.ready(at, false) && m.wait(at) == 0 {
				if at < l.apart {
					return true
				}
				again = true // others may spend meanwhile what was found before
				l.ask(m, at)
			}
		}
	}
	return false
}

// ask takes tokens of a meter, or waits for whoever does so already: a client that sends many
// requests at once must not take everything here.
func (l *Limiter) ask(m *meter, at int64) {
	if done := m.asking; done != nil {
		l.mu.Unlock()
		<-done
		l.mu.Lock()
		return
	}
	done := make(chan struct{})
	m.asking = done
	id := string(m.key.bucket) + "\x00" + string(m.key.kind) + "\x00" + m.key.id
	l.mu.Unlock()
	got, debt, err := l.pool.Take(Metered{ID: id, Interval: m.interval(), Quantity: m.quantity}, m.batch())
	l.mu.Lock()
	m.asking = nil
	close(done)
	if err != nil {
		l.apart = at + int64(poolRest)
		return
	}
	if m.full = at + int64(debt); got > 0 {
		m.reserved = reserved{got, at + int64(got)*int64(m.interval())}
	} else if m.wait(at) == 0 {
		m.full = at + int64(m.interval())*int64(m.quantity) // it says that none is left
	}
}
