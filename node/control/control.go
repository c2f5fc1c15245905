// Package control is the node's control plane: HTTP over a local socket that
// only the owner of the home folder can reach. The command line uses it to talk
// to a running node; nothing privileged listens on TCP.
//
// The server is made by Listen from a locked home, so a socket file left by a
// process that has died is removed only by the one process that may. It serves
// whatever http.Handler it is given; a handler shared with other listeners asks
// FromSocket whether the caller is the owner. A client is made by Dial.
//
// Who is at the other end is decided by the kernel (SO_PEERCRED on Linux,
// LOCAL_PEERCRED on macOS), in both directions: the server serves its own user
// and root, and the client talks to a server of its own user or root only. A client of
// root's also talks to the user whose home it is, such as that of a service.
//
// The socket is <home>/run/meshd.sock. The kernel limits such a path to about a
// hundred bytes; when the home lies deeper, the socket is made in a folder of
// the user's outside the home, and <home>/run/meshd.sock.path names it.
package control

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/meshd/meshd/node/store"
)

// BaseURL is what a client puts before the paths of its requests. The host is a
// loopback name, so that handlers which check it accept it.
const BaseURL = "http://localhost"

// Config are the choices of a server; the zero value is sensible.
type Config struct {
	// RuntimeDir is the folder for the socket of a home with a long path, such as
	// $XDG_RUNTIME_DIR; it must belong to this user and be closed to others. Empty:
	// a folder of this user in the system's temporary folder.
	RuntimeDir string
	// Log records callers that were turned away; nil: none.
	Log *slog.Logger
}

// fromSocket is the key of the context value that marks requests of the owner.
type fromSocket struct{}

// FromSocket reports whether ctx is that of a request which came through the
// control socket, and therefore from the owner of the home. Only this package
// can make it true.
func FromSocket(ctx context.Context) bool {
	owner, _ := ctx.Value(fromSocket{}).(bool)
	return owner
}

// Server serves the control socket of one home.
type Server struct {
	listener *ownerListener
	http     *http.Server
	path     string
	cleanup  func() error
}

// Listen opens the socket of a home that this process has locked. Requests wait
// in the kernel until Serve is called. A caller that never calls Serve must Close.
func Listen(home *store.Home, handler http.Handler, cfg Config) (*Server, error) {
	if !home.Locked() {
		return nil, errors.New("open control socket: the home is not locked by this process")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	path, cleanup, err := place(home, cfg.RuntimeDir)
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	ln, err := listenUnix(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open control socket: %w", err), cleanup())
	}
	return &Server{
		listener: &ownerListener{UnixListener: ln, uid: os.Geteuid(), log: cfg.Log},
		http: &http.Server{
			Handler:           handler,
			ReadHeaderTimeout: readHeaderTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			ErrorLog:          slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
			ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
				return context.WithValue(ctx, fromSocket{}, true)
			},
		},
		path:    path,
		cleanup: cleanup,
	}, nil
}

// listenUnix makes the socket in place of one that was left behind.
func listenUnix(path string) (*net.UnixListener, error) {
	info, err := os.Lstat(path)
	if err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, fmt.Errorf("%s is in the way and not a socket", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	// The folder is closed to others, so nobody gets in before this.
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return ln, nil
}

// Path is where the socket is.
func (s *Server) Path() string { return s.path }

// Serve answers requests until ctx is done, then lets those in flight end for
// at most shutdownGrace, and removes the socket. It returns nil when it ended
// because of ctx. It may be called once. The home must stay locked until it has returned.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, 1)
	var wg sync.WaitGroup
	wg.Go(func() { failed <- s.http.Serve(s.listener) })
	defer wg.Wait()

	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("serve control socket: %w", err), s.Close())
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := s.http.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(fmt.Errorf("end control socket: %w", err), s.Close())
	}
	return s.Close()
}

// Close cuts every connection and removes the socket. It may be called more than once.
func (s *Server) Close() error {
	err := s.http.Close()
	// The HTTP server closes the listener only once it has begun to serve.
	if lerr := s.listener.Close(); !errors.Is(lerr, net.ErrClosed) {
		err = errors.Join(err, lerr)
	}
	return errors.Join(err, s.cleanup())
}

// ownerListener accepts only connections of its user and of root.
type ownerListener struct {
	*net.UnixListener
	uid int
	log *slog.Logger
}

// Accept closes the connection of anybody else and waits for the next.
func (l *ownerListener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		uid, err := peerUID(c)
		if err == nil && admitted(uid, l.uid) {
			return c, nil
		}
		l.log.Warn("control socket refused a caller", "uid", uid, "error", err)
		_ = c.Close() // nothing was said on it
	}
}

// admitted reports whether a user may talk to one with the id self.
func admitted(uid, self int) bool { return uid == self || uid == 0 }
