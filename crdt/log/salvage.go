package log

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/meshd/meshd/crdt/log/engine"
)

// wholeMark is a file in a store that was written anew, until it has its place.
const wholeMark = "WHOLE"

// Salvage writes the store in dir anew from what can be read of its files, also
// when it cannot be opened, and moves the damaged one to aside, which must not
// exist. kind is engine.Pebble or engine.LevelDB. Members whose records are lost stay members
// as far as anything of them is left or known: Heal mends them. The store must
// not be open; the disk needs room for a second one.
//
// A crash meanwhile leaves the old store, or the new one by FinishSalvage.
func Salvage(ctx context.Context, kind, dir, aside string, shards int, known Known) (Rewritten, error) {
	if _, err := os.Stat(aside); !errors.Is(err, fs.ErrNotExist) {
		return Rewritten{}, fmt.Errorf("salvage store: %s is in the way", aside)
	}
	fresh := dir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return Rewritten{}, fmt.Errorf("salvage store: %w", err)
	}
	out, err := salvage(ctx, kind, dir, fresh, shards, known)
	if err != nil {
		return out, errors.Join(fmt.Errorf("salvage store: %w", err), os.RemoveAll(fresh))
	}
	if err := errors.Join(os.WriteFile(filepath.Join(fresh, wholeMark), nil, 0o600), syncDir(fresh), syncDir(filepath.Dir(dir))); err != nil {
		return out, fmt.Errorf("salvage store: %w", err)
	}
	if err := os.Rename(dir, aside); err != nil {
		return out, fmt.Errorf("salvage store: %w", err)
	}
	return out, FinishSalvage(dir)
}

// FinishSalvage ends a Salvage that a crash cut off after the old store was moved
// aside. Call it before a store is opened; nearly always there is nothing to do.
func FinishSalvage(dir string) error {
	fresh := dir + ".new"
	if _, err := os.Stat(filepath.Join(fresh, wholeMark)); err != nil {
		return nil
	}
	// An empty folder may have been made since.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // not moved aside yet: it is salvaged again
	}
	err := errors.Join(os.Remove(filepath.Join(fresh, wholeMark)), os.Rename(fresh, dir), syncDir(filepath.Dir(dir)))
	if err != nil {
		return fmt.Errorf("finish salvage: %w", err)
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func salvage(ctx context.Context, kind, dir, fresh string, shards int, known Known) (out Rewritten, err error) {
	open := func(dir string) (Engine, error) {
		return engine.OpenPebble(dir, engine.Options{CacheBytes: salvageCache})
	}
	if kind == engine.LevelDB {
		open = engine.OpenLevelDB
	}
	raw := func(ctx context.Context, visit func(string, []byte) error, skipped func(engine.Gap)) error {
		return engine.Raw(ctx, kind, dir, visit, skipped)
	}
	from, isRaw := source(raw), true
	if old, err := open(dir); err == nil {
		from, isRaw = readable(old, known), false
		defer func() { _ = old.Close() }() // of a store that is put aside
	} else if !errors.Is(err, ErrDamaged) {
		return out, err
	}
	to, err := open(fresh)
	if err != nil {
		return out, err
	}
	out, err = rewrite(ctx, from, to, shards, known)
	out.Raw = isRaw
	return out, errors.Join(err, to.Close())
}
