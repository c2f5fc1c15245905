package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// checkFiles looks for damage that Pebble would not see: it makes a new store
// over one whose marker is gone, and takes a damaged record in the last blocks of
// its write-ahead log for the end that a crash leaves.
func checkFiles(fs vfs.FS, dir string) error {
	names, err := fs.List(dir)
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	manifest, held := "", ""
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "marker.manifest."):
			manifest = name[strings.LastIndexByte(name, '.')+1:]
		case strings.HasSuffix(name, ".sst"):
			held = name
		case strings.HasSuffix(name, ".log"):
			file, number, err := readWAL(fs, dir, name)
			if err != nil {
				return fmt.Errorf("open store: %w: read %s: %w", ErrDamaged, name, err)
			}
			if walRecords(file, number, func([]byte) { held = name }) {
				return fmt.Errorf("open store: %w: %s holds records that were written and cannot be read", ErrDamaged, name)
			}
		}
	}
	if held == "" {
		return nil
	}
	if manifest == "" {
		return fmt.Errorf("open store: %w: %s is here, but not the file that names the newest manifest", ErrDamaged, held)
	}
	file, err := readFile(fs, dir, manifest)
	if err != nil {
		return fmt.Errorf("open store: %w: read %s: %w", ErrDamaged, manifest, err)
	}
	if !manifestSound(file) {
		// Pebble would read it up to there, and delete the tables that only the
		// rest names.
		return fmt.Errorf("open store: %w: %s cannot be read to its end", ErrDamaged, manifest)
	}
	return nil
}

// manifestSound reports whether a manifest is whole chunks to its end.
func manifestSound(file []byte) bool {
	for at := 0; at < len(file); {
		if left := walBlock - at%walBlock; left < walHead && allZero(file[at:min(len(file), at+left)]) {
			at += left
			continue
		}
		c, ok := walChunk(file, at, 0)
		if !ok || c.eof {
			return false
		}
		at = c.end
	}
	return len(file) > 0
}

func readWAL(fs vfs.FS, dir, name string) (file []byte, number uint32, err error) {
	n, err := strconv.ParseUint(strings.TrimSuffix(name, ".log"), 10, 64)
	if err != nil {
		return nil, 0, err
	}
	file, err = readFile(fs, dir, name)
	return file, uint32(n), err
}

func readFile(fs vfs.FS, dir, name string) ([]byte, error) {
	f, err := fs.Open(fs.PathJoin(dir, name))
	if err != nil {
		return nil, err
	}
	file, err := io.ReadAll(f)
	return file, errors.Join(err, f.Close())
}

// openFault is why Pebble did not open a store: damage, unless it is the place or
// the machine.
func openFault(err error) error {
	for _, other := range []error{fs.ErrPermission, syscall.EAGAIN, syscall.EACCES, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EROFS} {
		if errors.Is(err, other) {
			return err
		}
	}
	text := err.Error()
	if IsFull(err) || strings.Contains(text, "lock held") || strings.Contains(text, "format major version") {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// rawPebble calls visit with every pair of the files of a Pebble store that can
// be read, whatever its manifest says, old and new ones in no order. The store
// must not be open.
func rawPebble(ctx context.Context, fs vfs.FS, dir string, visit func(key string, value []byte) error, skipped func(Gap)) error {
	names, err := fs.List(dir)
	if err != nil {
		return fmt.Errorf("list store: %w", err)
	}
	for _, name := range names {
		switch {
		case strings.HasSuffix(name, ".sst"):
			err = rawTable(ctx, fs, fs.PathJoin(dir, name), visit, skipped)
		case strings.HasSuffix(name, ".log"):
			var file []byte
			var number uint32
			if file, number, err = readWAL(fs, dir, name); err == nil {
				err = rawWAL(file, number, visit, skipped)
			}
		default:
			continue
		}
		if err != nil && !IsCorrupt(err) {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if err != nil {
			skipped(Gap{From: name})
		}
	}
	return nil
}

func rawWAL(file []byte, number uint32, visit func(key string, value []byte) error, skipped func(Gap)) (err error) {
	damaged := walRecords(file, number, func(record []byte) {
		var b pebble.Batch
		if err != nil || b.SetRepr(record) != nil {
			return
		}
		for r := b.Reader(); ; {
			kind, key, value, ok, fault := r.Next()
			if !ok || fault != nil {
				return
			}
			if kind == pebble.InternalKeyKindSet {
				if err = visit(string(key), value); err != nil {
					return
				}
			}
		}
	})
	if damaged {
		skipped(Gap{From: fmt.Sprintf("%06d.log", number)})
	}
	return err
}

func rawTable(ctx context.Context, fs vfs.FS, path string, visit func(key string, value []byte) error, skipped func(Gap)) (err error) {
	defer func() {
		if r := recover(); r != nil { // a table that is not one
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	f, err := fs.Open(path)
	if err != nil {
		return err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	opts := &pebble.Options{FS: fs, Logger: pebbleLogger{}}
	opts.EnsureDefaults()
	reader, err := sstable.NewReader(ctx, readable, opts.MakeReaderOptions())
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrDamaged, err), readable.Close())
	}
	defer func() { _ = reader.Close() }()
	return ScanSound(ctx, tableScan{reader}, "/", "0", visit, skipped)
}

// tableScan scans one table.
type tableScan struct{ *sstable.Reader }

func (t tableScan) Scan(_ context.Context, from, to string, visit func(key string, value []byte) error) error {
	it, err := t.NewIter(sstable.NoTransforms, nil, []byte(to), sstable.AssertNoBlobHandles)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var stop error
	kv := it.SeekGE([]byte(from), 0)
	for ; kv != nil && stop == nil; kv = it.Next() {
		if k := kv.K.Kind(); k != pebble.InternalKeyKindSet && k != pebble.InternalKeyKindSetWithDelete {
			continue
		}
		value, _, err := kv.V.Value(nil)
		if err != nil {
			stop = fmt.Errorf("%w: %w", ErrDamaged, err)
			break
		}
		stop = visit(string(kv.K.UserKey), value)
	}
	if err := it.Close(); stop == nil && err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return stop
}
