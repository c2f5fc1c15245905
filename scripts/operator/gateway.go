package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// program is a process of the trial.
type program struct {
	cmd  *exec.Cmd
	said bytes.Buffer
}

// stop ends the process in good order; one that has ended is left alone.
func (p *program) stop() {
	if p == nil || p.cmd.Process == nil || p.cmd.ProcessState != nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

// gateway is a meshd that serves strangers, on ports of 127.0.0.1.
type gateway struct {
	program
	url, key, peer string
	monitor        string // host:port of its metrics
}

// startGateway makes a home and serves it; it is ready on return. The caller stops it
// even when there is an error.
func startGateway(path, home, bootstrap string) (*gateway, error) {
	g := &gateway{}
	var err error
	if g.monitor, err = freePort(); err != nil {
		return g, err
	}
	args := []string{"run", "--home", home}
	if bootstrap != "" {
		args = append(args, "--bootstrap", bootstrap)
	}
	g.cmd = exec.Command(path, args...)
	g.cmd.Env = append(os.Environ(), "MESHD_LOOPBACK=1", "MESHD_GATEWAY_ENABLED=true", "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0",
		"MESHD_P2P_SYNC_INTERVAL=2s", "MESHD_GATEWAY_ADMIN_LISTEN="+g.monitor)
	g.cmd.Stderr = &g.said
	out, err := g.cmd.StdoutPipe()
	if err != nil {
		return g, err
	}
	if err := g.cmd.Start(); err != nil {
		return g, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) > 2 && f[0] == "api" && f[1] == "key":
			raw, err := os.ReadFile(f[2])
			if err != nil {
				return g, err
			}
			g.key = strings.TrimSpace(string(raw))
		case len(f) > 1 && f[0] == "api":
			g.url = f[1]
		case len(f) > 1 && f[0] == "peers" && g.peer == "":
			g.peer = f[1]
		case lines.Text() == "ready":
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return g, nil
		}
	}
	return g, fmt.Errorf("%s ended before it was ready: %s", path, g.said.String())
}

func freePort() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

// load asks for what moves each counter of the dashboard: pages, a contribution, one
// that is refused, and more than a stranger's budget.
func (g *gateway) load() error {
	for text, want := range map[string]int{
		"A deferred Close in a loop runs only when the function returns, so a long loop runs out of file descriptors.": http.StatusCreated,
		"too short": http.StatusUnprocessableEntity,
	} {
		status, err := g.send("POST", "/api/mesh/contribute", map[string]any{"type": "gotcha", "domain": "go", "content": text})
		if err != nil {
			return err
		}
		if status != want {
			return fmt.Errorf("contribute: %d, want %d", status, want)
		}
	}
	for range 200 {
		status, err := g.send("GET", "/api/mesh/feed", nil)
		if err != nil {
			return err
		}
		if status == http.StatusTooManyRequests {
			return g.ask(20)
		}
	}
	return errors.New("200 requests of a stranger found a budget")
}

// ask sends n requests of a stranger, which are refused once the budget is used up.
func (g *gateway) ask(n int) error {
	for range n {
		for _, path := range []string{"/api/mesh/feed", "/api/mesh/entry/ent_none", "/livez"} {
			if _, err := g.send("GET", path, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// send asks as the owner when there is a body, else as a stranger.
func (g *gateway) send(method, path string, body any) (int, error) {
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		sent = bytes.NewReader(raw)
	}
	r, err := http.NewRequest(method, g.url+path, sent)
	if err != nil {
		return 0, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+g.key)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, errors.Join(err, resp.Body.Close())
}
