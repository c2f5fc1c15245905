package log

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	leveldbds "github.com/ipfs/go-ds-leveldb"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"

	"github.com/meshd/meshd/crdt/change"
)

// Found says what a look at the files of a store found, without opening it.
type Found struct {
	Members  int         // of which some record can be read
	Damaged  []change.ID // members whose head, or whose body record, cannot be read, in order of ids
	Gaps     int         // unreadable ranges of keys, and unreadable files
	Unsealed int         // records that can be read and do not fit their checksum
	Closed   string      // why the store does not open, though all it has can be read; "": it does
}

// Sound reports whether nothing was found.
func (f Found) Sound() bool {
	return len(f.Damaged) == 0 && f.Gaps == 0 && f.Unsealed == 0 && f.Closed == ""
}

// Survey reads every file of a store that is not open and changes nothing there. It
// works where Open does not: it reads tables and logs whatever the manifest says. It
// keeps about 100 bytes a member in memory. engine is Pebble or LevelDB; for the
// latter it needs room beside the store for a copy.
func Survey(ctx context.Context, engine, dir string) (Found, error) {
	var out Found
	type records struct{ head, body bool }
	members := map[change.ID]records{}
	visit := func(key string, value []byte) error {
		if len(key) < 3 {
			return nil
		}
		if _, err := unseal(key, value); err != nil {
			out.Unsealed++
			return nil
		}
		switch prefix := key[:3]; prefix {
		case prefixHead, prefixBody:
			it, err := itemOf(key[strings.LastIndexByte(key, '/')+1:])
			if err != nil {
				return nil
			}
			r := members[it.ID]
			r.head, r.body = r.head || prefix == prefixHead, r.body || prefix == prefixBody
			members[it.ID] = r
		case prefixSeq, prefixID:
			p, err := decodePlace(key, value)
			if _, known := members[p.item.ID]; err == nil && !known {
				members[p.item.ID] = records{}
			}
		}
		return nil
	}
	skipped := func(gap) { out.Gaps++ }
	var err error
	if engine == LevelDB {
		err = rawLevelDB(ctx, dir, visit, func(g gap) {
			if g.from != "manifest" { // its reader always goes round that
				out.Gaps++
			}
		})
	} else {
		err = rawPebble(ctx, vfs.Default, dir, visit, skipped)
	}
	if err != nil {
		return out, err
	}
	out.Members = len(members)
	for id, r := range members {
		if !r.head || !r.body {
			out.Damaged = append(out.Damaged, id)
		}
	}
	slices.SortFunc(out.Damaged, func(a, b change.ID) int { return bytes.Compare(a[:], b[:]) })
	if !out.Sound() {
		return out, nil
	}
	if err := openReadOnly(ctx, engine, dir); IsCorrupt(err) {
		out.Closed = err.Error()
	} else if err != nil {
		return out, err
	}
	return out, nil
}

// openReadOnly tries whether a store opens, without writing to it: a table may be
// gone that only the manifest names, or a small file be damaged that no record is in.
func openReadOnly(ctx context.Context, engine, dir string) error {
	if engine == LevelDB {
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
