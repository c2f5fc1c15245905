package session_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// TestTokensGoWhereTheyMay: a token leaves this machine by https alone, with --loopback it
// does not leave at all, and an entry of a stranger names no service of this machine.
func TestTokensGoWhereTheyMay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address         string
		loopback, named bool
		refused         string // part of the error, "" for none
	}{
		{"https://mesh.example.org", false, false, ""},
		{"https://mesh.example.org/at", false, true, ""},
		{"http://mesh.example.org", false, true, "not encrypted"},
		{"https://mesh.example.org", true, true, "lies beyond this machine"},
		{"http://127.0.0.1:8420", true, false, ""},
		{"http://127.0.0.1:8420", false, true, ""},
		{"http://127.0.0.1:8420", false, false, "which is this machine"},
		{"https://localhost:8420", false, false, "which is this machine"},
		{"http://[::1]:8420", false, false, "which is this machine"},
		{"https://a:b@mesh.example.org", false, true, "no address"},
		{"https://mesh.example.org?x", false, true, "no address"},
		{"ftp://mesh.example.org", false, true, "no address"},
		{"mesh.example.org", false, true, "no address"},
		{"", false, true, "no address"},
	} {
		s := &session.Session{Home: t.TempDir(), Loopback: c.loopback, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
		err := s.GatewayAddress(c.address, c.named)
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s, loopback %v, named %v: %v", c.address, c.loopback, c.named, err)
		}
	}
}
