package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Holder is what the LOCK file says about the process that has the home.
type Holder struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Command string    `json:"command"`
}

// LockedError means that another process has the home. Its Holder is zero when
// that process has only just taken the lock and not yet written its name.
type LockedError struct {
	Dir    string
	Holder Holder
}

// Error names the process and its command.
func (e *LockedError) Error() string {
	if e.Holder.PID == 0 {
		return fmt.Sprintf("%s is in use by another process", e.Dir)
	}
	return fmt.Sprintf("%s is in use by process %d (%s) since %s",
		e.Dir, e.Holder.PID, e.Holder.Command, e.Holder.Started.UTC().Format(time.RFC3339))
}

// acquire takes the lock: flock(2) on the file, which the kernel drops with the
// process however it ends. The file is never removed, because a process that
// has it open and one that makes it anew would both get a lock.
func acquire(path string, opts Options) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	leave, err := gate(filepath.Dir(path))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take lock: %w", err), f.Close())
	}
	defer leave()
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		held := &LockedError{Dir: filepath.Dir(path), Holder: readHolder(f)}
		return nil, errors.Join(held, f.Close())
	}
	if err == nil {
		err = writeHolder(f, Holder{PID: os.Getpid(), Started: opts.Now().UTC(), Command: clip(opts.Command)})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take lock: %w", err), f.Close())
	}
	return f, nil
}

// gate lets one process at a time try the lock or look who has it. Without it a
// look, which shares the lock for a moment, would make an attempt fail. It locks
// the folder itself, waiting for whoever is in the gate; leave opens it again.
func gate(dir string) (leave func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := flock(d, syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return func() { _ = unlock(d) }, nil // nothing was written through it
}

// Alone has do work on files of a folder while no other process does so by Alone. do must
// be short, and must not look at the lock of a home in this folder, as that waits too.
func Alone(dir string, do func() error) error {
	leave, err := gate(dir)
	if err != nil {
		return fmt.Errorf("take turns in %s: %w", dir, err)
	}
	defer leave()
	return do()
}

// unlock drops the lock and closes the file. Closing alone would leave the lock
// to a child process that was just being started and has not yet closed its copy.
func unlock(f *os.File) error {
	return errors.Join(flock(f, syscall.LOCK_UN), f.Close())
}

// release empties the file, the sign of a clean end, and drops the lock.
func release(f *os.File) error {
	err := errors.Join(f.Truncate(0), unlock(f))
	if err != nil {
		return fmt.Errorf("release lock: %w", err)
	}
	return nil
}

// Holder returns which process has the home, and false when none has. A lock file
// that names a process which has died counts as none; so does one that is not there.
func (h *Home) Holder() (Holder, bool, error) {
	f, err := os.Open(h.Path(LockFile))
	if errors.Is(err, os.ErrNotExist) {
		return Holder{}, false, nil
	}
	if err != nil {
		return Holder{}, false, fmt.Errorf("read lock: %w", err)
	}
	leave, err := gate(h.dir)
	if err != nil {
		return Holder{}, false, errors.Join(fmt.Errorf("read lock: %w", err), f.Close())
	}
	defer leave()
	// A shared lock is refused exactly while somebody has the exclusive one.
	err = flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return readHolder(f), true, f.Close()
	}
	if err != nil {
		return Holder{}, false, errors.Join(fmt.Errorf("read lock: %w", err), f.Close())
	}
	return Holder{}, false, unlock(f)
}

// flock calls flock(2) again when a signal interrupts it.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// readHolder reads the file leniently: it is written by another process at any time.
func readHolder(f *os.File) Holder {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, maxLockBytes))
	var h Holder
	if err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}

func writeHolder(f *os.File, h Holder) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(append(data, '\n'), 0)
	return err
}

// clip keeps a command line short enough for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > maxCommandRunes {
		return string(r[:maxCommandRunes]) + "…"
	}
	return s
}
