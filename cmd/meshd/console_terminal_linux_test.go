package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// newTerminal is a pseudo terminal: what is written to screen is read from shown.
func newTerminal(t *testing.T) (shown, screen *os.File) {
	t.Helper()
	shown, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shown.Close() }) // closed by the test before, or it has failed
	if err := unix.IoctlSetPointerInt(int(shown.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(shown.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if screen, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	return shown, screen
}

// TestRunPrintsTheLinkToATerminal: who looks at a terminal gets a link to the console, which
// works; a pipe and a file, which keep what they get, have none.
func TestRunPrintsTheLinkToATerminal(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`http://[^\s\x1b]+/console/open\?code=[\w-]{43}`)
	// said is what a node says until it is ready; look is called while it runs.
	said := func(out io.Reader, to *os.File, look func(text string)) {
		t.Helper()
		node := exec.Command(program, "run", "--loopback", "--home", filepath.Join(t.TempDir(), "home"))
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "MESHD_") {
				node.Env = append(node.Env, v)
			}
		}
		node.Env = append(node.Env, "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
		node.Stdout, node.Stderr = to, t.Output()
		if err := node.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = node.Process.Signal(syscall.SIGTERM) // it may have ended by itself, which Wait reports
			if err := node.Wait(); err != nil {
				t.Errorf("meshd ended: %v", err)
			}
		})
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		text := ""
		for lines := bufio.NewScanner(out); lines.Scan(); {
			text += lines.Text() + "\n"
			if strings.TrimSpace(lines.Text()) == "ready" {
				look(text)
				return
			}
		}
		t.Fatalf("meshd is not ready: %s", text)
	}

	shown, screen := newTerminal(t)
	said(shown, screen, func(text string) {
		at := link.FindString(text)
		if at == "" {
			t.Fatalf("no link on the terminal: %s", text)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if page, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(page), "Open the console") {
			t.Errorf("%d %v: %s", resp.StatusCode, err, page)
		}
	})
	out, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	said(out, pipe, func(text string) {
		if strings.Contains(text, "/console/open") {
			t.Errorf("a pipe gets a link: %s", text)
		}
	})
}
