//go:build cgo && (linux || darwin) && (amd64 || arm64)

package automerge

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	am "github.com/automerge/automerge-go"
	"golang.org/x/sys/unix"

	"github.com/meshd/meshd/crdt/doc"
)

// This file is the only one that calls the library, and only the worker runs it.
// Traps it steps around: Doc.LoadIncremental swallows the errors of chunks (the
// engine compares heads); Map.Set writes a Go map in random order, which changes
// hashes (keys are set one by one, sorted); Text methods do not keep their
// object alive (runtime.KeepAlive); a Map or List made by Doc.Path has no object
// yet (values are reached from the root map alone).

// supported is true: this build contains the library.
const supported = true

// confine limits the memory of the process and keeps it from writing core files,
// which would keep documents.
func confine() error {
	debug.SetMemoryLimit(maxGoMemory)
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxMemory, Max: maxMemory})
}

// materialise loads chunks and reads everything.
func materialise(chunks [][]byte) (doc.State, error) {
	d, err := load(chunks)
	if err != nil {
		return doc.State{}, err
	}
	defer runtime.KeepAlive(d)
	root, err := read(d.Root(), 0)
	if err != nil {
		return doc.State{}, err
	}
	return doc.State{Root: root.(map[string]any), Heads: heads(d)}, nil
}

// edit loads the history of r and makes its fields true. It returns the heads
// before and one chunk, nil when there was nothing to change.
func edit(r doc.EditRequest) ([][32]byte, []byte, error) {
	d, err := load(r.History)
	if err != nil {
		return nil, nil, err
	}
	defer runtime.KeepAlive(d)
	before := heads(d)
	if err := d.SetActorID(hex.EncodeToString(r.Actor[:])); err != nil {
		return nil, nil, err
	}
	root := d.RootMap()
	slices.SortFunc(r.Set, func(a, b doc.Field) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) })
	changed := false
	for _, f := range r.Set {
		did, err := setField(root, f)
		if err != nil {
			return nil, nil, fmt.Errorf("set %.64q: %w", f.Key, err)
		}
		changed = changed || did
	}
	if !changed {
		return before, nil, nil
	}
	epoch := time.UnixMilli(0)
	hash, err := d.Commit("", am.CommitOptions{Time: &epoch})
	if err != nil {
		return nil, nil, err
	}
	change, err := d.Change(hash)
	if err != nil {
		return nil, nil, err
	}
	return before, change.Save(), nil
}

func load(chunks [][]byte) (*am.Doc, error) {
	d := am.New()
	if len(chunks) == 0 {
		return d, nil
	}
	return d, d.LoadIncremental(slices.Concat(chunks...))
}

func heads(d *am.Doc) [][32]byte {
	list := [][32]byte{}
	for _, h := range d.Heads() {
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return list
}

// read turns a value of the library into the types of doc.State.
func read(v *am.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	switch v.Kind() {
	case am.KindMap:
		values, err := v.Map().Values()
		if err != nil {
			return nil, err
		}
		m := make(map[string]any, len(values))
		for k, item := range values {
			if m[k], err = read(item, depth+1); err != nil {
				return nil, err
			}
		}
		return m, nil
	case am.KindList:
		values, err := v.List().Values()
		if err != nil {
			return nil, err
		}
		list := make([]any, len(values))
		for i, item := range values {
			if list[i], err = read(item, depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case am.KindText:
		t := v.Text()
		defer runtime.KeepAlive(t)
		return t.Get()
	case am.KindUint64:
		return int64(v.Uint64()), nil // the decoder accepts none beyond int64
	case am.KindNull, am.KindBool, am.KindStr, am.KindBytes, am.KindInt64:
		return v.Interface(), nil
	}
	return nil, fmt.Errorf("a document holds no %v", v.Kind())
}

// setField makes f true below root and reports whether that took a change.
func setField(root *am.Map, f doc.Field) (bool, error) {
	now, err := root.Get(f.Key)
	if err != nil {
		return false, err
	}
	if f.Value == nil {
		if now.IsVoid() {
			return false, nil
		}
		return true, root.Delete(f.Key)
	}
	if text, ok := f.Value.(doc.Text); ok && now.Kind() == am.KindText {
		return splice(now.Text(), string(text))
	}
	if same, err := equal(now, f.Value); same || err != nil {
		return false, err
	}
	return true, put(root, f.Key, f.Value)
}

// equal reports whether v reads as want already. A live text is not the same
// as a text value of the same characters.
func equal(v *am.Value, want any) (bool, error) {
	if v.IsVoid() || v.Kind() == am.KindText || hasText(want) {
		return false, nil
	}
	have, err := read(v, 1)
	if err != nil {
		return false, err
	}
	return reflect.DeepEqual(have, want), nil
}

func hasText(v any) bool {
	switch v := v.(type) {
	case doc.Text:
		return true
	case []any:
		return slices.ContainsFunc(v, hasText)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hasText)
	}
	return false
}

// put writes v at key; maps and lists anew, key by key and item by item.
func put(m *am.Map, key string, v any) error {
	switch v := v.(type) {
	case map[string]any:
		child := am.NewMap()
		if err := m.Set(key, child); err != nil {
			return err
		}
		return fillMap(child, v)
	case []any:
		child := am.NewList()
		if err := m.Set(key, child); err != nil {
			return err
		}
		return fillList(child, v)
	}
	leaf, err := scalar(v)
	if err != nil {
		return err
	}
	return m.Set(key, leaf)
}

func fillMap(m *am.Map, v map[string]any) error {
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if err := put(m, k, v[k]); err != nil {
			return err
		}
	}
	return nil
}

func fillList(l *am.List, v []any) error {
	for _, item := range v {
		var err error
		switch item := item.(type) {
		case map[string]any:
			child := am.NewMap()
			if err = l.Append(child); err == nil {
				err = fillMap(child, item)
			}
		case []any:
			child := am.NewList()
			if err = l.Append(child); err == nil {
				err = fillList(child, item)
			}
		default:
			var leaf any
			if leaf, err = scalar(item); err == nil {
				err = l.Append(leaf)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scalar is v as the library takes it.
func scalar(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, string, []byte:
		return v, nil
	case doc.Text:
		return am.NewText(string(v)), nil
	}
	return nil, fmt.Errorf("a document holds no %T", v)
}

// splice turns the live text t into want by one replacement between their
// common ends, so that what others write elsewhere in it stays.
func splice(t *am.Text, want string) (bool, error) {
	defer runtime.KeepAlive(t)
	s, err := t.Get()
	if err != nil || s == want {
		return false, err
	}
	have, goal := []rune(s), []rune(want)
	start := 0
	for start < len(have) && start < len(goal) && have[start] == goal[start] {
		start++
	}
	tail := 0
	for tail < len(have)-start && tail < len(goal)-start && have[len(have)-1-tail] == goal[len(goal)-1-tail] {
		tail++
	}
	return true, t.Splice(start, len(have)-start-tail, string(goal[start:len(goal)-tail]))
}
