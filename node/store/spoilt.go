package store

import (
	"errors"
	"io/fs"
	"os"
)

// spoiltFile says that the files of the log are to be written anew before they are
// opened next: records heal one by one, an unreadable block stays where it is.
const spoiltFile = "spoilt"

// Spoilt reports whether MarkSpoilt was called and ClearSpoilt was not since.
func (h *Home) Spoilt() bool {
	_, err := os.Stat(h.Path(StoreDir, spoiltFile))
	return err == nil
}

// MarkSpoilt notes that the files of the log are to be written anew.
func (h *Home) MarkSpoilt() error {
	return AtomicWrite(h.Path(StoreDir, spoiltFile), []byte("the files of the log are written anew at the next start\n"), 0o600)
}

// ClearSpoilt notes that they were.
func (h *Home) ClearSpoilt() error {
	if err := os.Remove(h.Path(StoreDir, spoiltFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
