package host

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

// settle finds the addresses to listen on. libp2p shares a TCP port with any
// other process of the same user, so two nodes would each get half of the
// connections; hence every port is tried here first, without sharing. A taken
// one is an error, or with AnyPort exchanged for one free port in all of the
// addresses that have it.
func settle(cfg Config) ([]ma.Multiaddr, Port, error) {
	addrs, err := multiaddrs(cfg.Listen)
	if err != nil || len(cfg.Simulation) > 0 {
		// Simulated networks have no ports of this machine.
		return addrs, Port{}, err
	}
	var port Port
	for _, a := range addrs {
		if port.Wanted == 0 {
			port.Wanted = portOf(a)
		}
	}
	port.Got = port.Wanted
	var taken ma.Multiaddr
	for _, a := range addrs {
		if portOf(a) != 0 && !free(a) {
			taken = a
			break
		}
	}
	switch {
	case taken == nil:
		return addrs, port, nil
	case !cfg.AnyPort:
		return nil, port, fmt.Errorf("listen for peers: %s is in use", taken)
	}
	for range portTries {
		got, err := freePort(addrs[0])
		if err != nil {
			return nil, port, err
		}
		moved, ok := move(addrs, got)
		if ok {
			port.Got = got
			return moved, port, nil
		}
	}
	return nil, port, errors.New("listen for peers: no port is free for TCP and UDP alike")
}

// move puts port into all addrs; ok says that it is free in each.
func move(addrs []ma.Multiaddr, port int) (moved []ma.Multiaddr, ok bool) {
	for _, a := range addrs {
		b := withPort(a, port)
		if !free(b) {
			return nil, false
		}
		moved = append(moved, b)
	}
	return moved, true
}

// endpoint is the part of a that a socket is bound to: address and port.
func endpoint(a ma.Multiaddr) (socket, rest ma.Multiaddr) {
	if len(a) < 2 {
		return a, nil
	}
	return a[:2], a[2:]
}

func portOf(a ma.Multiaddr) int {
	for _, code := range []int{ma.P_TCP, ma.P_UDP} {
		if s, err := a.ValueForProtocol(code); err == nil {
			n, _ := strconv.Atoi(s)
			return n
		}
	}
	return 0
}

func withPort(a ma.Multiaddr, port int) ma.Multiaddr {
	socket, rest := endpoint(a)
	if len(socket) != 2 {
		return a
	}
	c, err := ma.NewComponent(socket[1].Protocol().Name, strconv.Itoa(port))
	if err != nil {
		return a
	}
	return append(ma.Multiaddr{socket[0], *c}, rest...)
}

// free reports whether nobody listens on a's port. An address that cannot be
// tried, such as IPv6 where there is none, counts as free: libp2p leaves it
// out when it listens.
func free(a ma.Multiaddr) bool {
	socket, _ := endpoint(a)
	netw, addr, err := manet.DialArgs(socket)
	if err != nil {
		return true
	}
	switch netw {
	case "tcp", "tcp4", "tcp6":
		l, err := net.Listen(netw, addr)
		if err != nil {
			return !errors.Is(err, syscall.EADDRINUSE)
		}
		l.Close()
	case "udp", "udp4", "udp6":
		c, err := net.ListenPacket(netw, addr)
		if err != nil {
			return !errors.Is(err, syscall.EADDRINUSE)
		}
		c.Close()
	}
	return true
}

// freePort asks the system for a free TCP port at the IP of a.
func freePort(a ma.Multiaddr) (int, error) {
	ip, err := manet.ToIP(a)
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(ip.String(), "0"))
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
