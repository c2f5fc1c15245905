package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/meshd/meshd/gateway/state/pgtest"
)

// either is a size of every day, or of the night.
func either[T any](day, night T) T {
	if os.Getenv("MESHD_NIGHTLY") == "1" {
		return night
	}
	return day
}

// gateways are nodes that run as processes over one database, as docs/gateway.md
// asks their operator to run them.
type gateways struct {
	t        *testing.T
	postgres *pgtest.Server
	sides    []*side
}

// startGateways runs n gateways that know one another. What their agents write
// counts as one operator's: the rate limits for strangers do not apply.
func startGateways(t *testing.T, n, gift int) *gateways {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, secret := filepath.Join(dir, "meshd"), filepath.Join(dir, "shared-secret")
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, bytes.Repeat([]byte("a secret of two "), 3), 0o600); err != nil {
		t.Fatal(err)
	}
	g := &gateways{t: t, postgres: &pgtest.Server{}}
	t.Cleanup(g.postgres.Stop)
	settings := []string{"MESHD_STATE_POSTGRES=" + g.postgres.Database(t), "MESHD_STATE_SECRET_FILE=" + secret}
	for _, rate := range []string{"AUTHOR_PER_MINUTE", "TREE_PER_MINUTE", "HOME_PER_MINUTE", "STRANGERS_PER_MINUTE", "PEER_PER_SECOND", "GIVER_PER_SECOND"} {
		settings = append(settings, "MESHD_ADMISSION_"+rate+"=1000000")
	}
	for i := range n {
		s := &side{t: t, program: program, home: filepath.Join(dir, string(rune('a'+i))), gift: gift, settings: settings}
		t.Cleanup(func() { s.end(syscall.SIGKILL) })
		s.start(g.peers())
		g.sides = append(g.sides, s)
	}
	return g
}

// peers are the addresses of the gateways that run, all of them: one that knew a single
// other, which is killed and comes back elsewhere, could find nobody.
func (g *gateways) peers() string {
	var out []string
	for _, s := range g.sides {
		if s.node != nil {
			out = append(out, s.peer)
		}
	}
	return strings.Join(out, ",")
}

// meshd runs a command at the home of a gateway and returns what it prints.
func (s *side) meshd(args ...string) string {
	s.t.Helper()
	c := exec.Command(s.program, append(args, "--home", s.home, "-q")...)
	c.Env = []string{"HOME=" + s.t.TempDir(), "PATH=" + os.Getenv("PATH"), "MESHD_LOOPBACK=1"}
	c.Stderr = s.t.Output()
	out, err := c.Output()
	if err != nil {
		s.t.Fatalf("meshd %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// lends has the owner of a gateway lend its voice to another gateway, so that either
// writes for it.
func (s *side) lends(to *side) {
	s.t.Helper()
	device := strings.Fields(to.meshd("id", "device"))[1]
	s.meshd("cap", "issue", "--to", device, "--can", "*", "--expires", "24h")
}

// answer is what a gateway says to a request.
type answer struct {
	status int
	header http.Header
	raw    []byte
}

func (a answer) code() string {
	var out struct{ Code string }
	_ = json.Unmarshal(a.raw, &out) // what is no object has no code
	return out.Code
}

// ask is one request, with an idempotency key unless it is "".
func ask(ctx context.Context, client *http.Client, base, key, method, path, body, once string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if once != "" {
		r.Header.Set("Idempotency-Key", once)
	}
	resp, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, raw}, err
}
