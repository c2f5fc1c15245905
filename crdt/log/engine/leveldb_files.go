package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	leveldbds "github.com/ipfs/go-ds-leveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

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
func rawLevelDB(ctx context.Context, dir string, visit func(key string, value []byte) error, skipped func(Gap)) error {
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
	skipped(Gap{From: lostManifest})
	e := &levelEngine{dir: work, store: &leveldbds.Datastore{DB: db}} // for Scan, which needs no more
	return errors.Join(ScanSound(ctx, e, "/", "0", visit, skipped), db.Close())
}
