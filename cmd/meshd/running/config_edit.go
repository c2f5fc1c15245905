package running

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

func cmdConfigEdit(s *session.Session) *cobra.Command {
	var from string
	c := &cobra.Command{
		Use: "edit", Short: "Edit the configuration file", Args: session.Nothing,
		Long: "Open a copy of the configuration file in $VISUAL, else in $EDITOR. It takes the place of the file when its settings\n" +
			"are sound; else the file stays, and the copy is kept and named, to go on with --from.",
		RunE: func(c *cobra.Command, _ []string) error {
			editor := strings.Fields(s.Getenv("VISUAL"))
			if len(editor) == 0 {
				editor = strings.Fields(s.Getenv("EDITOR"))
			}
			if len(editor) == 0 {
				return session.Usage("%s needs an editor: set EDITOR, such as EDITOR=nano", c.CommandPath())
			}
			f, err := configFile(s)
			if err != nil {
				return err
			}
			draft, err := f.draft(from)
			if err != nil {
				return err
			}
			kept := func(err error) error {
				return errors.Join(err, fmt.Errorf("%s was not changed; the text lies in %s: meshd config edit --from %s goes on with it", f.path, draft, draft))
			}
			run := exec.CommandContext(c.Context(), editor[0], append(editor[1:], draft)...)
			run.Env, run.Stdin, run.Stdout, run.Stderr = s.Env, s.In, s.Out, s.Err
			if s.JSON {
				run.Stdout = s.Err
			}
			if err := run.Run(); err != nil {
				return kept(fmt.Errorf("run %s: %w", editor[0], err))
			}
			text, err := os.ReadFile(draft)
			if err != nil {
				return fmt.Errorf("read what was edited: %w", err)
			}
			if string(text) == string(f.was) {
				s.Say("nothing was changed")
				if s.JSON {
					err = s.PrintJSON(changed{File: f.path, Settings: []config.Setting{}, Overridden: []config.Setting{}, Live: []string{}, Restart: []string{}})
				}
				return errors.Join(err, os.Remove(draft))
			}
			err = store.Alone(filepath.Dir(f.path), func() error {
				if now, err := configFile(s); err != nil || string(now.was) != string(f.was) {
					return kept(errors.Join(err, errors.New("the file was changed in the meantime")))
				}
				if err := f.check(text); err != nil {
					fmt.Fprintf(s.Err, "%s was not changed; the text lies in %s: meshd config edit --from %s goes on with it\n", f.path, draft, draft)
					return err
				}
				if err := f.write(text); err != nil {
					return kept(err)
				}
				return nil
			})
			if err != nil {
				return err
			}
			if err := os.Remove(draft); err != nil {
				return fmt.Errorf("remove the copy: %w", err)
			}
			return f.report(c.Context(), nil)
		},
	}
	c.Flags().StringVar(&from, "from", "", "file with the text to begin with, such as one that was kept")
	return c
}

// draft makes the copy that is edited, beside the file, for it may have secrets.
func (f *configuration) draft(from string) (path string, err error) {
	text := f.was
	switch {
	case from != "":
		in, err := f.session.OpenInput(from)
		if err != nil {
			return "", err
		}
		text, err = io.ReadAll(io.LimitReader(in, session.MaxText))
		if err = errors.Join(err, in.Close()); err != nil {
			return "", fmt.Errorf("read text: %w", err)
		}
	case text == nil:
		if text, err = config.Sample(nil); err != nil {
			return "", err
		}
	}
	out, err := os.CreateTemp(filepath.Dir(f.path), "edit-*-"+store.ConfigFile)
	if err != nil {
		return "", fmt.Errorf("copy settings: %w", err)
	}
	_, err = out.Write(text)
	if err = errors.Join(err, out.Close()); err != nil {
		return "", fmt.Errorf("copy settings: %w", err)
	}
	return out.Name(), nil
}
