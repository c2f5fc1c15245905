package log

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
)

// readable gives what an open engine can read: by scans, and one by one what lies
// in ranges that no scan can cross, since an engine finds a single record by a
// narrower way. It asks for the records of every member that it is given: of
// known ones, and of those that any record it reads names.
func readable(e Engine, known Known) source {
	return func(ctx context.Context, visit func(key string, value []byte) error, skipped func(engine.Gap)) error {
		var gaps []engine.Gap
		seq := known.Seq
		named := map[change.ID]place{}
		for set, items := range known.Sets {
			for _, it := range items {
				named[it.ID] = place{set: set, item: it}
			}
		}
		take := func(key string, value []byte) error {
			if p, ok := namedBy(key, value); ok {
				named[p.item.ID] = p
				seq = max(seq, p.seq)
			}
			if key == stateKey {
				if _, _, st, err := decodeState(value); err == nil {
					seq = max(seq, st.seq)
				}
			}
			return visit(key, value)
		}
		err := engine.ScanSound(ctx, e, "/", "0", take, func(g engine.Gap) {
			gaps = append(gaps, g)
			skipped(g)
		})
		if err != nil || len(gaps) == 0 {
			return err
		}
		try := func(key string) error {
			if !slices.ContainsFunc(gaps, func(g engine.Gap) bool { return g.Has(key) }) {
				return nil
			}
			value, err := e.Get(ctx, ds.RawKey(key))
			switch {
			case err == nil:
				return take(key, value)
			case errors.Is(err, ds.ErrNotFound), engine.IsCorrupt(err):
				return nil
			}
			return err
		}
		if err := try(stateKey); err != nil {
			return err
		}
		for n := uint64(1); n <= seq; n++ {
			if err := try(seqKey(n)); err != nil {
				return err
			}
		}
		for id, p := range maps.Clone(named) { // a record of a member names no other
			for _, key := range []string{itemKey(prefixHead, p.set, p.item), itemKey(prefixBody, p.set, p.item), idKey(prefixID, id), idKey(prefixPurge, id)} {
				if err := try(key); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// namedBy is the member that a sound record names.
func namedBy(key string, value []byte) (p place, ok bool) {
	if len(key) < 3 {
		return p, false
	}
	switch prefix := key[:3]; prefix {
	case prefixSeq, prefixID, prefixAdrift:
		p, err := decodePlace(key, value)
		return p, err == nil
	case prefixHead, prefixBody:
		cut := strings.LastIndexByte(key, '/')
		if _, err := unseal(key, value); err != nil || cut <= len(prefix) {
			return p, false
		}
		it, err := itemOf(key[cut+1:])
		return place{set: key[len(prefix):cut], item: it}, err == nil
	}
	return p, false
}
