package attest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Change says what happened to a file. What a file is beyond its content, an
// executable or a link, is part of it: else a change of that alone would not
// change the digest.
type Change string

// The changes. A moved file is deleted and added. The content of a deleted file
// is empty; that of a link is the path it names, that of a submodule the text of
// its commit id.
const (
	Added              Change = "added"
	AddedExecutable    Change = "added-executable"
	AddedLink          Change = "added-link"
	AddedSubmodule     Change = "added-submodule"
	Modified           Change = "modified"
	ModifiedExecutable Change = "modified-executable"
	ModifiedLink       Change = "modified-link"
	ModifiedSubmodule  Change = "modified-submodule"
	Deleted            Change = "deleted"
)

var changes = []Change{
	Added, AddedExecutable, AddedLink, AddedSubmodule,
	Modified, ModifiedExecutable, ModifiedLink, ModifiedSubmodule, Deleted,
}

// File is one changed file. Path is relative, with slashes, clean, valid UTF-8
// and without control characters, since paths are part of a text of lines.
type File struct {
	Path   string
	Change Change
	SHA256 [sha256.Size]byte // of the content after the change
}

// line is how a file stands in what is hashed.
func (f File) line() string {
	return f.Path + ":" + string(f.Change) + ":" + hex.EncodeToString(f.SHA256[:])
}

func (f File) check() error {
	switch {
	case len(f.Path) == 0 || len(f.Path) > MaxPath:
		return fmt.Errorf("%w: path of %d bytes, want 1 to %d", ErrFiles, len(f.Path), MaxPath)
	case !utf8.ValidString(f.Path):
		return fmt.Errorf("%w: path %q is not UTF-8", ErrFiles, f.Path)
	case strings.ContainsFunc(f.Path, unicode.IsControl):
		return fmt.Errorf("%w: path %q has a control character", ErrFiles, f.Path)
	case !slices.Contains(changes, f.Change):
		return fmt.Errorf("%w: change %.40q", ErrFiles, string(f.Change))
	case f.Change == Deleted && f.SHA256 != sha256.Sum256(nil):
		return fmt.Errorf("%w: %q is deleted and has content", ErrFiles, f.Path)
	}
	for part := range strings.SplitSeq(f.Path, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("%w: path %q is not clean", ErrFiles, f.Path)
		}
	}
	return nil
}

// Digest is the SHA-256 of the lines `path:change:sha256`, sorted by their bytes
// and each ended by a line feed: what `LC_ALL=C sort | sha256sum` makes of them.
// The order of files does not matter. It returns ErrFiles for more than MaxFiles
// files, a path that is not clean or stands there twice.
func Digest(files []File) ([sha256.Size]byte, error) {
	sorted, err := sortedFiles(files)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	h := sha256.New()
	for _, f := range sorted {
		h.Write([]byte(f.line() + "\n"))
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// sortedFiles checks files and returns them in the order of their lines.
func sortedFiles(files []File) ([]File, error) {
	if len(files) > MaxFiles {
		return nil, fmt.Errorf("%w: %d files, at most %d", ErrFiles, len(files), MaxFiles)
	}
	seen := make(map[string]bool, len(files))
	for _, f := range files {
		if err := f.check(); err != nil {
			return nil, err
		}
		if seen[f.Path] {
			return nil, fmt.Errorf("%w: %q twice", ErrFiles, f.Path)
		}
		seen[f.Path] = true
	}
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b File) int { return strings.Compare(a.line(), b.line()) })
	return sorted, nil
}

// Code is an attestation that its author stands behind a set of changes. Base
// and Head are the commits it goes from and to, in hex, or both "" for a folder.
// The author vouches for the files; that Base and Head contain them is checked
// against the repository.
type Code struct {
	Author     did.Key
	Base, Head string
	Files      []File
}

// codePredicate is the predicate of PredicateCode.
type codePredicate struct {
	Author string     `json:"author"`
	Base   string     `json:"base,omitempty"`
	Head   string     `json:"head,omitempty"`
	Files  []fileJSON `json:"files"`
}

type fileJSON struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
	SHA256 hash   `json:"sha256"`
}

// subjectCode names the subject, whose SHA-256 is the Digest of the files.
const subjectCode = "changeset"

// SignCode attests changes as the signer, who becomes the author. It returns
// ErrFiles for files that Digest refuses and ErrStatement for commits that are
// no hex object names.
func SignCode(c Code, signer keys.Signer) (Envelope, error) {
	sorted, err := sortedFiles(c.Files)
	if err != nil {
		return Envelope{}, err
	}
	if err := checkCommits(c.Base, c.Head); err != nil {
		return Envelope{}, err
	}
	sum, err := Digest(sorted)
	if err != nil {
		return Envelope{}, err
	}
	p := codePredicate{Author: signer.Key().String(), Base: c.Base, Head: c.Head, Files: []fileJSON{}}
	for _, f := range sorted {
		p.Files = append(p.Files, fileJSON{f.Path, f.Change, f.SHA256})
	}
	return seal(subjectCode, sum, PredicateCode, p, signer)
}

// OpenCode reads an attestation and checks it in itself: the author it names has
// signed it, and its files have the digest of its subject. ErrStatement,
// ErrFiles, ErrSignature or ErrMismatch say what fails. Whether the author is
// one to listen to, and whether the files are those at hand (Compare), is for
// the caller to ask.
func OpenCode(e Envelope) (Code, error) {
	var p codePredicate
	sum, err := open(e, subjectCode, PredicateCode, &p)
	if err != nil {
		return Code{}, err
	}
	author, err := signedBy(e, p.Author)
	if err != nil {
		return Code{}, err
	}
	if err := checkCommits(p.Base, p.Head); err != nil {
		return Code{}, err
	}
	c := Code{Author: author, Base: p.Base, Head: p.Head}
	for _, f := range p.Files {
		c.Files = append(c.Files, File{f.Path, f.Change, f.SHA256})
	}
	got, err := Digest(c.Files)
	if err != nil {
		return Code{}, err
	}
	if got != [sha256.Size]byte(sum) {
		return Code{}, fmt.Errorf("%w: digest of the files listed is %x", ErrMismatch, got)
	}
	return c, nil
}

func checkCommits(base, head string) error {
	if base == "" && head == "" {
		return nil
	}
	for _, c := range []string{base, head} {
		b, err := hex.DecodeString(c)
		if err != nil || len(b) != 20 && len(b) != 32 || hex.EncodeToString(b) != c {
			return fmt.Errorf("%w: %.80q is not the name of a commit", ErrStatement, c)
		}
	}
	return nil
}

// Difference is a file that is not as attested.
type Difference struct {
	Path string
	Why  string // what was attested and what was found
}

// Compare says which files are not as attested, by path; none when found is
// exactly what the author signed.
func (c Code) Compare(found []File) []Difference {
	attested, there := map[string]File{}, map[string]File{}
	for _, f := range c.Files {
		attested[f.Path] = f
	}
	var out []Difference
	for _, f := range found {
		there[f.Path] = f
		switch want, known := attested[f.Path]; {
		case !known:
			out = append(out, Difference{f.Path, "is " + string(f.Change) + " but was not attested"})
		case want.Change != f.Change:
			out = append(out, Difference{f.Path, "was attested as " + string(want.Change) + " and is " + string(f.Change)})
		case want.SHA256 != f.SHA256:
			out = append(out, Difference{f.Path, "has another content than attested"})
		}
	}
	for _, f := range c.Files {
		if _, ok := there[f.Path]; !ok {
			out = append(out, Difference{f.Path, "was attested as " + string(f.Change) + " and has not changed"})
		}
	}
	slices.SortFunc(out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return out
}
