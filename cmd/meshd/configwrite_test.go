package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// waiting is a standard input that says when it is read, and gives its text when it is
// let go.
type waiting struct {
	read, begin chan struct{}
	text        *strings.Reader
	once        sync.Once
}

func (w *waiting) Read(p []byte) (int, error) {
	w.once.Do(func() { close(w.read) })
	<-w.begin
	return w.text.Read(p)
}

// TestTwoChangesOfSettingsAtOnce: a change that begins before another one and ends after
// it keeps what that has written.
func TestTwoChangesOfSettingsAtOnce(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	set := func(in *waiting, args ...string) error {
		var out bytes.Buffer
		s := &session.Session{In: strings.NewReader(""), Out: &out, Err: &out, Env: []string{"MESHD_LOOPBACK=1", "MESHD_HOME=" + home}}
		if in != nil {
			s.In = in
		}
		if code := run(s, append([]string{"config", "set"}, args...)); code != session.ExitOK {
			return fmt.Errorf("exit %d: %s", code, &out)
		}
		return nil
	}
	in := &waiting{read: make(chan struct{}), begin: make(chan struct{}), text: strings.NewReader("json\n")}
	slow := make(chan error, 1)
	go func() { slow <- set(in, "log.format", "-") }()
	<-in.read
	if err := set(nil, "log.level", "debug"); err != nil {
		t.Fatal(err)
	}
	close(in.begin)
	if err := <-slow; err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(home, "meshd.yaml"))
	if err != nil || !strings.Contains(string(text), "\n  level: debug") || !strings.Contains(string(text), "\n  format: json") {
		t.Errorf("one of the two is lost: %v\n%s", err, text)
	}
}

// TestManyProcessesChangeSettings: each of several processes that change settings at the
// same time keeps what the others have written.
func TestManyProcessesChangeSettings(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	bin := filepath.Join(t.TempDir(), "meshd")
	if err := os.Symlink(self, bin); err != nil { // the name decides what the test binary is
		t.Fatal(err)
	}
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{"log.level": "debug", "log.format": "json", "p2p.mdns": "false", "p2p.gossip": "false", "p2p.port_mapping": "false",
		"p2p.connections_high": "129", "gateway.welcome": "hello", "gateway.drain_delay": "1s"}
	var all sync.WaitGroup
	for key, value := range settings {
		all.Go(func() {
			cmd := exec.Command(bin, "config", "set", key, value)
			cmd.Env = []string{"MESHD_LOOPBACK=1", "MESHD_HOME=" + home, "PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + t.TempDir()}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", key, err, out)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(home, "meshd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range settings {
		_, name, _ := strings.Cut(key, ".")
		if !strings.Contains(string(text), "\n  "+name+": "+value) && !strings.Contains(string(text), "\n  "+name+": \""+value+"\"") {
			t.Errorf("%s is lost", key)
		}
	}
}
