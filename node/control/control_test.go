package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/node/store"
)

// mustHome opens a home whose path has at least n bytes.
func mustHome(t testing.TB, n int) *store.Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctl") // t.TempDir is often too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := dir
	for len(path) < n {
		path = filepath.Join(path, strings.Repeat("d", 50))
	}
	h, err := store.Open(path, store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// runtimeDir makes a short private folder.
func runtimeDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// whoami answers whether the request is the owner's.
var whoami = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "owner=%v host=%s path=%s", FromSocket(r.Context()), r.Host, r.URL.Path)
})

// serve runs a server until the test or stop ends it.
func serve(t testing.TB, h *store.Home, handler http.Handler, cfg Config) (s *Server, stop func() error) {
	t.Helper()
	s, err := Listen(h, handler, cfg)
	if err != nil {
		t.Fatalf("Listen: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	var ended bool
	stop = func() error {
		if ended {
			return nil
		}
		ended = true
		cancel()
		return <-done
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return s, stop
}

func mustDial(t testing.TB, home string) *http.Client {
	t.Helper()
	c, err := Dial(home)
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func get(t testing.TB, c *http.Client, path string) string {
	t.Helper()
	res, err := c.Get(BaseURL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestOwnerReachesTheHandler(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	s, stop := serve(t, h, whoami, Config{})
	c := mustDial(t, h.Dir())
	if got := get(t, c, "/status"); got != "owner=true host=localhost path=/status" {
		t.Error(got)
	}
	if s.Path() != h.Path("run", "meshd.sock") {
		t.Errorf("path %s", s.Path())
	}
	for path, want := range map[string]os.FileMode{s.Path(): 0o600, filepath.Dir(s.Path()): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %o, want %o, %v", path, info.Mode().Perm(), want, err)
		}
	}
	if err := stop(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if _, err := os.Lstat(s.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := Dial(h.Dir()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Dial after the end: %v", err)
	}
}

func TestOtherListenersAreNotTheOwner(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(whoami)
	defer web.Close()
	res, err := web.Client().Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, _ := io.ReadAll(res.Body); !strings.HasPrefix(string(body), "owner=false") {
		t.Errorf("%s", body)
	}
}

func TestDialWithoutANode(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	for _, dir := range []string{h.Dir(), filepath.Join(h.Dir(), "none"), mustHome(t, 200).Dir()} {
		if c, err := Dial(dir); !errors.Is(err, ErrNotRunning) || c != nil {
			t.Errorf("Dial(%s) = %v", dir, err)
		}
	}
}

// leaveStale leaves a socket behind as a process does that dies.
func leaveStale(t *testing.T, path string) {
	t.Helper()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestStaleSocketIsRemovedByTheOwnerOfTheLockOnly(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	path := h.Path("run", "meshd.sock")
	leaveStale(t, path)
	if _, err := Dial(h.Dir()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Dial = %v", err)
	}
	reader, err := store.Inspect(h.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(reader, whoami, Config{}); err == nil || !strings.Contains(err.Error(), "not locked") {
		t.Errorf("Listen without the lock = %v", err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Fatalf("somebody without the lock removed the socket: %v", err)
	}
	serve(t, h, whoami, Config{})
	get(t, mustDial(t, h.Dir()), "/")
}

func TestListenRemovesNothingButASocket(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	path := h.Path("run", "meshd.sock")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(h, whoami, Config{}); err == nil || !strings.Contains(err.Error(), "not a socket") {
		t.Errorf("Listen = %v", err)
	}
	if data, err := os.ReadFile(path); string(data) != "mine" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

func TestLongHomeUsesTheRuntimeFolder(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 200)
	rt := runtimeDir(t)
	s, stop := serve(t, h, whoami, Config{RuntimeDir: rt})
	if filepath.Dir(s.Path()) != rt || len(s.Path()) > maxSocketPath {
		t.Errorf("path %s", s.Path())
	}
	// A short name of the same home leads to the same socket.
	link := filepath.Join(rt, "home")
	if err := os.Symlink(h.Dir(), link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{h.Dir(), link} {
		if got := get(t, mustDial(t, dir), "/"); !strings.HasPrefix(got, "owner=true") {
			t.Error(got)
		}
	}
	other := mustHome(t, 200)
	if o, _ := serve(t, other, whoami, Config{RuntimeDir: rt}); o.Path() == s.Path() {
		t.Error("two homes share a socket")
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{s.Path(), h.Path("run", recordFile)} {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	if _, err := Dial(h.Dir()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Dial = %v", err)
	}
}

func TestRuntimeFolderMustBePrivate(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 200)
	open := runtimeDir(t)
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	private := runtimeDir(t)
	link := filepath.Join(private, "link")
	if err := os.Symlink(runtimeDir(t), link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(private, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{open, link, file} {
		if _, err := Listen(h, whoami, Config{RuntimeDir: dir}); err == nil || !strings.Contains(err.Error(), "not a folder of this user alone") {
			t.Errorf("Listen in %s = %v", dir, err)
		}
	}
	deep := filepath.Join(private, strings.Repeat("d", 100))
	if _, err := Listen(h, whoami, Config{RuntimeDir: deep}); err == nil || !strings.Contains(err.Error(), "shorter runtime folder") {
		t.Errorf("Listen in %s = %v", deep, err)
	}
}

func TestDefaultRuntimeFolderIsMadePrivate(t *testing.T) {
	h := mustHome(t, 200)
	t.Setenv("TMPDIR", runtimeDir(t))
	s, err := Listen(h, whoami, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if info, err := os.Stat(filepath.Dir(s.Path())); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestRecordMustBeAPath(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 200)
	for _, text := range []string{"", "\n", "/no/line/feed", "relative\n", "/" + strings.Repeat("x", maxSocketPath) + "\n"} {
		if err := os.WriteFile(h.Path("run", recordFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Dial(h.Dir()); err == nil || !strings.Contains(err.Error(), "does not hold a path") {
			t.Errorf("record %q: %v", text, err)
		}
	}
	// A record that names a socket nobody serves: its process has died.
	if err := os.WriteFile(h.Path("run", recordFile), []byte("/nonexistent/s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(h.Dir()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Dial = %v", err)
	}
}

func TestOldRecordIsRemoved(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	record := h.Path("run", recordFile)
	if err := os.WriteFile(record, []byte("/elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	serve(t, h, whoami, Config{})
	if _, err := os.Lstat(record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the record is still there: %v", err)
	}
}

func TestAdmitted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		uid, self int
		want      bool
	}{{1000, 1000, true}, {0, 1000, true}, {1001, 1000, false}, {1000, 0, false}, {-1, 1000, false}} {
		if got := admitted(c.uid, c.self); got != c.want {
			t.Errorf("admitted(%d, %d) = %v", c.uid, c.self, got)
		}
	}
}

func TestPeerUIDIsOurs(t *testing.T) {
	t.Parallel()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(runtimeDir(t), "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c, err := net.DialUnix("unix", nil, ln.Addr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	if uid, err := peerUID(c); uid != os.Geteuid() || err != nil {
		t.Errorf("uid %d, %v", uid, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if uid, err := peerUID(c); err == nil {
		t.Errorf("a closed connection belongs to %d", uid)
	}
}

func TestRequestInFlightEndsBeforeTheServer(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	began, finish := make(chan struct{}), make(chan struct{})
	_, stop := serve(t, h, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(began)
		<-finish
		_, _ = io.WriteString(w, "done")
	}), Config{})
	c := mustDial(t, h.Dir())
	answer := make(chan string, 1)
	go func() { answer <- get(t, c, "/") }()
	<-began
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	close(finish)
	if got := <-answer; got != "done" {
		t.Errorf("answer %q", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestCloseWithoutServe(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	s, err := Listen(h, whoami, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if _, err := os.Lstat(s.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	if err := s.Serve(context.Background()); !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve after Close: %v", err)
	}
}
