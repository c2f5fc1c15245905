package control

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"

	"github.com/meshd/meshd/node/store"
)

// ErrNotRunning means that no node runs on the home.
var ErrNotRunning = errors.New("node is not running")

// Dial makes a client for the node that runs on the home folder dir. It returns
// an error that is ErrNotRunning when none does, also when one has died and left
// its socket, which Dial does not remove. Requests go to BaseURL plus a path;
// the client has no time-out and uses no proxy. Call
// CloseIdleConnections when done.
func Dial(dir string) (*http.Client, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find control socket: %w", err)
	}
	path, err := find(dir)
	if err != nil {
		return nil, err
	}
	uid, err := serverOf(dir)
	if err != nil {
		return nil, fmt.Errorf("reach node: %w", err)
	}
	// One connection is made now, to distinguish a running node from one that has died.
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	c, err := connect(ctx, path, uid)
	if err != nil {
		return nil, err
	}
	if err := c.Close(); err != nil {
		return nil, fmt.Errorf("reach node: %w", err)
	}
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, dialTimeout)
			defer cancel()
			return connect(ctx, path, uid)
		},
		DisableCompression: true,
	}}, nil
}

// serverOf is the user that may serve a home, beside root: the caller.
// Root also talks to the node of a service that runs under another user,
// who is then the owner of the home's run folder.
func serverOf(dir string) (int, error) {
	uid := os.Geteuid()
	if uid != 0 {
		return uid, nil
	}
	info, err := os.Stat(filepath.Join(dir, store.RunDir))
	if err != nil {
		return -1, err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), nil
	}
	return uid, nil
}

// connect opens a connection and makes sure that uid or root serves it: the
// socket of a long home is outside the home, where others might have been first.
func connect(ctx context.Context, path string, uid int) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, fmt.Errorf("reach node at %s: %w", path, ErrNotRunning)
	}
	if err != nil {
		return nil, fmt.Errorf("reach node: %w", err)
	}
	server, err := peerUID(c.(*net.UnixConn))
	if err == nil && !admitted(server, uid) {
		err = fmt.Errorf("%s is served by user %d, who does not own this home", path, server)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reach node: %w", err), c.Close())
	}
	return c, nil
}
