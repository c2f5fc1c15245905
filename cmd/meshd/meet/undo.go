package meet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

// before is what was there before join began, which is there again alone when join is
// refused.
type before struct {
	home    string
	fresh   bool     // there was no home
	names   []string // what lay in its folder all the same
	missing []string // folders that were not there, the innermost first
}

// lookAround writes down what is there.
func lookAround(home string) (before, error) {
	b := before{home: home}
	_, err := store.Inspect(home)
	if b.fresh = errors.Is(err, store.ErrNoStore); !b.fresh {
		return b, err
	}
	found, err := os.ReadDir(home)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return b, fmt.Errorf("read folder: %w", err)
	}
	for _, f := range found {
		b.names = append(b.names, f.Name())
	}
	for dir := home; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return b, nil
		}
		b.missing = append(b.missing, dir)
	}
}

// restore ends the node that join has started, and removes the home that it has made.
// A home that another process has by now is left alone.
func (b before) restore(ctx context.Context, s *session.Session, started bool) error {
	if started {
		if err := background.Stop(context.WithoutCancel(ctx), s); err != nil {
			return fmt.Errorf("end the node again: %w", err)
		}
	}
	if !b.fresh {
		return nil
	}
	if _, err := os.Stat(b.home); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	home, err := store.Open(b.home, store.Options{Command: session.CommandLine()})
	if err != nil {
		return fmt.Errorf("remove the home again: %w", err)
	}
	err = errors.Join(b.empty(), home.Close())
	for _, dir := range b.missing {
		err = errors.Join(err, os.Remove(dir))
	}
	if err != nil {
		return fmt.Errorf("remove the home again: %w", err)
	}
	return nil
}

// empty removes from the folder of the home what was not in it.
func (b before) empty() error {
	found, err := os.ReadDir(b.home)
	for _, f := range found {
		if !slices.Contains(b.names, f.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(b.home, f.Name())))
		}
	}
	return err
}
