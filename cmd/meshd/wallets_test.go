package main

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// walletChecks is the folder of the program that drives a node with the wallet
// libraries people use: viem, ethers and siwe.
const walletChecks = "../../scripts/wallets"

// TestWalletLibraries gives those checks a node and the libraries.
func TestWalletLibraries(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	needPrograms(t, "node", "npm")
	installLibraries(ctx, t, walletChecks)
	// Looked at here, so that a kept result of this test ends with a change of it.
	if _, err := os.Stat(filepath.Join(walletChecks, "wallets.mjs")); err != nil {
		t.Fatal(err)
	}
	url, _ := serveNode(t)
	checks := exec.CommandContext(ctx, "node", "wallets.mjs", url)
	checks.Dir = walletChecks
	out, err := checks.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// needPrograms fails, and says what to do, where a program is not installed.
func needPrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is missing: scripts/need tests installs it, or says how (Node 20 or newer)", program)
		}
	}
}

// installing is locked by the test that installs; others may need the same folder.
var installing sync.Mutex

// installLibraries puts the pinned libraries of a folder into its node_modules,
// unless they are there already: npm leaves a file in it when it has finished.
func installLibraries(ctx context.Context, t *testing.T, folder string) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	want, err := os.Stat(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json"))
	switch {
	case err == nil && !have.ModTime().Before(want.ModTime()):
		return
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
}

// serveNode runs meshd in a new home on loopback, until the test ends, and
// returns the address of its API and the program.
func serveNode(t *testing.T, flags ...string) (url, program string) {
	t.Helper()
	return serveNodeWith(t, nil, flags...)
}

// serveNodeWith is serveNode with more settings in the environment.
func serveNodeWith(t *testing.T, settings []string, flags ...string) (url, program string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program = filepath.Join(dir, "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	node := exec.Command(program, append([]string{"run", "--loopback", "--home", filepath.Join(dir, "home")}, flags...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MESHD_") {
			node.Env = append(node.Env, v)
		}
	}
	node.Env = append(node.Env, "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	node.Env = append(node.Env, settings...)
	node.Stderr = t.Output()
	stdout, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = node.Process.Signal(syscall.SIGTERM) // it may have ended by itself, which Wait reports
		if err := node.Wait(); err != nil {
			t.Errorf("meshd ended: %v", err)
		}
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) > 1 && f[0] == "api" && strings.HasPrefix(f[1], "http") {
			url = f[1]
		}
		if lines.Text() == "ready" {
			return url, program
		}
	}
	t.Fatalf("meshd ended before it was ready: %v", lines.Err())
	return "", ""
}
