package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func cmdCompile(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var id, dir string
	var options []string
	c := &cobra.Command{
		Use: "compile --target T FILE|-", Short: "Compile a source to a target", Args: oneSource,
		Long: "Compile a source, with the modules it imports from its folder, to a target of 'meshd lang targets'. The files go\n" +
			"to the folder of --out; a single text file goes to standard output without it. What the target cannot carry\n" +
			"is listed on standard error. The exit code is 3 when the source has errors or the target cannot be made of it.",
		RunE: func(c *cobra.Command, args []string) error {
			if id == "" {
				return session.Usage("compile needs --target; 'meshd lang targets' lists them")
			}
			src, err := loadSource(s, args[0], flags.format)
			if err != nil {
				return err
			}
			req := target.Request{Target: id, Options: map[string]any{}}
			if t, ok := target.Find(id); ok {
				for _, o := range options {
					name, v, err := t.ParseOption(o)
					if err != nil {
						return session.Usage("--option: %v", err)
					}
					req.Options[name] = v
				}
			}
			if flags.strict {
				req.Options["strict"] = true
			}
			r, err := target.Compile(*src, req)
			return compiled(s, r, err, dir)
		},
	}
	flags.add(c)
	c.Flags().StringVarP(&id, "target", "t", "", "id or alias of the `TARGET`")
	c.Flags().StringVarP(&dir, "out", "o", "", "folder for the files")
	c.Flags().StringArrayVar(&options, "option", nil, "an option of the target as name=value; may repeat")
	return c
}

func oneSource(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return session.Usage("%s needs one file, or - for standard input", c.CommandPath())
	}
	return nil
}

// loadSource reads a source with its modules. Imports stay in the folder that
// the file stands in.
func loadSource(s *session.Session, path, format string) (*target.Source, error) {
	if _, known := ast.ParseFormat(format); !known && format != "auto" {
		return nil, session.Usage("--format is holo, hs, hsplus or auto, not %q", format)
	}
	in, err := s.OpenInput(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxRead))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	f, known := ast.ParseFormat(format)
	if !known {
		f, known = ast.FormatOf(path)
	}
	if !known {
		f = ast.GuessFormat(string(raw))
	}
	if path == "-" {
		src := target.Load(nil, "main."+f.String(), raw, f)
		return &src, nil
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	src := target.Load(root.FS(), filepath.Base(path), raw, f)
	return &src, nil
}

// compileReply is what compile prints with --json.
type compileReply struct {
	Target       string            `json:"target"`
	Files        []compiledFile    `json:"files"`
	Losses       []scene.Loss      `json:"losses"`
	Errors       []diag.Diagnostic `json:"errors"`
	Warnings     []diag.Diagnostic `json:"warnings"`
	SourceSHA256 string            `json:"source_sha256"`
	Compiler     string            `json:"compiler"`
}

type compiledFile struct {
	Path      string `json:"path"`
	MediaType string `json:"media_type"`
	SHA256    string `json:"sha256"`
	Bytes     int    `json:"bytes"`
}

// compiled prints and writes what a compile came to.
func compiled(s *session.Session, r *target.Result, err error, dir string) error {
	var bad *target.SourceError
	var left *target.Unsupported
	var unknown *target.UnknownTarget
	var option *target.OptionsError
	switch {
	case errors.As(err, &bad):
		return errors.Join(compileFindings(s, nil, bad.All), session.ErrDegraded)
	case errors.As(err, &left):
		fmt.Fprintf(s.Err, "meshd: %v\n", left)
		return session.ErrDegraded
	case errors.As(err, &unknown), errors.As(err, &option):
		return session.Usage("%v", err)
	case err != nil:
		return err
	}
	if err := compileFindings(s, r, r.Diagnostics); err != nil {
		return err
	}
	if dir == "" {
		if s.JSON {
			return nil
		}
		if len(r.Files) > 1 || !utf8.Valid(r.Files[0].Data) {
			return session.Usage("%s makes %s; name a folder with -o", r.Target.ID, strings.Join(r.Target.Files, " and "))
		}
		_, err := s.Out.Write(r.Files[0].Data)
		return err
	}
	return writeArtefact(dir, r.Files)
}

func compileFindings(s *session.Session, r *target.Result, found []diag.Diagnostic) error {
	if !s.JSON {
		for _, d := range found {
			if d.Severity != diag.Hint || !s.Quiet {
				fmt.Fprintln(s.Err, terminal.Plain(d.String()))
			}
		}
		return nil
	}
	reply := compileReply{Files: []compiledFile{}, Losses: []scene.Loss{}, Errors: []diag.Diagnostic{}, Warnings: []diag.Diagnostic{}, Compiler: artefact.Version}
	for _, d := range found {
		switch d.Severity {
		case diag.Error:
			reply.Errors = append(reply.Errors, d)
		case diag.Warning:
			reply.Warnings = append(reply.Warnings, d)
		}
	}
	if r != nil {
		reply.Target, reply.SourceSHA256, reply.Compiler = r.Target.ID, r.SourceSHA256, r.Compiler
		reply.Losses = append(reply.Losses, r.Losses...)
		for i := range r.Files {
			f := &r.Files[i]
			reply.Files = append(reply.Files, compiledFile{f.Path, f.MediaType, f.SHA256(), len(f.Data)})
		}
	}
	data, err := json.Marshal(reply)
	if err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	_, err = s.Out.Write(append(data, '\n'))
	return err
}

// writeArtefact writes the files of an artefact below a folder.
func writeArtefact(dir string, files []artefact.File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if d := filepath.Dir(filepath.FromSlash(f.Path)); d != "." {
			if err := root.MkdirAll(d, 0o755); err != nil {
				return err
			}
		}
		if err := root.WriteFile(filepath.FromSlash(f.Path), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
