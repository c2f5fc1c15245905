package control

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestStrangerIsTurnedAway opens the folders and the socket to everybody and
// connects as another user: the kernel's word alone must keep that user out.
func TestStrangerIsTurnedAway(t *testing.T) {
	t.Parallel()
	h := mustHome(t, 0)
	var logged strings.Builder
	s, err := Listen(h, whoami, Config{Log: slog.New(slog.NewTextHandler(&logged, nil))})
	if err != nil {
		t.Fatal(err)
	}
	dial := dialAsNobody
	if os.Geteuid() != 0 {
		// Only root can become another user; anybody else makes the listener
		// belong to one, which is the same question the other way round.
		s.listener.uid = os.Geteuid() + 1
		dial = func(path string) (net.Conn, error) { return net.Dial("unix", path) }
	}
	for path, mode := range map[string]os.FileMode{s.Path(): 0o666, filepath.Dir(s.Path()): 0o711, h.Dir(): 0o711} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()

	c, err := dial(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET / HTTP/1.0\r\n\r\n") // it may fail: the other end is gone
	if got, _ := io.ReadAll(c); len(got) != 0 {
		t.Errorf("a stranger was answered: %s", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if !strings.Contains(logged.String(), "control socket refused a caller") {
		t.Errorf("log: %q", logged.String())
	}
}

// TestClientRefusesAnImpostor finds the socket served by another user.
func TestClientRefusesAnImpostor(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	path := filepath.Join(dir, "s")
	listen := func() (net.Listener, error) { return net.Listen("unix", path) }
	uid := os.Geteuid() + 1
	if os.Geteuid() == 0 {
		uid = 0
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		asRoot := listen
		listen = func() (net.Listener, error) { return asNobody(asRoot) }
	}
	ln, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if _, err := connect(context.Background(), path, uid); err == nil || !strings.Contains(err.Error(), "does not own this home") {
		t.Errorf("connect = %v", err)
	}
}

// TestRootReachesTheNodeOfAService serves a home as another user. Root is
// admitted where the home is that user's, and refused where it is root's own.
func TestRootReachesTheNodeOfAService(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 { // then there is one user, whose own homes are all it reaches
		if uid, err := serverOf("nowhere"); err != nil || uid != os.Geteuid() {
			t.Fatalf("serverOf = %d, %v", uid, err)
		}
		return
	}
	const nobody = 65534
	for _, owner := range []int{nobody, 0} {
		home := runtimeDir(t)
		run := filepath.Join(home, "run")
		if err := errors.Join(os.Chmod(home, 0o755), os.Mkdir(run, 0o755), os.Chmod(run, 0o777)); err != nil {
			t.Fatal(err)
		}
		ln, err := asNobody(func() (net.Listener, error) { return net.Listen("unix", filepath.Join(run, socketFile)) })
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		if err := os.Chown(run, owner, owner); err != nil {
			t.Fatal(err)
		}
		c, err := Dial(home)
		if owner == nobody {
			if err != nil {
				t.Errorf("the service's own home: %v", err)
				continue
			}
			c.CloseIdleConnections()
		} else if err == nil || !strings.Contains(err.Error(), "does not own this home") {
			t.Errorf("a home of root's: %v", err)
		}
	}
}

// dialAsNobody connects as another user.
func dialAsNobody(path string) (net.Conn, error) {
	return asNobody(func() (net.Conn, error) { return net.Dial("unix", path) })
}

// asNobody calls f on a new thread that has become another user.
func asNobody[T any](f func() (T, error)) (T, error) {
	const nobody = 65534
	var v T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		// Never unlocked: the thread ends with the goroutine and is not reused.
		runtime.LockOSThread()
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			err = errno
			return
		}
		v, err = f()
	}()
	<-done
	return v, err
}
