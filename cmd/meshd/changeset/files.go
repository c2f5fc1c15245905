// Package changeset finds the files that a change of a working tree or a range of commits
// consists of, by their content. It asks git, which it starts.
package changeset

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/identity/attest"
)

// folderFiles are the files below a folder, but for .git, each as added. Links
// below it are not followed. A file that is neither regular nor a link is an error: it
// has no content to sign.
func folderFiles(folder string) ([]attest.File, error) {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, fmt.Errorf("read folder: %w", err)
	}
	var files []attest.File
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != folder && d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		if len(files) == attest.MaxFiles {
			return fmt.Errorf("more than %d files", attest.MaxFiles)
		}
		f, err := folderFile(name, d)
		if err != nil {
			return err
		}
		f.Path = filepath.ToSlash(rel)
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read folder: %w", err)
	}
	return files, nil
}

func folderFile(name string, d fs.DirEntry) (attest.File, error) {
	info, err := d.Info()
	if err != nil {
		return attest.File{}, err
	}
	f := attest.File{Change: attest.Added}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(name)
		f.Change, f.SHA256 = attest.AddedLink, sha256.Sum256([]byte(to))
		return f, err
	case !info.Mode().IsRegular():
		return f, fmt.Errorf("%s is neither a file nor a link", name)
	case info.Mode()&0o100 != 0:
		f.Change = attest.AddedExecutable
	}
	in, err := os.Open(name)
	if err != nil {
		return f, err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return f, err
	}
	f.SHA256 = [sha256.Size]byte(h.Sum(nil))
	return f, nil
}

// git asks the git program about a repository. It uses the commands that are
// made for programs, and ignores replacement objects: what is signed is what the
// commits contain.
type git struct{ repo string }

func (g git) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"-C", g.repo, "--no-replace-objects", "-c", "core.quotePath=false"}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	return c
}

// run returns the output of a command; the error has what it said.
func (g git) run(ctx context.Context, args ...string) ([]byte, error) {
	c := g.command(ctx, args...)
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		if text := terminal.OneLine(said.String(), 300); text != "" {
			return nil, fmt.Errorf("git %s: %s", args[0], text)
		}
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.Bytes(), nil
}

// commit is the full name of a commit.
func (g git) commit(ctx context.Context, name string) (string, error) {
	out, err := g.run(ctx, "rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	return strings.TrimSpace(string(out)), err
}

// message is the commit message.
func (g git) message(ctx context.Context, commit string) (string, error) {
	out, err := g.run(ctx, "show", "--no-patch", "--format=%B", "--end-of-options", commit)
	return string(out), err
}

// changes are the files that differ between two commits. A rename is a deletion
// and an addition, whatever the configuration says.
func (g git) changes(ctx context.Context, base, head string) ([]attest.File, error) {
	raw, err := g.run(ctx, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=none", base, head)
	if err != nil {
		return nil, err
	}
	entries, err := parseDiff(raw)
	if err != nil {
		return nil, err
	}
	return g.hash(ctx, entries)
}

// diffEntry is one line of a raw diff.
type diffEntry struct {
	path   string
	mode   string // after the change
	object string // after the change
	status byte
}

// parseDiff reads `git diff-tree --raw -z`: ":mode mode object object status\0path\0".
func parseDiff(raw []byte) ([]diffEntry, error) {
	var out []diffEntry
	for len(raw) > 0 {
		head, rest, ok := bytes.Cut(raw, []byte{0})
		path, rest, ok2 := bytes.Cut(rest, []byte{0})
		f := strings.Fields(string(head))
		if !ok || !ok2 || len(f) != 5 || !strings.HasPrefix(f[0], ":") || len(f[4]) != 1 {
			return nil, fmt.Errorf("git diff-tree: cannot read %.80q", head)
		}
		if len(out) == attest.MaxFiles {
			return nil, fmt.Errorf("more than %d files differ", attest.MaxFiles)
		}
		out = append(out, diffEntry{string(path), f[1], f[3], f[4][0]})
		raw = rest
	}
	return out, nil
}

// The kinds of entries in a git tree, by mode, and what a change to one is.
var gitModes = map[string]struct{ added, modified attest.Change }{
	"100644": {attest.Added, attest.Modified},
	"100664": {attest.Added, attest.Modified}, // in very old trees
	"100755": {attest.AddedExecutable, attest.ModifiedExecutable},
	"120000": {attest.AddedLink, attest.ModifiedLink},
	"160000": {attest.AddedSubmodule, attest.ModifiedSubmodule},
}

// hash makes files of entries, with the SHA-256 of each blob.
func (g git) hash(ctx context.Context, entries []diffEntry) (_ []attest.File, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := g.command(ctx, "cat-file", "--batch")
	ask, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	answer, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	blobs := bufio.NewReader(answer)
	files := make([]attest.File, len(entries))
	for i, e := range entries {
		if files[i], err = e.file(ask, blobs); err != nil {
			cancel()
			return nil, errors.Join(fmt.Errorf("%s: %w", e.path, err), ignoreKilled(c.Wait()))
		}
	}
	if err := ask.Close(); err != nil {
		return nil, errors.Join(fmt.Errorf("git cat-file: %w", err), c.Wait())
	}
	if err := c.Wait(); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	return files, nil
}

// ignoreKilled drops the error of a program that we ended.
func ignoreKilled(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return err
}

func (e diffEntry) file(ask io.Writer, blobs *bufio.Reader) (attest.File, error) {
	f := attest.File{Path: e.path, Change: attest.Deleted, SHA256: sha256.Sum256(nil)}
	if e.status == 'D' {
		return f, nil
	}
	kind, known := gitModes[e.mode]
	switch {
	case !known || e.status != 'A' && e.status != 'M' && e.status != 'T':
		return f, fmt.Errorf("a change of status %q to mode %.10q", e.status, e.mode)
	case e.status == 'A':
		f.Change = kind.added
	default:
		f.Change = kind.modified
	}
	if kind.added == attest.AddedSubmodule { // its commit lies in another repository
		f.SHA256 = sha256.Sum256([]byte(e.object))
		return f, nil
	}
	sum, err := readBlob(ask, blobs, e.object)
	f.SHA256 = sum
	return f, err
}

// readBlob asks for one object and hashes the answer: "object blob size\n", the
// bytes, "\n".
func readBlob(ask io.Writer, blobs *bufio.Reader, object string) (sum [sha256.Size]byte, err error) {
	if _, err := io.WriteString(ask, object+"\n"); err != nil {
		return sum, fmt.Errorf("git cat-file: %w", err)
	}
	head, err := blobs.ReadString('\n')
	if err != nil {
		return sum, fmt.Errorf("git cat-file: %w", err)
	}
	f := strings.Fields(head)
	if len(f) != 3 || f[0] != object || f[1] != "blob" {
		return sum, fmt.Errorf("git cat-file: %s", terminal.OneLine(head, 200))
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return sum, fmt.Errorf("git cat-file: size of %s: %w", object, err)
	}
	h := sha256.New()
	if _, err := io.CopyN(h, blobs, size); err != nil {
		return sum, fmt.Errorf("git cat-file: %w", err)
	}
	if _, err := blobs.Discard(1); err != nil {
		return sum, fmt.Errorf("git cat-file: %w", err)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// Files are the files of a range, with its commits, or of a folder.
func Files(ctx context.Context, repo, target string) (base, head string, files []attest.File, err error) {
	if IsFolder(target) {
		files, err = folderFiles(target)
		return "", "", files, err
	}
	from, to, ok := strings.Cut(target, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return "", "", nil, session.Usage("%q is neither a folder nor a git range A..B", target)
	}
	if to == "" {
		to = "HEAD"
	}
	g := git{repo}
	if base, err = g.commit(ctx, from); err != nil {
		return "", "", nil, err
	}
	if head, err = g.commit(ctx, to); err != nil {
		return "", "", nil, err
	}
	files, err = g.changes(ctx, base, head)
	return base, head, files, err
}

// Message is the message of a commit of a repository.
func Message(ctx context.Context, repo, commit string) (string, error) {
	return git{repo}.message(ctx, commit)
}

// IsFolder reports whether there is a folder of that name.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// IsBelow reports whether a file would lie in a folder.
func IsBelow(file, folder string) bool {
	f, errFile := filepath.Abs(file)
	d, errFolder := filepath.Abs(folder)
	if errFile != nil || errFolder != nil {
		return false
	}
	rel, err := filepath.Rel(d, f)
	return err == nil && filepath.IsLocal(rel)
}
