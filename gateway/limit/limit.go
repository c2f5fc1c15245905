// Package limit slows callers down: token buckets per agent or address, the
// client's address behind trusted proxies, and the headers that inform a caller
// where it stands.
//
// A request is measured by several meters at once: the agent's or the address's
// own bucket, and where the table says so one per day, one for the address
// prefix and one for the sponsor's tree. It passes when every meter has a token
// left, and only then costs one of each.
//
// Meters live in memory: a restart forgives. With a [Pool] they are drawn from one that
// several gateways share. There is a bounded number of them;
// when an attacker makes the limiter forget the longest unused one, that meter
// starts full again, which the meters of whole prefixes, in constant use under
// such an attack, outlive.
//
// Start with [New] and [Limiter.Allow]; write the [Decision] with [Headers].
package limit

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

// Limiter keeps the meters. It is safe for concurrent use.
type Limiter struct {
	disabled   bool
	quantities map[Bucket]Quantity
	pool       Pool // nil: no other gateway counts

	mu     sync.Mutex // guards what follows
	apart  int64      // Unix nanoseconds until which the pool is not asked, since it failed
	meters map[meterKey]*list.Element
	order  *list.List // of *meter, the longest unused last
}

// New returns a limiter with every bucket full.
func New(cfg Config) (*Limiter, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Limiter{
		disabled:   cfg.Disabled,
		quantities: cfg.quantities(),
		pool:       cfg.Pool,
		meters:     make(map[meterKey]*list.Element),
		order:      list.New(),
	}, nil
}

// Principal is who asks.
type Principal struct {
	Agent   string     // agent id; "" for an anonymous caller
	Since   time.Time  // when the agent was made; zero counts as long ago
	Sponsor string     // root of the agent's sponsor tree, or ""
	Addr    netip.Addr // client address; the zero Addr is an address like any other
}

// Decision is the answer to a request. Limit, Remaining, Reset and Window
// describe the meter with the least left; of a refusal, the one to wait for
// longest.
type Decision struct {
	OK           bool
	Bucket       Bucket
	Limit        int           // requests per window
	Remaining    int           // requests that would pass now
	ResetSeconds int           // until the bucket is full, rounded up
	RetryAfter   int           // seconds until one request passes, at least 1; 0 when OK
	Window       time.Duration // 0: the limiter is disabled and no header is written
}

// Allow asks for one request of p at now. Times are those of one steady clock;
// when it steps back, nothing refills until it has caught up, for at most one
// window. A bucket without a row, or one closed to anonymous callers, allows
// nothing: answer those with 401 before asking here.
func (l *Limiter) Allow(b Bucket, p Principal, now time.Time) Decision {
	if l.disabled {
		return Decision{OK: true, Bucket: b}
	}
	at := now.UnixNano()
	l.mu.Lock()
	defer l.mu.Unlock()
	d := Decision{OK: true, Bucket: b}
	used := l.metersOf(b, p, now)
	if len(used) == 0 {
		return Decision{Bucket: b, RetryAfter: seconds(window), Window: window}
	}
	alone := l.draw(used, at)
	for _, m := range used {
		d.OK = d.OK && m.ready(at, alone)
	}
	for _, m := range used {
		if d.OK {
			m.pay(at)
		}
	}
	worst := used[0]
	for _, m := range used[1:] {
		if m.wait(at) > worst.wait(at) || d.OK && m.left(at) < worst.left(at) {
			worst = m
		}
	}
	d.Limit, d.Window = worst.quantity, worst.window
	d.Remaining = worst.left(at)
	d.ResetSeconds = seconds(worst.debt(at))
	if !d.OK {
		d.RetryAfter = max(1, seconds(worst.wait(at)))
	}
	return d
}

// metersOf returns the meters of one request, the principal's own first, and
// none when the bucket is closed to it.
func (l *Limiter) metersOf(b Bucket, p Principal, now time.Time) []*meter {
	q := l.quantities[b]
	addr, group := prefixes(p.Addr)
	var used []*meter
	add := func(kind byte, id string, quantity int, w time.Duration) {
		used = append(used, l.meter(meterKey{b, kind, id}, quantity, w))
	}
	switch {
	case p.Agent != "" && q.Agent > 0:
		add('a', p.Agent, q.Agent, window)
		if p.Sponsor != "" {
			add('s', p.Sponsor, treeTimes*q.Agent, window)
		}
	case p.Agent == "" && q.Anonymous > 0:
		add('i', addr, q.Anonymous, window)
		add('g', group, groupTimes*q.Anonymous, window)
	default:
		return nil
	}
	switch {
	case b == Contribute && !p.Since.IsZero() && now.Sub(p.Since) < newborn:
		add('n', p.Agent, contributeFirstDay, day)
	case b == Contribute:
		add('d', p.Agent, contributePerDay, day)
	case b == Register:
		// Also for callers with a key: registering must not buy the right to
		// register more.
		add('d', group, registerPerDayAndGroup, day)
	}
	return used
}

// Prefix names the network that an address belongs to, whose requests may be of one
// person: /32, or /56 of IPv6.
func Prefix(a netip.Addr) string {
	one, _ := prefixes(a)
	return one
}

// prefixes names the address and its group: /32 and /24, or /56 and /48.
func prefixes(a netip.Addr) (addr, group string) {
	a = a.Unmap().WithZone("")
	one, all := 32, 24
	if a.Is6() {
		one, all = 56, 48
	}
	// Prefix fails for the zero Addr only, which then groups with itself.
	p, _ := a.Prefix(one)
	g, _ := a.Prefix(all)
	return p.String(), g.String()
}

type meterKey struct {
	bucket Bucket
	kind   byte // a agent, s sponsor tree, i address, g prefix, d day, n first day
	id     string
}

// meter finds or makes a meter and marks it used.
func (l *Limiter) meter(k meterKey, quantity int, w time.Duration) *meter {
	if e, ok := l.meters[k]; ok {
		l.order.MoveToFront(e)
		return e.Value.(*meter)
	}
	if l.order.Len() >= maxMeters {
		last := l.order.Back()
		l.order.Remove(last)
		delete(l.meters, last.Value.(*meter).key)
	}
	m := &meter{key: k, quantity: quantity, window: w}
	l.meters[k] = l.order.PushFront(m)
	return m
}

// meter is a token bucket kept as one number (the generic cell rate algorithm,
// ITU-T I.371): full is the time at which the bucket will be full again. The
// missing tokens are (full - now) / interval, so nothing is lost to rounding
// and nothing ticks.
type meter struct {
	key      meterKey
	quantity int
	window   time.Duration
	full     int64 // Unix nanoseconds
	reserved reserved
	asking   chan struct{} // closed when the Pool has answered; nil: nobody asks
}

// interval is the time in which one token grows.
func (m *meter) interval() time.Duration { return m.window / time.Duration(m.quantity) }

// debt is the time until the bucket is full, at most the whole window: a clock
// that stepped back must not lock anyone out for longer.
func (m *meter) debt(at int64) time.Duration {
	return min(max(0, time.Duration(m.full-at)), m.interval()*time.Duration(m.quantity))
}

// wait is the time until a request passes.
func (m *meter) wait(at int64) time.Duration {
	return max(0, m.debt(at)-m.interval()*time.Duration(m.quantity-1))
}

// left is the number of whole tokens.
func (m *meter) left(at int64) int {
	return m.reserved.tokens + m.quantity - int((m.debt(at)+m.interval()-1)/m.interval())
}

// spend takes one token; wait must be 0.
func (m *meter) spend(at int64) { m.full = at + int64(m.debt(at)+m.interval()) }

// seconds rounds up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
