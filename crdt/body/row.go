// Package body reads and writes the bodies of the kinds that a node judges in
// full: one file per kind, the fields and limits of wire §8. A Parse function
// is the row of its kind: it decides from the bytes alone, and its refusal has
// the code that every node gives. What a row needs from the rest of the log
// (whose binding, which target) is package rules' and fold's.
//
// Unknown keys are allowed and ignored, as the wire demands, so that a newer
// node may add fields.
package body

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// row reads typed fields out of a map and keeps the first thing wrong with
// them, so that a kind's parser reads as its line in the table.
type row struct {
	m   cbor.Map
	err error
}

func parse(b []byte) *row {
	m, err := cbor.DecodeMap(b)
	return &row{m: m, err: err}
}

// refusal is the row's bad_encoding, or nil.
func (r *row) refusal() error {
	if r.err == nil {
		return nil
	}
	return reason.Refuse(reason.BadEncoding, "body: %v", r.err)
}

func (r *row) fail(key, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("key %q: %s", key, fmt.Sprintf(format, args...))
	}
}

// get returns the value of key when it is there and of type T.
func get[T any](r *row, key string, need bool) (v T, ok bool) {
	raw, ok := r.m[key]
	if !ok {
		if need {
			r.fail(key, "missing")
		}
		return v, false
	}
	if v, ok = raw.(T); !ok {
		r.fail(key, "wrong type")
	}
	return v, ok
}

const (
	required = true
	optional = false
)

// text reads text of least…most code points.
func (r *row) text(key string, need bool, least, most int) string {
	s, ok := get[string](r, key, need)
	if n := utf8.RuneCountInString(s); ok && (n < least || n > most) {
		r.fail(key, "%d characters, want %d to %d", n, least, most)
	}
	return s
}

// word reads one of some words.
func (r *row) word(key string, need bool, words ...string) string {
	s, ok := r.m[key].(string)
	if (need || r.has(key)) && (!ok || !slices.Contains(words, s)) {
		r.fail(key, "want one of %v", words)
	}
	return s
}

// integer reads least…most.
func (r *row) integer(key string, need bool, least, most int64) (n int64, ok bool) {
	n, ok = get[int64](r, key, need)
	if ok && (n < least || n > most) {
		r.fail(key, "out of range")
	}
	return n, ok
}

// natural reads any integer that is not negative. The encoding bounds it.
func (r *row) natural(key string) int64 {
	n, _ := get[int64](r, key, optional)
	if n < 0 {
		r.fail(key, "negative")
	}
	return n
}

// bytes reads least…most bytes.
func (r *row) bytes(key string, need bool, least, most int) []byte {
	b, ok := get[[]byte](r, key, need)
	if ok && (len(b) < least || len(b) > most) {
		r.fail(key, "%d bytes, want %d to %d", len(b), least, most)
	}
	return b
}

// parent reads the id of what a change is about, which must be one of its parents:
// so what that is, is known before the change is a member.
func (r *row) parent(key string, parents []change.ID) change.ID {
	b, _ := r.m[key].([]byte)
	i := slices.IndexFunc(parents, func(p change.ID) bool { return bytes.Equal(p[:], b) })
	if i < 0 {
		r.fail(key, "deps must hold it")
		return change.ID{}
	}
	return parents[i]
}

// nowhere refuses keys that have no place in this body, whatever their values.
func (r *row) nowhere(keys ...string) {
	for _, key := range keys {
		if r.has(key) {
			r.fail(key, "has no place here")
		}
	}
}

// fixed reads exactly size bytes; nil when absent.
func (r *row) fixed(key string, need bool, size int) []byte {
	b, ok := get[[]byte](r, key, need)
	if ok && len(b) != size {
		r.fail(key, "%d bytes, want %d", len(b), size)
	}
	return b
}

// id reads an id or hash. The one of 32 zero bytes is refused, so that the zero
// ID says that key is absent.
func (r *row) id(key string, need bool) (id change.ID) {
	b := r.fixed(key, need, len(id))
	if len(b) != len(id) {
		return id
	}
	if id = change.ID(b); id.IsZero() {
		r.fail(key, "32 zero bytes")
	}
	return id
}

// task reads the id of a task.
func (r *row) task(key string, need bool) string {
	s, _ := r.m[key].(string)
	if (need || r.has(key)) && !ValidTask(s) {
		r.fail(key, "want tsk_ and a UUID in lower case")
	}
	return s
}

// has reports whether key is there, whatever its value.
func (r *row) has(key string) bool {
	_, ok := r.m[key]
	return ok
}

// list reads an array of at most most items, each passed to item with its
// index; item reports what is wrong with it.
func (r *row) list(key string, need bool, most int, item func(v any) error) {
	items, ok := get[[]any](r, key, need)
	if !ok {
		return
	}
	if len(items) > most {
		r.fail(key, "%d items, limit %d", len(items), most)
		return
	}
	for i, v := range items {
		if err := item(v); err != nil {
			r.fail(key, "item %d: %v", i, err)
			return
		}
	}
}

func (r *row) texts(key string, need bool, most, length int) (out []string) {
	r.list(key, need, most, func(v any) error {
		s, ok := v.(string)
		if !ok {
			return errType
		}
		if utf8.RuneCountInString(s) > length {
			return fmt.Errorf("over %d characters", length)
		}
		out = append(out, s)
		return nil
	})
	return out
}

func (r *row) ids(key string, need bool, most int) (out []change.ID) {
	r.list(key, need, most, func(v any) error {
		b, ok := v.([]byte)
		if !ok || len(b) != len(change.ID{}) {
			return errType
		}
		out = append(out, change.ID(b))
		return nil
	})
	return out
}

func (r *row) keys(key string, need bool, most int) (out []did.Key) {
	r.list(key, need, most, func(v any) error {
		b, _ := v.([]byte)
		k, err := did.KeyFromBytes(b)
		out = append(out, k)
		return err
	})
	return out
}

func (r *row) key(key string) did.Key {
	b, _ := r.m[key].([]byte)
	k, err := did.KeyFromBytes(b)
	if err != nil {
		r.fail(key, "%v", err)
	}
	return k
}

// controller reads the DID of a key or wallet.
func (r *row) controller(key string) string {
	s, _ := r.m[key].(string)
	if _, err := did.ParseController(s); err != nil {
		r.fail(key, "%v", err)
	}
	return s
}

// controllers reads the DIDs that outrank an acting key; there distinguishes an empty
// list from none.
func (r *row) controllers(key string) (out []string, there bool) {
	r.list(key, optional, MaxControllers, func(item any) error {
		s, _ := item.(string)
		out = append(out, s)
		_, err := did.ParseController(s)
		return err
	})
	_, there = r.m[key]
	return out, there
}

// sub reads a nested map as a row of its own; nil when absent. Its faults
// become r's.
func (r *row) sub(key string, need bool, read func(*row)) bool {
	m, ok := get[cbor.Map](r, key, need)
	if !ok {
		return false
	}
	s := &row{m: m}
	read(s)
	if s.err != nil {
		r.fail(key, "%v", s.err)
	}
	return true
}

var errType = fmt.Errorf("wrong type")

// put sets key unless v is empty, for encoding optional fields.
func putText(m cbor.Map, key, v string) {
	if v != "" {
		m[key] = v
	}
}

func putBytes(m cbor.Map, key string, v []byte) {
	if len(v) > 0 {
		m[key] = v
	}
}

func putID(m cbor.Map, key string, id change.ID) {
	if !id.IsZero() {
		m[key] = id[:]
	}
}

func putTexts(m cbor.Map, key string, v []string) {
	if len(v) == 0 {
		return
	}
	items := make([]any, len(v))
	for i, s := range v {
		items[i] = s
	}
	m[key] = items
}

func idItems(ids []change.ID) []any {
	items := make([]any, len(ids))
	for i := range ids {
		items[i] = ids[i][:]
	}
	return items
}
