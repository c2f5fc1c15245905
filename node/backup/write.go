package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/store"
)

// Source is what a backup is made of.
type Source struct {
	Header Header
	Home   *store.Home // locked
	Store  string      // the folder of the log, which is left out
	Leave  []string    // further files of the home to leave out, absolute
	// Log visits every pair of the log's engine in order of keys, all of one moment.
	Log func(ctx context.Context, visit func(key string, value []byte) error) error
	// State writes the state's database to a file, of one moment; nil when the state
	// does not lie in this home.
	State  func(ctx context.Context, path string) error
	Secret [32]byte // of the node, for the seal
}

// Write writes a backup. The order makes the parts fit although the node goes on
// meanwhile: keys and state are taken after the log, so that whatever is in the log
// has its key and its record there.
func Write(ctx context.Context, out io.Writer, src Source) (End, error) {
	w, err := newWriter(out)
	if err != nil {
		return End{}, fmt.Errorf("write backup: %w", err)
	}
	err = w.json(typeHeader, src.Header)
	if err == nil {
		err = src.files(ctx, w, func(name string) bool { return !isKey(name) })
	}
	if err == nil {
		err = src.Log(ctx, w.pair)
	}
	if err == nil {
		err = src.files(ctx, w, isKey)
	}
	if err == nil && src.State != nil {
		err = src.state(ctx, w)
	}
	if err == nil {
		err = w.close(src.Secret)
	}
	if err != nil {
		return End{}, fmt.Errorf("write backup: %w", err)
	}
	return w.end, nil
}

func isKey(name string) bool { return strings.HasPrefix(name, store.KeysDir+"/") }

// files writes the files of the home that are chosen. One that vanishes between
// being listed and being read was of no lasting use.
func (src *Source) files(ctx context.Context, w *writer, chosen func(name string) bool) error {
	return filepath.WalkDir(src.Home.Dir(), func(at string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(src.Home.Dir(), at)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if e.IsDir() {
			if src.leaves(name, at) {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() || src.leaves(name, at) || !chosen(name) {
			return nil
		}
		f, err := os.Open(at)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		return w.file(file{name, info.Mode().Perm()}, f)
	})
}

// leaves reports whether something of the home is not in a backup: what is
// derived, what belongs to the place or the process, and what is half written.
func (src *Source) leaves(name, at string) bool {
	if at == src.Store {
		return true
	}
	for _, l := range src.Leave {
		if at == l {
			return true
		}
	}
	top, _, nested := strings.Cut(name, "/")
	switch top {
	case store.RunDir, store.LockFile, lineage.File:
		return true
	}
	if nested {
		return strings.HasPrefix(path.Base(name), ".new-")
	}
	// A store that was set aside, with what it was called since, is no part either.
	return strings.HasPrefix(top, store.StateFile) || strings.HasPrefix(top, store.StoreDir+".") || strings.HasSuffix(top, ".tmp") || strings.HasSuffix(top, ".new")
}

func (src *Source) state(ctx context.Context, w *writer) (err error) {
	dir, err := os.MkdirTemp(src.Home.Path(store.RunDir), "backup-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at := filepath.Join(dir, store.StateFile)
	if err := src.State(ctx, at); err != nil {
		return err
	}
	f, err := os.Open(at)
	if err != nil {
		return err
	}
	defer f.Close()
	return w.file(file{store.StateFile, 0o600}, f)
}
