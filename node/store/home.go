// Package store owns the home folder of a node: its layout, the lock that gives
// it to one process, the number of its format, and how a file is replaced
// without ever being half written.
//
// Open takes the lock and brings an older home to the current format; Inspect
// reads a home without the lock for diagnosing commands. What lies inside the
// folders belongs to other packages, which take paths from Home.Path.
//
// Holding a *Home made by Open is the proof of owning the lock: functions that
// need it, such as the control socket, take the *Home.
//
// The package works on Linux and macOS.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Names inside a home folder.
const (
	ConfigFile = "meshd.yaml"
	KeysDir    = "keys"
	StoreDir   = "store"
	StateFile  = "state.db"
	ObjectsDir = "objects"
	RunDir     = "run"

	LockFile    = "LOCK"
	VersionFile = "VERSION"

	NetworkFile = "network" // of the network, when it is not the built-in one
)

// ErrNoStore means that the folder is not a meshd home.
var ErrNoStore = errors.New("no meshd home here")

// Home is an opened home folder. Its methods are safe for concurrent use, but
// for Close.
type Home struct {
	dir   string
	lock  *os.File // nil when opened by Inspect
	fresh bool
}

// Options are what Open records about its caller.
type Options struct {
	Command string           // shown to whoever finds the home locked, such as "meshd run"
	Now     func() time.Time // nil: the system clock
}

// Open makes the folder and what is missing in it, readable by its owner alone,
// takes the lock, and brings an older format to the current one. It returns a
// *LockedError when another process has the lock, an *ExposedError when others may
// write what the node trusts, and an error that is ErrNewerFormat when a newer meshd
// has written the home; then nothing but the LOCK file was touched. The caller must
// Close the Home.
func Open(dir string, opts Options) (*Home, error) {
	return open(dir, opts, format, migrations)
}

func open(dir string, opts Options, current int, steps map[int]migration) (_ *Home, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open home: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make home: %w", err)
	}
	if err := CheckPrivate(dir); err != nil {
		return nil, err
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	h := &Home{dir: dir}
	if h.lock, err = acquire(h.Path(LockFile), opts); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}()
	if h.fresh, err = h.reachFormat(current, steps); err != nil {
		return nil, err
	}
	for _, name := range []string{KeysDir, StoreDir, ObjectsDir, RunDir} {
		if err := privateDir(h.Path(name)); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// Inspect opens a home without the lock and without changing anything. Another
// process may write at the same time, so what is read can be out of step. It
// returns an error that is ErrNoStore when the folder is not a home. A newer
// format is no error here; see Format.
func Inspect(dir string) (*Home, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("inspect home: %w", err)
	}
	h := &Home{dir: dir}
	if _, err := os.Stat(h.Path(VersionFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoStore)
	} else if err != nil {
		return nil, fmt.Errorf("inspect home: %w", err)
	}
	return h, nil
}

// Dir is the absolute path of the home folder.
func (h *Home) Dir() string { return h.dir }

// Path joins names below the home folder.
func (h *Home) Path(names ...string) string {
	return filepath.Join(append([]string{h.dir}, names...)...)
}

// Resolve turns a path from the configuration into an absolute one: a relative
// path lies below the home folder. The empty path stays empty.
func (h *Home) Resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return h.Path(path)
}

// Locked reports whether this process owns the home.
func (h *Home) Locked() bool { return h.lock != nil }

// Fresh reports whether Open has just made this home.
func (h *Home) Fresh() bool { return h.fresh }

// Close gives the lock back. It may be called more than once.
func (h *Home) Close() error {
	if h.lock == nil {
		return nil
	}
	err := release(h.lock)
	h.lock = nil
	return err
}

// privateDir makes a folder that only its owner may enter, and takes the rights
// of others away from one that exists.
func privateDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o700); err != nil {
			return fmt.Errorf("protect folder: %w", err)
		}
	}
	return nil
}
