package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// testNode is a home of meshd, and the program to run there.
type testNode struct {
	t       *testing.T
	program string
	env     []string
}

// newNode makes a home in a network that is given by its file.
func newNode(t *testing.T, network string) *testNode {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n := &testNode{t: t, program: filepath.Join(dir, "meshd")} // by this name the test binary is meshd
	if err := os.Symlink(exe, n.program); err != nil {
		t.Fatal(err)
	}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MESHD_") {
			n.env = append(n.env, v)
		}
	}
	n.env = append(n.env, "MESHD_LOOPBACK=1", "MESHD_HOME="+filepath.Join(dir, "home"),
		"MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	n.do("init", "--network", network)
	return n
}

// do runs a command, which must end with 0 or, for refusals that are reported, 3.
func (n *testNode) do(args ...string) []byte {
	n.t.Helper()
	cmd := exec.Command(n.program, args...)
	cmd.Env = n.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != session.ExitDegraded {
		n.t.Fatalf("meshd %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}

// ask is do for the JSON of a command.
func (n *testNode) ask(into any, args ...string) {
	n.t.Helper()
	out := n.do(append(args, "--json")...)
	if err := json.Unmarshal(out, into); err != nil {
		n.t.Fatalf("meshd %s: %v in %.300s", strings.Join(args, " "), err, out)
	}
}

// start runs the node until the test ends.
func (n *testNode) start(flags ...string) {
	n.t.Helper()
	run := exec.Command(n.program, append([]string{"run"}, flags...)...)
	run.Env, run.Stderr = n.env, n.t.Output()
	stdout, err := run.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGTERM) // it may have ended by itself, which Wait reports
		if err := run.Wait(); err != nil {
			n.t.Errorf("meshd ended: %v", err)
		}
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && lines.Text() != "ready" {
	}
	if lines.Text() != "ready" {
		n.t.Fatal("meshd did not get ready")
	}
	go io.Copy(io.Discard, stdout) //nolint:errcheck // until it ends
}
