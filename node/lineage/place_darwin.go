package lineage

import (
	"errors"
	"io/fs"
	"syscall"
	"time"
)

// inodeOf is the number of a file and when anything about it last changed.
func inodeOf(info fs.FileInfo) (uint64, time.Time, error) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}, errors.New("the system says nothing about the file")
	}
	return st.Ino, time.Unix(int64(st.Ctimespec.Sec), int64(st.Ctimespec.Nsec)), nil
}
