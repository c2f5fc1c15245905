package instance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// process is what the owner's console shows and does of the process itself.
type process struct{ in *Instance }

var _ console.Process = process{}

// Settings are all keys, with their values in force and where these come from.
func (p process) Settings() []console.Setting {
	now := p.in.latest.Load()
	if now == nil {
		now = p.in.Settings
	}
	waits := map[string]bool{}
	_, restart := config.Diff(&p.in.Settings.Config, &now.Config)
	for _, key := range restart {
		waits[key] = true
	}
	var out []console.Setting
	for _, s := range now.Effective() {
		out = append(out, console.Setting{Setting: s, Waits: waits[s.Key]})
	}
	return out
}

// File is the file that changed settings are written to.
func (p process) File() string {
	if p.in.Check == nil {
		return ""
	}
	return p.in.File
}

// read is the file of the settings as it is; none is empty.
func (p process) read() ([]byte, error) {
	text, err := os.ReadFile(p.in.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Propose returns the file as it is, and as it would be with values for some keys.
func (p process) Propose(key, value string) (before, after []byte, err error) {
	if p.File() == "" {
		return nil, nil, reason.Refuse(reason.Forbidden, "the settings of this node are fixed")
	}
	if before, err = p.read(); err != nil {
		return nil, nil, fmt.Errorf("read settings: %w", err)
	}
	if after, err = config.EditFile(p.in.File, key, value); err != nil {
		return nil, nil, err
	}
	return before, after, p.check(after)
}

// check refuses a text that this node would not start with.
func (p process) check(text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(p.in.File), ".settings-*") // mode 0600
	if err != nil {
		return fmt.Errorf("check settings: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	if _, err := f.Write(text); err != nil {
		return errors.Join(fmt.Errorf("check settings: %w", err), f.Close())
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("check settings: %w", err)
	}
	var faults config.Faults
	if err := p.in.Check(f.Name()); errors.As(err, &faults) {
		for i := range faults {
			faults[i].Where = strings.Replace(faults[i].Where, f.Name(), p.in.File, 1)
		}
		return faults
	} else if err != nil {
		return err
	}
	return nil
}

// Save writes the file, unless it is no longer what before says, and puts the live
// settings into force.
func (p process) Save(before, after []byte) (live, restart []string, err error) {
	if p.File() == "" {
		return nil, nil, reason.Refuse(reason.Forbidden, "the settings of this node are fixed")
	}
	p.in.editing.Lock()
	defer p.in.editing.Unlock()
	err = store.Alone(filepath.Dir(p.in.File), func() error {
		now, err := p.read()
		if err != nil {
			return fmt.Errorf("read settings: %w", err)
		}
		if !bytes.Equal(now, before) {
			return reason.Refuse(reason.VersionConflict, "the file was changed meanwhile; look at the change again")
		}
		if err := p.check(after); err != nil {
			return err
		}
		if err := store.AtomicWrite(p.in.File, after, 0o600); err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return p.in.readAgain()
}

// Recent are the newest lines of the log, oldest first.
func (p process) Recent() []string {
	if p.in.Recent == nil {
		return nil
	}
	return p.in.Recent.Lines()
}

// Backup writes the whole home.
func (p process) Backup(ctx context.Context, w io.Writer) error {
	state, where := p.in.state.CopyTo, "sqlite"
	if p.in.state.Shared() {
		state, where = nil, "postgres"
	}
	_, err := p.in.Node.Backup(ctx, w, state, where)
	return err
}
