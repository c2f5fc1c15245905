package log

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
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
// keeps about 100 bytes a member in memory. kind is engine.Pebble or engine.LevelDB; for the
// latter it needs room beside the store for a copy.
func Survey(ctx context.Context, kind, dir string) (Found, error) {
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
	err := engine.Raw(ctx, kind, dir, visit, func(g engine.Gap) {
		if !g.OfManifest() {
			out.Gaps++
		}
	})
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
	if err := engine.Opens(ctx, kind, dir); engine.IsCorrupt(err) {
		out.Closed = err.Error()
	} else if err != nil {
		return out, err
	}
	return out, nil
}
