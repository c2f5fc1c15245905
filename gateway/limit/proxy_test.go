package limit_test

import (
	"net/http/httptest"
	"testing"

	"github.com/meshd/meshd/gateway/limit"
)

// Only a trusted proxy states how it was reached, and of what several of them say the
// nearest one's word counts.
func TestForwarded(t *testing.T) {
	t.Parallel()
	proxies, err := limit.ParseProxies([]string{"10.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, proto, host string
		scheme, named     string
		ok                bool
	}{
		{"10.0.0.1:5", "https", "mesh.example.org", "https", "mesh.example.org", true},
		{"10.0.0.1:5", "HTTPS", "", "https", "inside:8420", true},
		{"10.0.0.1:5", "http, https", "evil.example, mesh.example.org", "https", "mesh.example.org", true},
		{"10.0.0.1:5", "", "mesh.example.org", "", "", false},
		{"10.0.0.1:5", "gopher", "", "", "", false},
		{"11.0.0.1:5", "https", "mesh.example.org", "", "", false},
		{"@", "https", "mesh.example.org", "", "", false},
	} {
		r := httptest.NewRequest("GET", "http://inside:8420/", nil)
		r.RemoteAddr = c.from
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
		}
		if c.host != "" {
			r.Header.Set("X-Forwarded-Host", c.host)
		}
		scheme, host, ok := proxies.Forwarded(r)
		if ok != c.ok || ok && (scheme != c.scheme || host != c.named) {
			t.Errorf("%+v: %q %q %v", c, scheme, host, ok)
		}
	}
}
