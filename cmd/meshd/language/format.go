package language

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/lang/format"
)

func cmdFormat(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var write, diffs, list bool
	c := &cobra.Command{
		Use: "format FILE|DIR|-...", Short: "Print sources in their canonical form", Args: someSources,
		Long: "Print sources in their canonical form to standard output, or write it back to the files. A file with syntax\n" +
			"errors is left alone; the exit code is then 3.",
		RunE: func(c *cobra.Command, args []string) error {
			n := 0
			for _, set := range []bool{write, diffs, list} {
				if set {
					n++
				}
			}
			if n > 1 {
				return session.Usage("use one of --write, --diff and --list")
			}
			if write {
				for _, a := range args {
					if a == "-" {
						return session.Usage("standard input cannot be written back; leave --write out")
					}
				}
			}
			return eachSource(c.Context(), s, flags, args, nil, func(src *source, line *outcome) error {
				if !line.OK {
					return nil
				}
				text := format.File(src.tree)
				changed := text != string(src.raw)
				line.Changed = &changed
				switch {
				case write && changed:
					return replaceFile(src.path, text)
				case write:
				case list:
					if changed && !s.JSON {
						fmt.Fprintln(s.Out, terminal.Plain(src.path))
					}
				case diffs:
					if changed && !s.JSON {
						_, err := s.Out.Write(diff.Diff(src.path, src.raw, src.path+" (formatted)", []byte(text)))
						return err
					}
				case s.JSON:
					line.Text = &text
				default:
					_, err := io.WriteString(s.Out, text)
					return err
				}
				return nil
			})
		},
	}
	flags.add(c)
	c.Flags().BoolVarP(&write, "write", "w", false, "write the form back to the files that differ from it")
	c.Flags().BoolVarP(&diffs, "diff", "d", false, "print what would change")
	c.Flags().BoolVarP(&list, "list", "l", false, "print the names of the files that differ")
	return c
}

// replaceFile puts a text in the place of a file's, which keeps its mode: the
// file contains the old text or the new, never a part.
func replaceFile(path, text string) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".format-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = io.WriteString(f, text)
	err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close())
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}
