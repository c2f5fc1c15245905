// Package pgtest runs a real Postgres for tests: its own cluster in a temporary
// folder, on a socket there, gone when the test process ends. A machine without
// Postgres fails the tests that ask for one; scripts/need installs it.
//
//	var postgres pgtest.Server
//	func TestMain(m *testing.M) { code := m.Run(); postgres.Stop(); os.Exit(code) }
package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
)

const (
	startTime = 60 * time.Second // on a loaded machine a first start takes some seconds
	poll      = 50 * time.Millisecond
)

// Server is one cluster. The zero value starts at its first use.
type Server struct {
	mu   sync.Mutex // guards all fields
	dir  string
	cred *syscall.Credential // nil: our own user
	cmd  *exec.Cmd
	done chan error // of cmd
}

// Database makes an empty database and returns its connection string. It starts
// the server when it does not run.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		t.Fatalf("Postgres is needed for this test (Debian: apt-get install postgresql; or scripts/need tests): %v", err)
	}
	name := "t" + strings.ToLower(rand.Text()[:16])
	admin, err := sql.Open("pgx", s.dsn("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.ExecContext(t.Context(), `CREATE DATABASE `+name); err != nil {
		t.Fatalf("create database: %v", err)
	}
	return s.dsn(name)
}

// Interrupt stops the server at once, as a crash of its machine would, and
// returns what starts it again.
func (s *Server) Interrupt(t testing.TB) (restart func()) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		t.Fatal("no Postgres runs")
	}
	s.halt(syscall.SIGQUIT)
	return func() {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.serve(); err != nil {
			t.Fatalf("start Postgres again: %v", err)
		}
	}
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		s.halt(syscall.SIGQUIT)
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // a temporary folder; the system removes what is left
	}
	s.dir = ""
}

func (s *Server) dsn(database string) string {
	q := url.Values{"host": {s.dir}, "user": {"meshd"}, "sslmode": {"disable"}}
	return "postgres:///" + database + "?" + q.Encode()
}

// start makes the cluster and runs it, when that has not happened.
func (s *Server) start() error {
	if s.cmd != nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "pg") // short: the path of a socket has 107 bytes
	if err != nil {
		return err
	}
	s.dir = dir
	if s.cred, err = unprivileged(dir); err != nil {
		return err
	}
	initdb, err := program("initdb")
	if err != nil {
		return err
	}
	out, err := s.command(initdb, "-D", filepath.Join(dir, "data"), "-U", "meshd", "-A", "trust", "-E", "UTF8",
		"--locale=C", "--no-sync").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return s.serve()
}

// serve runs the server and waits until it takes connections.
func (s *Server) serve() error {
	postgres, err := program("postgres")
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd := s.command(postgres, "-D", filepath.Join(s.dir, "data"), "-k", s.dir, "-c", "listen_addresses=",
		"-c", "fsync=off", "-c", "max_connections=200", "-c", "shared_buffers=16MB")
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.done = cmd, make(chan error, 1)
	go func(done chan<- error) { done <- cmd.Wait() }(s.done)
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	db, err := sql.Open("pgx", s.dsn("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for db.PingContext(ctx) != nil {
		select {
		case err := <-s.done:
			s.cmd = nil
			return fmt.Errorf("postgres ended: %w: %s", err, said.String())
		case <-ctx.Done():
			return errors.New("postgres does not take connections")
		case <-tick.C:
		}
	}
	return nil
}

// halt ends the running server by a signal and waits for it.
func (s *Server) halt(sig os.Signal) {
	_ = s.cmd.Process.Signal(sig) // it may have ended by itself
	<-s.done
	s.cmd = nil
}

func (s *Server) command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: s.cred}
	return cmd
}

// unprivileged is the user that runs the server: ourselves, or for root, whom
// Postgres refuses, its own user or nobody. The folder becomes theirs.
func unprivileged(dir string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, int(uid), int(gid))
}

// program finds a program of Postgres, which Debian keeps out of the PATH.
func program(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("no %s on this machine", name)
	}
	return found[len(found)-1], nil
}
