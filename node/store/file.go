package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// AtomicWrite replaces the file at path by data: after it returns nil the new
// content is on the disk, after a crash or an error at any moment there is the
// old content or the new, never a mixture. It writes path + ".tmp", syncs it,
// renames it and syncs the folder. Two writers of one path at the same time are
// the caller's mistake. It does not retain data.
func AtomicWrite(path string, data []byte, perm fs.FileMode) (err error) {
	tmp := path + ".tmp"
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	defer func() {
		if err != nil {
			// The temporary file is of no use to anyone; the first error counts.
			_ = os.Remove(tmp)
			err = fmt.Errorf("write %s: %w", filepath.Base(path), err)
		}
	}()
	if err := fill(f, data, perm); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// fill writes and syncs an open file. Its mode is set again because the mode
// given to open is cut by the umask.
func fill(f *os.File, data []byte, perm fs.FileMode) error {
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir makes a rename durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// FreeBytes returns how much an ordinary process may still write to the file
// system of path.
func FreeBytes(path string) (uint64, error) {
	var st syscall.Statfs_t
	for {
		err := syscall.Statfs(path, &st)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EINTR) {
			return 0, fmt.Errorf("ask for free disk: %w", err)
		}
	}
	return st.Bavail * uint64(st.Bsize), nil
}
