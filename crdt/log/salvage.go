package log

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	leveldbds "github.com/ipfs/go-ds-leveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// Engines that keep files, by name.
const (
	Pebble  = "pebble"
	LevelDB = "leveldb"
)

// CheckFiles looks at the files of a store that is not open for damage that would
// keep it from being opened, or that opening would hide. It reads the logs and the
// manifest, not the tables, and changes nothing. nil is no proof: see Verify.
func CheckFiles(engine, dir string) error {
	if engine == LevelDB {
		return currentLevelDB(dir)
	}
	return checkFiles(vfs.Default, dir)
}

// wholeMark is a file in a store that was written anew, until it has its place.
const wholeMark = "WHOLE"

// Salvage writes the store in dir anew from what can be read of its files, also
// when it cannot be opened, and moves the damaged one to aside, which must not
// exist. engine is Pebble or LevelDB. Members whose records are lost stay members
// as far as anything of them is left or known: Heal mends them. The store must
// not be open; the disk needs room for a second one.
//
// A crash meanwhile leaves the old store, or the new one by FinishSalvage.
func Salvage(ctx context.Context, engine, dir, aside string, shards int, known Known) (Rewritten, error) {
	if _, err := os.Stat(aside); !errors.Is(err, fs.ErrNotExist) {
		return Rewritten{}, fmt.Errorf("salvage store: %s is in the way", aside)
	}
	fresh := dir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return Rewritten{}, fmt.Errorf("salvage store: %w", err)
	}
	out, err := salvage(ctx, engine, dir, fresh, shards, known)
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

func salvage(ctx context.Context, engine, dir, fresh string, shards int, known Known) (out Rewritten, err error) {
	open := func(dir string) (Engine, error) { return OpenPebble(dir, EngineOptions{CacheBytes: salvageCache}) }
	raw := func(ctx context.Context, visit func(string, []byte) error, skipped func(gap)) error {
		return rawPebble(ctx, vfs.Default, dir, visit, skipped)
	}
	if engine == LevelDB {
		open = OpenLevelDB
		raw = func(ctx context.Context, visit func(string, []byte) error, skipped func(gap)) error {
			return rawLevelDB(ctx, dir, visit, skipped)
		}
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

// checkLevelDB looks for what go-ds-leveldb would mend without a word by leaving
// out what it cannot read: a manifest that is cut short, tables that are gone or
// that no file names any more.
func checkLevelDB(dir string) error {
	if err := currentLevelDB(dir); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "CURRENT")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := leveldb.OpenFile(dir, &opt.Options{Strict: opt.DefaultStrict | opt.StrictManifest})
	if err != nil {
		return fmt.Errorf("open store: %w", openFault(err))
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	return nil
}

// currentLevelDB looks for tables without the file that names the manifest, over
// which LevelDB would make a new store.
func currentLevelDB(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	held := slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(n, ".ldb") || strings.HasPrefix(n, "MANIFEST-") })
	if held >= 0 && !slices.Contains(names, "CURRENT") {
		return fmt.Errorf("open store: %w: %s is here, but not the file that names the newest manifest", ErrDamaged, names[held])
	}
	return nil
}

// rawLevelDB reads the tables and journals of a LevelDB store whatever its
// manifest says. It works on a copy, since LevelDB repairs in place.
func rawLevelDB(ctx context.Context, dir string, visit func(key string, value []byte) error, skipped func(gap)) error {
	work := dir + ".work"
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.CopyFS(work, os.DirFS(dir)); err != nil {
		return fmt.Errorf("copy store: %w", err)
	}
	db, err := leveldb.RecoverFile(work, &opt.Options{Strict: opt.StrictBlockChecksum | opt.StrictReader})
	if err != nil {
		return fmt.Errorf("recover store: %w", err)
	}
	skipped(gap{from: "manifest"})
	e := &levelEngine{dir: work, store: &leveldbds.Datastore{DB: db}} // for Scan, which needs no more
	return errors.Join(scanSound(ctx, e, "/", "0", visit, skipped), db.Close())
}
