package control

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/meshd/meshd/node/store"
)

const (
	socketFile = "meshd.sock"
	recordFile = "meshd.sock.path" // names the socket of a home with a long path
)

// place decides where the socket of a locked home goes and leaves the record
// that find reads. cleanup removes the record. Both resolve symbolic links, so
// that they agree whichever way the home is named.
func place(home *store.Home, runtimeDir string) (path string, cleanup func() error, err error) {
	runDir, err := filepath.EvalSymlinks(home.Path(store.RunDir))
	if err != nil {
		return "", nil, err
	}
	record := filepath.Join(runDir, recordFile)
	path = filepath.Join(runDir, socketFile)
	if len(path) <= maxSocketPath {
		// A record of a time when the home lay elsewhere would mislead clients.
		return path, func() error { return nil }, remove(record)
	}
	if runtimeDir == "" {
		runtimeDir = filepath.Join(os.TempDir(), "meshd-"+strconv.Itoa(os.Geteuid()))
	}
	if err := ownFolder(runtimeDir); err != nil {
		return "", nil, err
	}
	// The home's name in the file name keeps two homes of one user apart.
	sum := sha256.Sum256([]byte(runDir))
	path = filepath.Join(runtimeDir, "meshd-"+hex.EncodeToString(sum[:8])+".sock")
	if len(path) > maxSocketPath {
		return "", nil, fmt.Errorf("%s is longer than the %d bytes a socket path may have; set a shorter runtime folder", path, maxSocketPath)
	}
	if err := store.AtomicWrite(record, []byte(path+"\n"), 0o600); err != nil {
		return "", nil, err
	}
	return path, func() error { return remove(record) }, nil
}

// find returns the path of the socket that belongs to the run folder of a home.
func find(home string) (string, error) {
	runDir, err := filepath.EvalSymlinks(filepath.Join(home, store.RunDir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("find control socket of %s: %w", home, ErrNotRunning)
	}
	if err != nil {
		return "", fmt.Errorf("find control socket: %w", err)
	}
	path := filepath.Join(runDir, socketFile)
	if len(path) <= maxSocketPath {
		return path, nil
	}
	record := filepath.Join(runDir, recordFile)
	data, err := os.ReadFile(record)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read %s: %w", record, ErrNotRunning)
	}
	if err != nil {
		return "", fmt.Errorf("find control socket: %w", err)
	}
	path, ok := strings.CutSuffix(string(data), "\n")
	if len(data) > maxRecord || !ok || !filepath.IsAbs(path) {
		return "", fmt.Errorf("find control socket: %s does not hold a path", record)
	}
	return path, nil
}

// ownFolder makes a folder for this user alone, or makes sure that an existing
// one is: in a folder all may write to, somebody else may have been first.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(st.Uid) != os.Geteuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a folder of this user alone", dir)
	}
	return nil
}

// remove deletes a file that may be missing.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
