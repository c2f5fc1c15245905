package language

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/format"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

// sourceFlags are what the commands of the language share.
type sourceFlags struct {
	format string
	strict bool
}

func (f *sourceFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.format, "format", "auto", "holo, hs, hsplus, or auto: by the extension")
	c.Flags().BoolVar(&f.strict, "strict", false, "count warnings as errors")
}

func cmdParse(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var tree bool
	c := &cobra.Command{
		Use: "parse FILE|DIR|-...", Short: "Check the syntax of sources", Args: someSources,
		Long: "Check the syntax of files, of folders with all sources below them, or of standard input (-). What is found\n" +
			"goes to standard error, with --json to standard output, a line for each file. The exit code is 3 when a\n" +
			"file had errors, 1 when one could not be read.",
		RunE: func(c *cobra.Command, args []string) error {
			if tree {
				s.JSON = true
			}
			return eachSource(c.Context(), s, flags, args, nil, func(src *source, line *outcome) error {
				if tree {
					line.AST = ast.AppendJSON(nil, src.tree)
				}
				return nil
			})
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&tree, "ast", false, "print the syntax tree with the JSON line")
	return c
}

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

// someSources says that a command needs paths.
func someSources(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return session.Usage("%s needs files, folders, or - for standard input", c.CommandPath())
	}
	return nil
}

// source is one text under work.
type source struct {
	path  string
	stdin bool
	raw   []byte
	tree  *ast.File
}

// outcome is the JSON line of a file.
type outcome struct {
	Path     string            `json:"path"`
	Format   string            `json:"format"`
	OK       bool              `json:"ok"`
	Errors   []diag.Diagnostic `json:"errors"`
	Warnings []diag.Diagnostic `json:"warnings"`
	Hints    []diag.Diagnostic `json:"hints"`
	Millis   int64             `json:"millis"`
	Changed  *bool             `json:"changed,omitempty"`
	Text     *string           `json:"text,omitempty"`
	AST      json.RawMessage   `json:"ast,omitempty"`
}

// eachSource parses every source that the arguments name, lets judge add to what
// the parser found, and hands it on. It goes on behind a file that cannot be
// read or has errors, and says so at the end.
func eachSource(ctx context.Context, s *session.Session, flags sourceFlags, args []string, judge func(*source, []diag.Diagnostic) ([]diag.Diagnostic, error), work func(*source, *outcome) error) error {
	if _, known := ast.ParseFormat(flags.format); !known && flags.format != "auto" {
		return session.Usage("--format is holo, hs, hsplus or auto, not %q", flags.format)
	}
	var unread error
	files, faults := 0, 0
	for _, arg := range args {
		paths, err := sourcesBelow(arg)
		unread = errors.Join(unread, err)
		for _, path := range paths {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			start := time.Now()
			src, found, err := readSource(s, path, flags.format)
			if err != nil {
				unread = errors.Join(unread, err)
				continue
			}
			if judge != nil {
				if found, err = judge(src, found); err != nil {
					unread = errors.Join(unread, err)
					continue
				}
			}
			line := newOutcome(src, found)
			line.OK = len(line.Errors) == 0
			files++
			if !line.OK || flags.strict && len(line.Warnings) > 0 {
				faults++
			}
			if err := work(src, line); err != nil {
				return err
			}
			line.Millis = time.Since(start).Milliseconds()
			if err := showLine(s, line, found); err != nil {
				return err
			}
		}
	}
	switch {
	case unread != nil:
		return unread
	case faults > 0:
		return session.ErrDegraded
	case files == 0:
		return session.Usage("no .holo, .hs or .hsplus file below %s", strings.Join(args, ", "))
	}
	return nil
}

func newOutcome(s *source, found []diag.Diagnostic) *outcome {
	line := &outcome{Path: s.path, Format: s.tree.Format.String(), Errors: []diag.Diagnostic{}, Warnings: []diag.Diagnostic{}, Hints: []diag.Diagnostic{}}
	for _, d := range found {
		switch d.Severity {
		case diag.Error:
			line.Errors = append(line.Errors, d)
		case diag.Warning:
			line.Warnings = append(line.Warnings, d)
		default:
			line.Hints = append(line.Hints, d)
		}
	}
	return line
}

// showLine prints what was found in a file.
func showLine(s *session.Session, line *outcome, found []diag.Diagnostic) error {
	if s.JSON {
		data, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("encode output: %w", err)
		}
		_, err = s.Out.Write(append(data, '\n'))
		return err
	}
	for _, d := range found {
		if d.Severity != diag.Hint || !s.Quiet {
			fmt.Fprintln(s.Err, terminal.Plain(d.String()))
		}
	}
	return nil
}

// maxRead is more than any source that is not too large takes in any encoding.
const maxRead = 2*token.MaxSource + 4

// readSource reads and parses a file, or standard input.
func readSource(s *session.Session, path, name string) (*source, []diag.Diagnostic, error) {
	in, err := s.OpenInput(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxRead))
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", path, err)
	}
	src := &source{path: path, raw: raw}
	f, known := ast.ParseFormat(name)
	if !known {
		f, known = ast.FormatOf(path)
	}
	if !known {
		f = ast.GuessFormat(token.Decode(path, raw).Text)
	}
	if path == "-" {
		src.stdin = true
		src.path = "main." + f.String()
	}
	var found []diag.Diagnostic
	src.tree, found = parse.File(src.path, raw, f)
	return src, found, nil
}

// sourcesBelow is a file itself, and of a folder all sources below it in
// alphabetical order; folders whose names begin with a dot are left out.
func sourcesBelow(arg string) ([]string, error) {
	if arg == "-" {
		return []string{arg}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{arg}, nil
	}
	var out []string
	err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != arg && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if _, ok := ast.FormatOf(d.Name()); ok && d.Type().IsRegular() && strings.Contains(d.Name(), ".") {
			out = append(out, path)
		}
		return nil
	})
	return out, err
}

// replaceFile puts a text in the place of a file's, which keeps its mode: the
// file holds the old text or the new, never a part.
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
