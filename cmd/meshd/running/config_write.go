package running

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

func cmdConfigSet(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "set SETTING VALUE [SETTING VALUE]...", Short: "Write settings into the configuration file",
		Long: "Write settings into the configuration file; its other lines, and its comments, stay. A value that the whole\n" +
			"configuration does not allow is refused before anything is written; settings that need one another are set together.\n" +
			"Lists are separated by commas. A VALUE of - is read from standard input, as secrets have to be. The node that runs\n" +
			"reloads what it can, and what waits for a restart is named.",
		Example: "  meshd config set log.level debug\n" +
			"  meshd config set gateway.enabled true gateway.listen 0.0.0.0:8420\n" +
			"  meshd config set state.postgres - < connection.txt",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || len(args)%2 != 0 {
				return session.Usage("%s needs a value for each key: %s", c.CommandPath(), c.UseLine())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var keys []string
			f, err := configFile(s)
			if err != nil {
				return err
			}
			values := make([]string, len(args)/2) // read first, for one may come from a terminal
			for i := range values {
				if values[i], err = valueOf(s, args[2*i], args[2*i+1]); err != nil {
					return f.unchanged(err)
				}
			}
			return f.change(c.Context(), func(draft string) (err error) {
				for i := range values {
					text, err := config.EditFile(draft, args[2*i], values[i])
					if err == nil {
						err = os.WriteFile(draft, text, 0o600)
					}
					if err != nil {
						return err
					}
					keys = append(keys, args[2*i])
				}
				return nil
			}, &keys)
		},
	}
}

func cmdConfigUnset(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "unset SETTING...", Short: "Take settings out of the configuration file", Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usage("%s needs one key: %s", c.CommandPath(), c.UseLine())
			}
			return nil
		},
		Long: "Take settings out of the configuration file: the default, or what the profile says, is in force again. Its other\n" +
			"lines, and its comments, stay.",
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args {
				if _, err := keyOf(name); err != nil {
					return err
				}
			}
			f, err := configFile(s)
			if err != nil {
				return err
			}
			return f.change(c.Context(), func(draft string) error {
				for _, name := range args {
					text, err := config.UnsetFile(draft, name)
					if errors.Is(err, fs.ErrNotExist) {
						return nil
					}
					if err == nil {
						err = os.WriteFile(draft, text, 0o600)
					}
					if err != nil {
						return err
					}
				}
				return nil
			}, &args)
		},
	}
}

// valueOf is the value of a key as a command line gives it.
func valueOf(s *session.Session, name, value string) (string, error) {
	k, err := keyOf(name)
	if err != nil {
		return "", err
	}
	if value != "-" {
		if k.Secret && value != "" {
			return "", session.Usage("%s is a secret, which everybody on this machine sees on a command line: give it on standard input, meshd config set %s -", name, name)
		}
		return value, nil
	}
	text, err := s.Text("config set", []string{"-"})
	return strings.TrimRight(text, "\r\n"), err
}

// configuration is the file of settings that a command changes.
type configuration struct {
	session *session.Session
	path    string
	home    string
	was     []byte // nil: there is none
	mode    fs.FileMode
}

// configFile reads the file of settings of this command line.
func configFile(s *session.Session) (*configuration, error) {
	home, err := s.HomeDir()
	if err != nil {
		return nil, err
	}
	f := &configuration{session: s, home: home, path: s.Source(home).File, mode: 0o600}
	if real, err := filepath.EvalSymlinks(f.path); err == nil {
		f.path = real // a link stays one
	}
	if s.File == "" {
		if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) {
			_, err := store.Inspect(home)
			return nil, err
		}
	}
	return f, f.read()
}

// read takes the file as it is now.
func (f *configuration) read() (err error) {
	f.was, err = os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	info, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	f.mode = info.Mode().Perm()
	return nil
}

// change has a copy of the file changed, and puts it in the place of the file when the
// settings it makes are sound. Of several changes at once one begins with what the other
// has written.
func (f *configuration) change(ctx context.Context, edit func(draft string) error, keys *[]string) error {
	if err := store.Alone(filepath.Dir(f.path), func() error { return f.replace(edit) }); err != nil {
		return err
	}
	return f.report(ctx, *keys)
}

func (f *configuration) replace(edit func(draft string) error) error {
	if err := f.read(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "meshd-config-")
	if err != nil {
		return fmt.Errorf("change settings: %w", err)
	}
	draft := filepath.Join(dir, store.ConfigFile)
	if f.was != nil {
		err = os.WriteFile(draft, f.was, 0o600)
	}
	if err == nil {
		err = edit(draft)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(draft)
		if errors.Is(err, fs.ErrNotExist) { // nothing to unset
			text, err = nil, nil
		}
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		return f.unchanged(err)
	}
	if text == nil {
		return nil
	}
	if err := f.check(text); err != nil {
		return err
	}
	return f.write(text)
}

// unchanged is why the file stays as it is.
func (f *configuration) unchanged(err error) error {
	if fault := (config.Fault{}); errors.As(err, &fault) {
		return config.Faults{fault}
	}
	return fmt.Errorf("%s was not changed: %w", f.path, err)
}

// check refuses a text whose settings have faults that those before had not.
func (f *configuration) check(text []byte) error {
	src := f.session.Source(f.home)
	src.File = f.path
	var old config.Faults
	if f.was != nil {
		src.Text = f.was
		_, err := config.Load(src)
		errors.As(err, &old)
	}
	src.Text = text
	_, err := config.Load(src)
	var faults config.Faults
	if errors.As(err, &faults) {
		faults = slices.DeleteFunc(faults, func(one config.Fault) bool {
			return slices.ContainsFunc(old, func(o config.Fault) bool { return o.Key == one.Key && o.Text == one.Text })
		})
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// write puts a text in the place of the file.
func (f *configuration) write(text []byte) error {
	if string(text) == string(f.was) {
		return nil
	}
	if err := store.AtomicWrite(f.path, text, f.mode); err != nil {
		return fmt.Errorf("change settings: %w", err)
	}
	return nil
}

// changed is what a change of the file came to.
type changed struct {
	File       string           `json:"file"`
	Settings   []config.Setting `json:"settings"`   // those that were written
	Overridden []config.Setting `json:"overridden"` // of these, those that another layer stands over
	Running    bool             `json:"running"`
	Live       []string         `json:"live"`    // in force in the running node now
	Restart    []string         `json:"restart"` // in force after its restart
}

// report has the node that runs reload its settings, and says what is in force.
func (f *configuration) report(ctx context.Context, keys []string) error {
	s := f.session
	_, loaded, faults := s.Settings()
	if loaded == nil {
		return faults
	}
	out := changed{File: f.path, Settings: []config.Setting{}, Overridden: []config.Setting{}, Live: []string{}, Restart: []string{}}
	for _, set := range loaded.Effective() {
		if !slices.Contains(keys, set.Key) {
			continue
		}
		out.Settings = append(out.Settings, set)
		if layer, _, _ := strings.Cut(set.Origin, ":"); layer == "env" || layer == "flag" || layer == "p2p.loopback" {
			out.Overridden = append(out.Overridden, set)
		}
	}
	err := f.reload(ctx, &out)
	if s.JSON {
		return errors.Join(faults, err, s.PrintJSON(out))
	}
	for _, set := range out.Overridden {
		fmt.Fprintf(s.Err, "%s is still %q: %s stands over the file\n", set.Key, set.Value, set.Origin)
	}
	if err != nil {
		return errors.Join(faults, err)
	}
	if !out.Running {
		s.Say("%s is written; a node that starts goes by it", f.path)
		return faults
	}
	if s.Quiet {
		return faults
	}
	return errors.Join(faults, s.Facts("file", f.path, "changed now", listed(out.Live), "after a restart", listed(out.Restart)))
}

func (f *configuration) reload(ctx context.Context, out *changed) (err error) {
	d, err := f.session.Connect(ctx, session.Running)
	if errors.Is(err, control.ErrNotRunning) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	data, _, err := d.Do(ctx, "POST", "/control/reload", nil, nil, nil)
	if err != nil {
		return err
	}
	var r admin.ReloadReply
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	out.Running, out.Live, out.Restart = true, append(out.Live, r.Live...), append(out.Restart, r.Restart...)
	if r.Faults != "" {
		return errors.New("the file is written, but the running node refuses it:\n" + r.Faults)
	}
	return nil
}
