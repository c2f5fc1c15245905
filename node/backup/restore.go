package backup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	ds "github.com/ipfs/go-datastore"

	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/store"
)

// Target is where a backup is restored to.
type Target struct {
	Dir string // the home: absent, or empty
	// Engine opens the log's engine of a home by its settings, which are there by
	// then.
	Engine func(home string) (crdtlog.Engine, error)
	// Check looks at a home that is complete but for its place, before anything
	// lies in Dir. Its error ends the restore.
	Check func(home string, h Header, end End) error
}

// Restore makes a home of a backup, wholly or not at all: until all of it was read
// and checked, it lies in a separate folder below Dir. The refusal is
// home_not_empty when Dir is not empty.
func Restore(ctx context.Context, in io.Reader, t Target) (h Header, end End, err error) {
	if err := vacant(t.Dir); err != nil {
		return h, end, err
	}
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return h, end, fmt.Errorf("restore: %w", err)
	}
	var tag [6]byte
	if _, err := rand.Read(tag[:]); err != nil {
		return h, end, fmt.Errorf("restore: %w", err)
	}
	stage := filepath.Join(t.Dir, ".restoring-"+hex.EncodeToString(tag[:]))
	if err := os.Mkdir(stage, 0o700); err != nil {
		return h, end, fmt.Errorf("restore: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(stage))
		}
	}()
	b := &builder{ctx: ctx, dir: stage, target: t}
	h, end, err = Read(in, Sink{Pair: b.pair, File: b.file, Data: b.data})
	if err = errors.Join(err, b.close()); err != nil {
		return h, end, fmt.Errorf("restore: %w", err)
	}
	if b.version == "" {
		return h, end, fmt.Errorf("restore: %w", invalid("it has no VERSION"))
	}
	if t.Check != nil {
		if err := t.Check(stage, h, end); err != nil {
			return h, end, err
		}
	}
	return h, end, settle(stage, t.Dir)
}

// vacant refuses a folder that is not empty.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if len(entries) == 0 {
		return nil
	}
	refusal := reason.Refuse(reason.HomeNotEmpty, "%s is not empty: it holds %s", dir, entries[0].Name())
	refusal.Hint = "restore into another folder with --home, or move this one away first"
	return refusal
}

// settle moves what lies in stage into dir. VERSION makes it a home, so it comes
// last: what a crash leaves before is no home, and not empty.
func settle(stage, dir string) error {
	entries, err := os.ReadDir(stage)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	move := func(name string) error { return os.Rename(filepath.Join(stage, name), filepath.Join(dir, name)) }
	for _, e := range entries {
		if e.Name() == store.VersionFile {
			continue
		}
		if err := move(e.Name()); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
	}
	if err := move(store.VersionFile); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return os.Remove(stage)
}

// builder makes the home in a separate folder.
type builder struct {
	ctx     context.Context
	dir     string
	target  Target
	version string
	out     *os.File
	engine  crdtlog.Engine
	batch   ds.Batch
	held    int // bytes of the batch
}

func (b *builder) pair(key string, value []byte) (err error) {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if b.engine == nil {
		if b.engine, err = b.target.Engine(b.dir); err != nil {
			return err
		}
	}
	if b.batch == nil {
		if b.batch, err = b.engine.Batch(b.ctx); err != nil {
			return err
		}
	}
	if err := b.batch.Put(b.ctx, ds.RawKey(key), append([]byte(nil), value...)); err != nil {
		return err
	}
	if b.held += len(key) + len(value); b.held < maxRecord {
		return nil
	}
	return b.commit()
}

func (b *builder) commit() error {
	if b.batch == nil {
		return nil
	}
	err := b.batch.Commit(b.ctx)
	b.batch, b.held = nil, 0
	return err
}

func (b *builder) file(name string, mode fs.FileMode) (err error) {
	if err := b.endFile(); err != nil {
		return err
	}
	top, _, _ := strings.Cut(name, "/")
	if top == store.StoreDir || top == store.RunDir || top == store.LockFile {
		return invalid("a file is called %q", name)
	}
	if name == store.VersionFile {
		b.version = name
	}
	at := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	// The mode is closed to others whatever the backup says: a key that others may
	// read would be refused.
	b.out, err = os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode&0o700|0o600)
	if errors.Is(err, fs.ErrExist) {
		return invalid("two files are called %q", name)
	}
	return err
}

func (b *builder) data(p []byte) error {
	_, err := b.out.Write(p)
	return err
}

func (b *builder) endFile() error {
	if b.out == nil {
		return nil
	}
	err := errors.Join(b.out.Sync(), b.out.Close())
	b.out = nil
	return err
}

func (b *builder) close() error {
	err := errors.Join(b.endFile(), b.commit())
	if b.engine != nil {
		err = errors.Join(err, b.engine.Close())
	}
	return err
}
