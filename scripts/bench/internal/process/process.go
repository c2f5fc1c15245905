// Package process starts a node as a separate process, as its users do, for
// benchmarks that ask it from outside.
package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// Node is a running meshd.
type Node struct {
	URL, Key string // of the API, and its owner's
	Peer     string // an address peers dial
	Home     string

	cmd *exec.Cmd
}

// Start runs program on a home, on ports of 127.0.0.1 that are free, and returns when
// it is ready. settings are further variables of its environment. The caller stops
// the node even when there is an error, if it is not nil.
func Start(program, home string, settings ...string) (*Node, error) {
	n := &Node{Home: home, cmd: exec.Command(program, "run", "--loopback", "--home", home)}
	n.cmd.Env = append(os.Environ(), "MESHD_LOOPBACK=1", "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	n.cmd.Env = append(n.cmd.Env, settings...)
	var faults bytes.Buffer
	n.cmd.Stderr = &faults
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) > 1 && f[0] == "api" && strings.HasPrefix(f[1], "http"):
			n.URL = f[1]
		case len(f) > 1 && f[0] == "peers" && n.Peer == "":
			n.Peer = f[1]
		case len(f) > 2 && f[0] == "api" && f[1] == "key":
			raw, err := os.ReadFile(f[2])
			if err != nil {
				return n, err
			}
			n.Key = strings.TrimSpace(string(raw))
		case lines.Text() == "ready":
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return n, nil
		}
	}
	return n, errors.New("the node ended before it was ready: " + faults.String())
}

// Stop ends the node in good order.
func (n *Node) Stop() {
	_ = n.cmd.Process.Signal(syscall.SIGTERM)
	_ = n.cmd.Wait()
}

// Memory is a line of the node's /proc/PID/status in bytes, 0 when there is none:
// VmRSS is now, VmHWM the most there was.
func (n *Node) Memory(name string) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0
}

// Send asks the node with a key ("" for none) and decodes the answer into into,
// unless that is nil. It returns the status; an error means that there was no
// answer, or none of JSON.
func (n *Node) Send(method, path, key string, body, into any) (int, error) {
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		sent = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(method, n.URL+path, sent)
	if err != nil {
		return 0, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if into == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, err
	}
	return resp.StatusCode, json.NewDecoder(resp.Body).Decode(into)
}
