package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ExposedError means that others than its owner may write something that a node
// trusts: whoever can put a file there can act as the node.
type ExposedError struct {
	Path string
	Mode fs.FileMode
}

// Error names the file and who may write it.
func (e *ExposedError) Error() string {
	who := "its group"
	if e.Mode&0o002 != 0 {
		who = "every user of this machine"
	}
	return fmt.Sprintf("%s may be written by %s (mode %#o)", e.Path, who, e.Mode.Perm())
}

// trusted are the names in a home whose content decides what a node does, with
// whether what lies below them does too.
var trusted = []struct {
	name string
	deep bool
}{
	{ConfigFile, false}, {VersionFile, false}, {StateFile, false}, {"INSTANCE", false}, {"network", false}, {KeysDir, true}, {StoreDir, true},
	{ObjectsDir, false}, {RunDir, false},
}

// CheckPrivate returns an *ExposedError when others than its owner may write the
// home folder in dir or what a node trusts in it: by the mode of the file, and of
// the folders above it up to dir. What is not there is fine. It changes nothing.
func CheckPrivate(dir string) error {
	reach, err := closed(dir, 0o022)
	if err != nil || reach == 0 {
		return err
	}
	for _, t := range trusted {
		if err := closedBelow(filepath.Join(dir, t.name), reach, t.deep); err != nil {
			return err
		}
	}
	return nil
}

// CheckElsewhere is CheckPrivate for a folder of the home that the settings place
// outside of it, such as a store on another disk.
func (h *Home) CheckElsewhere(dir string) error {
	if rel, err := filepath.Rel(h.dir, dir); err == nil && filepath.IsLocal(rel) {
		return nil
	}
	return closedBelow(dir, 0o022, true)
}

// closedBelow checks one file or folder, and with deep what is in it.
func closedBelow(path string, reach fs.FileMode, deep bool) error {
	reach, err := closed(path, reach)
	if err != nil || reach == 0 || !deep {
		return err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("look who may write %s: %w", path, err)
	}
	for _, e := range entries {
		if err := closedBelow(filepath.Join(path, e.Name()), reach, true); err != nil {
			return err
		}
	}
	return nil
}

// closed checks one file. reach has the write bits of those who can come to it;
// what it returns has the bits of those who can come to what is in it: none for a
// file, and for a folder those who may also search it.
func closed(path string, reach fs.FileMode) (fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look who may write %s: %w", path, err)
	}
	mode := info.Mode()
	switch {
	case mode&reach != 0:
		return 0, &ExposedError{Path: path, Mode: mode}
	case !mode.IsDir():
		return 0, nil
	}
	return reach & (mode << 1), nil // of each class, search stands below write
}
