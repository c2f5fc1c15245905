package edge

import (
	"net"
	"net/netip"
	"sync"
)

// LimitPerAddress closes connections at once that come from an address with
// most open ones already; of IPv6 a /56 is one address. exempt, if not nil, names
// addresses without a limit, such as proxies. refused, if not nil, is called for
// each connection that was closed.
//
// A closed connection is the answer to a client that would keep many open: anything
// said to it, an error page or a TLS alert, costs more than it does.
func LimitPerAddress(ln net.Listener, most int, exempt func(netip.Addr) bool, refused func()) net.Listener {
	if exempt == nil {
		exempt = func(netip.Addr) bool { return false }
	}
	if refused == nil {
		refused = func() {}
	}
	return &limited{Listener: ln, most: most, exempt: exempt, refused: refused, open: make(map[netip.Prefix]int)}
}

type limited struct {
	net.Listener
	most    int
	exempt  func(netip.Addr) bool
	refused func()

	mu   sync.Mutex // guards open
	open map[netip.Prefix]int
}

// Accept returns the next connection that is within the limit.
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, known := remote(c)
		if !known || l.exempt(from) {
			return c, nil
		}
		group := groupOf(from)
		if l.take(group) {
			return &counted{Conn: c, end: func() { l.give(group) }}, nil
		}
		l.refused()
		_ = c.Close() // it was never used
	}
}

func (l *limited) take(g netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[g] >= l.most || len(l.open) >= maxTracked && l.open[g] == 0 {
		return false
	}
	l.open[g]++
	return true
}

func (l *limited) give(g netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[g]--; l.open[g] <= 0 {
		delete(l.open, g)
	}
}

// counted gives its place back when it is closed.
type counted struct {
	net.Conn
	once sync.Once
	end  func()
}

func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.end)
	return err
}

func remote(c net.Conn) (netip.Addr, bool) {
	at, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}, false
	}
	a, ok := netip.AddrFromSlice(at.IP)
	return a.Unmap(), ok
}

// groupOf is one IPv4 address, or the IPv6 network that one subscriber has.
func groupOf(a netip.Addr) netip.Prefix {
	bits := 32
	if a.Is6() {
		bits = 56
	}
	p, _ := a.Prefix(bits) // fails for an invalid address only
	return p
}
