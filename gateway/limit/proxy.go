package limit

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the address ranges whose X-Forwarded-For is believed. The zero
// value believes nobody. It is safe for concurrent use.
type Proxies struct{ ranges []netip.Prefix }

// ParseProxies reads addresses and CIDR ranges, and returns every problem.
func ParseProxies(list []string) (Proxies, error) {
	var p Proxies
	var errs []error
	for _, s := range list {
		r, err := netip.ParsePrefix(s)
		if a, isAddr := netip.ParseAddr(s); isAddr == nil {
			r, err = a.Unmap().WithZone("").Prefix(a.Unmap().BitLen())
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("trusted proxy %q is neither an address nor a range", s))
			continue
		}
		p.ranges = append(p.ranges, r.Masked())
	}
	return p, errors.Join(errs...)
}

// Trusts reports whether a is one of the proxies.
func (p Proxies) Trusts(a netip.Addr) bool {
	for _, r := range p.ranges {
		if r.Contains(a) {
			return true
		}
	}
	return false
}

// ClientAddr returns the address a request comes from: that of the connection,
// or, when it is a trusted proxy's, the nearest address of X-Forwarded-For that
// is not. Entries are read from the right, because everything left of the first
// untrusted one may be invented; a broken entry ends the walk at the proxy that
// sent it. A request without an address, as on a local socket, gives the zero
// Addr.
func (p Proxies) ClientAddr(r *http.Request) netip.Addr {
	client, ok := parseAddr(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	if !p.Trusts(client) {
		return client
	}
	hops := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for range maxHops {
		var hop string
		if i := strings.LastIndexByte(hops, ','); i >= 0 {
			hops, hop = hops[:i], hops[i+1:]
		} else {
			hops, hop = "", hops
		}
		a, ok := parseAddr(strings.TrimSpace(hop))
		if !ok {
			return client
		}
		client = a
		if !p.Trusts(a) {
			return client
		}
	}
	return client
}

// Forwarded is the scheme and host by which a client reached a trusted proxy, as the
// proxy that the connection is from gives them in X-Forwarded-Proto and, where it asks
// for another host than the client did, X-Forwarded-Host. ok is false when the
// connection is no trusted proxy's or it gives no scheme. Of several values the last
// counts, which that proxy wrote.
func (p Proxies) Forwarded(r *http.Request) (scheme, host string, ok bool) {
	from, known := parseAddr(r.RemoteAddr)
	if !known || !p.Trusts(from) {
		return "", "", false
	}
	last := func(name string) string {
		all := strings.Join(r.Header.Values(name), ",")
		return strings.TrimSpace(all[strings.LastIndexByte(all, ',')+1:])
	}
	scheme, host = strings.ToLower(last("X-Forwarded-Proto")), last("X-Forwarded-Host")
	if host == "" {
		host = r.Host
	}
	return scheme, host, scheme == "http" || scheme == "https"
}

// parseAddr reads an address with or without a port, unmapped and zoneless.
func parseAddr(s string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	a, err := netip.ParseAddr(s)
	return a.Unmap().WithZone(""), err == nil
}
