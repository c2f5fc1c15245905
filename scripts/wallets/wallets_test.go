// Package wallets_test proves with the wallet libraries that people use (viem,
// ethers, siwe) that what they sign is what a running node takes. The checks are
// in wallets.mjs; this test gives them a node and the libraries.
package wallets_test

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWalletLibraries(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is missing: scripts/need tests installs it, or says how (Node 20 or newer)", program)
		}
	}
	install(ctx, t)
	url := serve(ctx, t)
	out, err := exec.CommandContext(ctx, "node", "wallets.mjs", url).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// install puts the pinned libraries into node_modules, unless they are there
// already: npm notes in it when it has finished.
func install(ctx context.Context, t *testing.T) {
	t.Helper()
	want, err := os.Stat("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.Stat(filepath.Join("node_modules", ".package-lock.json"))
	switch {
	case err == nil && !have.ModTime().Before(want.ModTime()):
		return
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund").CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
}

// serve runs a node of its own on loopback and returns the address of its API.
func serve(ctx context.Context, t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "meshd")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/meshd/meshd/cmd/meshd").CombinedOutput(); err != nil {
		t.Fatalf("build meshd: %v\n%s", err, out)
	}
	node := exec.Command(program, "run", "--loopback", "--home", filepath.Join(dir, "home"))
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MESHD_") {
			node.Env = append(node.Env, v)
		}
	}
	node.Env = append(node.Env, "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	node.Stderr = t.Output()
	stdout, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // after ctx has ended, so that the node may end in its own way
		_ = node.Process.Signal(syscall.SIGTERM) // it may have ended by itself, which Wait tells
		if err := node.Wait(); err != nil {
			t.Errorf("meshd ended: %v", err)
		}
	})
	var url string
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) > 1 && f[0] == "api" && strings.HasPrefix(f[1], "http") {
			url = f[1]
		}
		if lines.Text() == "ready" {
			return url
		}
	}
	t.Fatalf("meshd ended before it was ready: %v", lines.Err())
	return ""
}
