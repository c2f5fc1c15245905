package engine

import (
	"errors"
	"io"
	"io/fs"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	leveldb "github.com/syndtr/goleveldb/leveldb/errors"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/table"
)

// IsCorrupt reports whether err of an engine means that stored bytes cannot be
// had any more: a checksum that fails, a file that is cut short, gone or of
// another form, a sector that the disk does not give. A full disk, a lock and a
// context that ends are none.
func IsCorrupt(err error) bool {
	switch {
	case err == nil:
		return false
	case pebble.IsCorruptionError(err), errors.Is(err, ErrDamaged), isLevelCorrupt(err):
		return true
	}
	for _, bad := range []error{fs.ErrNotExist, io.EOF, io.ErrUnexpectedEOF, syscall.EIO} {
		if errors.Is(err, bad) {
			return true
		}
	}
	return false
}

// isLevelCorrupt asks for the errors of LevelDB, which its own question does not
// find below others.
func isLevelCorrupt(err error) bool {
	var any *leveldb.ErrCorrupted
	var file *storage.ErrCorrupted
	var block *table.ErrCorrupted
	return errors.As(err, &any) || errors.As(err, &file) || errors.As(err, &block)
}
