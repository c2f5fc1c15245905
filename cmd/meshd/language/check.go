package language

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/check"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func cmdCheck(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var root string
	c := &cobra.Command{
		Use: "check FILE|DIR|-...", Short: "Check sources: syntax, names, traits, types, imports, and what of them nothing acts on", Args: someSources,
		Long: "Check files, folders with all sources below them, or standard input (-), and report what a compile would: the scene\n" +
			"and the program are built too, without a target. What they import is read below the\n" +
			"project's root and nowhere else: --root, or the folder above that contains project.json, or the file's own.\n" +
			"The exit code is 3 when a file had errors, 1 when one could not be read.",
		RunE: func(c *cobra.Command, args []string) error {
			roots := &projects{root: root, open: map[string]*opened{}}
			defer roots.close()
			return eachSource(c.Context(), s, flags, args, roots.judge, func(*source, *outcome) error { return nil })
		},
	}
	flags.add(c)
	c.Flags().StringVar(&root, "root", "", "folder that imports may read")
	return c
}

// projects are the roots of the files under work, each opened once.
type projects struct {
	root string
	open map[string]*opened
}

type opened struct {
	dir     *os.Root
	project *module.Project
	found   []diag.Diagnostic
}

func (r *projects) close() {
	for _, o := range r.open {
		_ = o.dir.Close()
	}
}

// judge checks a source within its project.
func (r *projects) judge(s *source, found []diag.Diagnostic) ([]diag.Diagnostic, error) {
	if s.stdin && r.root == "" { // it stands nowhere, so its imports stay open
		return judgeTree(nil, s.tree, found)
	}
	dir, err := projectRoot(r.root, s)
	if err != nil {
		return nil, err
	}
	o := r.open[dir]
	if o == nil {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		o = &opened{dir: root}
		r.open[dir] = o
		if o.project, o.found, err = module.Open(root.FS()); err != nil {
			return nil, err
		}
	}
	inside, err := pathBelow(dir, s)
	if err != nil {
		return nil, err
	}
	tree := s.tree
	if inside != s.path {
		tree, found = parse.File(inside, s.raw, s.tree.Format)
	}
	out, err := judgeTree(o.project, tree, found)
	if err != nil {
		return nil, err
	}
	for i := range out {
		showPath(&out[i], inside, s.path)
	}
	return append(append([]diag.Diagnostic{}, o.takeFound()...), out...), nil
}

// judgeTree is everything that is found in a tree, as a compile finds it.
func judgeTree(project *module.Project, tree *ast.File, found []diag.Diagnostic) ([]diag.Diagnostic, error) {
	return target.Judge(target.Of(project, tree, check.File(tree, found, check.Options{Project: project})), scene.Limits{}, nil)
}

// takeFound is what the trait files of a project had to say, once.
func (o *opened) takeFound() []diag.Diagnostic {
	found := o.found
	o.found = nil
	return found
}

// projectRoot is the folder that a file's imports may read.
func projectRoot(given string, s *source) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	file, err := filepath.Abs(s.path)
	if err != nil {
		return "", err
	}
	own := filepath.Dir(file)
	for dir := own; ; dir = filepath.Dir(dir) {
		_, err := os.Stat(filepath.Join(dir, module.Settings))
		switch {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		case filepath.Dir(dir) == dir:
			return own, nil
		}
	}
}

// pathBelow is the path of a file relative to its root, with slashes.
func pathBelow(dir string, s *source) (string, error) {
	if s.stdin {
		return s.path, nil
	}
	file, err := filepath.Abs(s.path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not below the root %s", s.path, dir)
	}
	return filepath.ToSlash(rel), nil
}

// showPath names the file as the caller did.
func showPath(d *diag.Diagnostic, inside, shown string) {
	if d.File == inside {
		d.File = shown
	}
	for i := range d.Related {
		if d.Related[i].File == inside {
			d.Related[i].File = shown
		}
	}
	for i := range d.Fixes {
		for k := range d.Fixes[i].Edits {
			if d.Fixes[i].Edits[k].File == inside {
				d.Fixes[i].Edits[k].File = shown
			}
		}
	}
}
