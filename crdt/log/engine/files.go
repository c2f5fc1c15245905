package engine

import (
	"context"
	"errors"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	leveldbds "github.com/ipfs/go-ds-leveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// The engines that keep files, by name.
const (
	Pebble  = "pebble"
	LevelDB = "leveldb"
)

// CheckFiles looks at the files of a store that is not open for damage that would
// keep it from being opened, or that opening would hide. It reads the logs and the
// manifest, not the tables, and changes nothing. nil is no proof: see Verify of a log.
func CheckFiles(kind, dir string) error {
	if kind == LevelDB {
		return currentLevelDB(dir)
	}
	return checkFiles(vfs.Default, dir)
}

// lostManifest is the beginning of the gap that stands for the manifest of a store.
const lostManifest = "manifest"

// OfManifest reports whether a gap of Raw stands for the manifest, which the reader
// of LevelDB always goes round.
func (g Gap) OfManifest() bool { return g.From == lostManifest }

// Raw calls visit with every pair of the files of a store that can be read, whatever
// its manifest says, old and new ones in no order, and skipped with what cannot. The
// store must not be open. Of LevelDB it reads a copy, for which it needs room.
func Raw(ctx context.Context, kind, dir string, visit func(key string, value []byte) error, skipped func(Gap)) error {
	if kind == LevelDB {
		return rawLevelDB(ctx, dir, visit, skipped)
	}
	return rawPebble(ctx, vfs.Default, dir, visit, skipped)
}

// Opens tries whether a store opens, without writing to it: a table may be
// gone that only the manifest names, or a small file be damaged that no record is in.
func Opens(ctx context.Context, kind, dir string) error {
	if kind == LevelDB {
		if err := currentLevelDB(dir); err != nil {
			return err
		}
		db, err := leveldb.OpenFile(dir, &opt.Options{Strict: opt.DefaultStrict | opt.StrictManifest, ReadOnly: true})
		if err != nil {
			return openFault(err)
		}
		e := &levelEngine{store: &leveldbds.Datastore{DB: db}} // for Scan, which meets tables that are gone
		err = e.Scan(ctx, "/", "0", func(string, []byte) error { return nil })
		return errors.Join(err, db.Close())
	}
	if err := checkFiles(vfs.Default, dir); err != nil {
		return err
	}
	db, err := pebble.Open(dir, &pebble.Options{ReadOnly: true, Logger: pebbleLogger{}})
	if err != nil {
		return openFault(err)
	}
	return db.Close()
}
