package limit

import (
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

func TestHeaders(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		d    Decision
		want http.Header
	}{
		{"passed", Decision{OK: true, Bucket: Search, Limit: 30, Remaining: 7, ResetSeconds: 46, Window: time.Minute}, http.Header{
			"Ratelimit-Limit": {"30"}, "Ratelimit-Remaining": {"7"}, "Ratelimit-Reset": {"46"}, "Ratelimit-Policy": {`"search";q=30;w=60`}}},
		{"refused", Decision{Bucket: Register, Limit: 100, ResetSeconds: 86400, RetryAfter: 864, Window: 24 * time.Hour}, http.Header{
			"Ratelimit-Limit": {"100"}, "Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"86400"}, "Ratelimit-Policy": {`"register";q=100;w=86400`},
			"Retry-After": {"864"}}},
		{"disabled", Decision{OK: true, Bucket: Search}, http.Header{}},
	}
	for _, c := range cases {
		h := http.Header{}
		Headers(h, c.d)
		if !reflect.DeepEqual(h, c.want) {
			t.Errorf("%s: %v, want %v", c.name, h, c.want)
		}
	}
	if r := cases[0].d.Refusal(); r != nil {
		t.Errorf("refusal of a request that passed: %v", r)
	}
	r := cases[1].d.Refusal()
	if r.Code != reason.RateLimited || !reflect.DeepEqual(r.Details, map[string]any{"bucket": "register", "retry_after": 864}) {
		t.Errorf("refusal %+v", r)
	}
}

func TestClientAddr(t *testing.T) {
	t.Parallel()
	p, err := ParseProxies([]string{"10.0.0.0/8", "192.0.2.9", "2001:db8::/32", "::ffff:203.0.113.7"})
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"direct", "198.51.100.1:4000", nil, "198.51.100.1"},
		{"direct v6", "[2001:db9::1]:4000", nil, "2001:db9::1"},
		{"mapped", "[::ffff:198.51.100.1]:4000", nil, "198.51.100.1"},
		{"stranger's word", "198.51.100.1:4000", []string{"1.1.1.1"}, "198.51.100.1"},
		{"proxy", "10.1.1.1:4000", []string{"1.1.1.1"}, "1.1.1.1"},
		{"mapped proxy", "203.0.113.7:4000", []string{"1.1.1.1"}, "1.1.1.1"},
		{"mapped range", "[::ffff:10.1.1.1]:4000", []string{"1.1.1.1"}, "1.1.1.1"},
		{"invented first entry", "10.1.1.1:4000", []string{"9.9.9.9, 1.1.1.1"}, "1.1.1.1"},
		{"two proxies", "10.1.1.1:4000", []string{"9.9.9.9, 1.1.1.1, 192.0.2.9"}, "1.1.1.1"},
		{"two headers", "10.1.1.1:4000", []string{"1.1.1.1", "192.0.2.9"}, "1.1.1.1"},
		{"proxies only", "10.1.1.1:4000", []string{"10.2.2.2"}, "10.2.2.2"},
		{"proxy says nothing", "10.1.1.1:4000", nil, "10.1.1.1"},
		{"broken entry", "10.1.1.1:4000", []string{"1.1.1.1, unknown"}, "10.1.1.1"},
		{"broken behind a proxy", "10.1.1.1:4000", []string{"1.1.1.1, x, 192.0.2.9"}, "192.0.2.9"},
		{"empty entry", "10.1.1.1:4000", []string{"1.1.1.1,"}, "10.1.1.1"},
		{"with port", "10.1.1.1:4000", []string{"1.1.1.1:55"}, "1.1.1.1"},
		{"v6", "10.1.1.1:4000", []string{"2001:db9::1"}, "2001:db9::1"},
		{"v6 in brackets", "10.1.1.1:4000", []string{"[2001:db9::1]"}, "2001:db9::1"},
		{"v6 with port", "10.1.1.1:4000", []string{"[2001:db9::1]:55"}, "2001:db9::1"},
		{"too many hops", "10.1.1.1:4000", []string{"1.1.1.1" + strings.Repeat(",10.9.9.9", maxHops)}, "10.9.9.9"},
		{"no port", "198.51.100.1", nil, "198.51.100.1"},
	}
	for _, c := range cases {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
		if got := p.ClientAddr(r); got.String() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
	for _, remote := range []string{"", "@", "pipe"} {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {"1.1.1.1"}}}
		if got := p.ClientAddr(r); got != (netip.Addr{}) {
			t.Errorf("%q: %v", remote, got)
		}
	}
	var nobody Proxies
	r := &http.Request{RemoteAddr: "10.1.1.1:1", Header: http.Header{"X-Forwarded-For": {"1.1.1.1"}}}
	if got := nobody.ClientAddr(r); got.String() != "10.1.1.1" {
		t.Errorf("nobody is trusted: %v", got)
	}
}

func TestParseProxiesReportsEveryProblem(t *testing.T) {
	t.Parallel()
	_, err := ParseProxies([]string{"10.0.0.0/8", "10.0.0.0/33", "proxy.example", ""})
	if err == nil || strings.Count(err.Error(), "trusted proxy") != 3 {
		t.Fatalf("problems: %v", err)
	}
}

func FuzzClientAddr(f *testing.F) {
	f.Add("10.1.1.1:4000", "9.9.9.9, 1.1.1.1, 10.0.0.9")
	f.Add("[2001:db8::1%eth0]:1", "[::1]:80,,x")
	f.Add("@", ",")
	p, err := ParseProxies([]string{"10.0.0.0/8"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		got := p.ClientAddr(&http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {forwarded}}})
		conn, ok := parseAddr(remote)
		if ok != got.IsValid() || got.Is4In6() || got.Zone() != "" {
			t.Fatalf("%q and %q give %v", remote, forwarded, got)
		}
		if ok && !p.Trusts(conn) && got != conn {
			t.Fatalf("a stranger's header was believed: %q and %q give %v", remote, forwarded, got)
		}
	})
}
