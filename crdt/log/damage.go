package log

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	leveldb "github.com/syndtr/goleveldb/leveldb/errors"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/table"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
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

// refusedDamage gives every DamageError its code, on whatever face it ends.
var refusedDamage = reason.Refuse(reason.StoreDamaged, "what this needs is damaged on the disk of this node")

// register is what reads have found damaged since the log was opened, or since
// Verify last looked at everything.
type register struct {
	mu    sync.Mutex
	byID  map[change.ID]string // part
	parts map[string]bool      // what is about no one change
	tell  func(error)
}

// note remembers a damage; the first of a change is told.
func (r *register) note(id change.ID, part string, err error) {
	r.mu.Lock()
	known := r.parts[part]
	if !id.IsZero() {
		_, known = r.byID[id]
	}
	switch {
	case known || len(r.byID)+len(r.parts) >= maxDamaged:
		r.mu.Unlock()
		return
	case id.IsZero():
		r.parts = grown(r.parts)
		r.parts[part] = true
	default:
		r.byID = grown(r.byID)
		r.byID[id] = part
	}
	tell := r.tell
	r.mu.Unlock()
	if tell != nil {
		tell(err)
	}
}

func grown[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (r *register) forget(id change.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byID, id)
}

// replace forgets all but what a look at everything has found.
func (r *register) replace(found []Problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byID, r.parts = map[change.ID]string{}, map[string]bool{}
	for _, p := range found {
		if len(r.byID)+len(r.parts) >= maxDamaged {
			return
		}
		if p.ID.IsZero() {
			r.parts[p.Part] = true
		} else {
			r.byID[p.ID] = p.Part
		}
	}
}

// Damaged returns how many changes are known to be damaged, and how many other
// parts of the store, at most 65,536 together: by reads since Open, or by the last
// Verify that looked at everything.
func (l *Log) Damaged() (changes, parts int) {
	l.damaged.mu.Lock()
	defer l.damaged.mu.Unlock()
	return len(l.damaged.byID), len(l.damaged.parts)
}

// OnDamage has f called with each damage that is found for the first time. f is
// called by whoever reads: it must be quick and must not use the log. Call
// OnDamage once, before the log is shared.
func (l *Log) OnDamage(f func(error)) { l.damaged.tell = f }

// NoteDamage has the log count a damage that its engine found by itself.
func (l *Log) NoteDamage(err error) { l.damaged.note(change.ID{}, "files", err) }

// gap is a range of keys, from ≤ key < to, that the engine cannot give.
type gap struct{ from, to string }

func (g gap) has(key string) bool { return g.from <= key && key < g.to }

// scanner is the part of an Engine that scanSound needs.
type scanner interface {
	Scan(ctx context.Context, from, to string, visit func(key string, value []byte) error) error
}

// scanSound is Scan that leaves out what the engine cannot give and reports it
// as gaps. What lies in none was visited.
func scanSound(ctx context.Context, e scanner, from, to string, visit func(key string, value []byte) error, skipped func(gap)) error {
	for from < to {
		last := ""
		var stop error
		err := e.Scan(ctx, from, to, func(key string, value []byte) error {
			last, stop = key, visit(key, value)
			return stop
		})
		if err == nil || stop != nil || !IsCorrupt(err) {
			return err
		}
		bad := from
		if last != "" {
			bad = last + "\x00"
		}
		next, err := resume(ctx, e, bad, to)
		if err != nil {
			return err
		}
		skipped(gap{bad, next})
		from = next
	}
	return nil
}

// keyChars are the characters of keys, in order, with one above them all.
const keyChars = "/0123456789abcdefghijklmnopqrstuvwxyz\x7f"

// resume finds where, above bad, at which the engine cannot begin to read, it can
// again: nearly the smallest such key, and to when there is none. It goes from
// character to character, since an engine may take milliseconds for each damaged
// block that it meets.
func resume(ctx context.Context, e scanner, bad, to string) (string, error) {
	high := to
	reads := func(x string) (bool, error) {
		if x <= bad || x >= high {
			return x > bad, nil
		}
		err := e.Scan(ctx, x, to, func(string, []byte) error { return errStop })
		switch {
		case err == nil || errors.Is(err, errStop):
			high = x
			return true, nil
		case IsCorrupt(err):
			return false, nil
		}
		return false, err
	}
	prefix, apart := "", 0
	for len(prefix) < maxKey && apart < resumeChars {
		// The largest character with which it cannot read; the next one ends that.
		low, end := -1, len(keyChars)
		if i := len(prefix); i < len(bad) && prefix == bad[:i] {
			if at := strings.IndexByte(keyChars, bad[i]); at >= 0 && at+1 < len(keyChars) {
				ok, err := reads(prefix + keyChars[at+1:at+2])
				if err != nil {
					return "", err
				}
				if low = at; ok {
					end = at + 1
				}
			}
		}
		for low+1 < end {
			mid := (low + end) / 2
			ok, err := reads(prefix + keyChars[mid:mid+1])
			if err != nil {
				return "", err
			}
			if ok {
				end = mid
			} else {
				low = mid
			}
		}
		if low < 0 {
			break // with any character it reads
		}
		if prefix += keyChars[low : low+1]; !strings.HasPrefix(bad, prefix) {
			apart++
		}
	}
	return high, nil
}
