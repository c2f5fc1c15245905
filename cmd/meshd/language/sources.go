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

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/token"
)

// sourceFlags are what the commands of the language share.
type sourceFlags struct {
	format string
	strict bool
}

func (f *sourceFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.format, "format", "auto", "of the source, auto by its extension")
	session.Choices(c, "format", "holo", "hs", "hsplus", "auto")
	c.Flags().BoolVar(&f.strict, "strict", false, "count warnings as errors")
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
// the parser found, and passes it on. It goes on behind a file that cannot be
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
