package discover

import (
	"testing"

	ma "github.com/multiformats/go-multiaddr"
)

// AllowedForTest are those of addrs that a Service with cfg announces and dials.
func AllowedForTest(t *testing.T, cfg Config, addrs []string) []string {
	t.Helper()
	var in []ma.Multiaddr
	for _, a := range addrs {
		in = append(in, ma.StringCast(a))
	}
	var out []string
	for _, a := range (&Service{cfg: cfg}).allowed(in) {
		out = append(out, a.String())
	}
	return out
}
