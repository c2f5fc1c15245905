package vault

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// suffix ends the name of every key file; other files in the folder are left alone.
const suffix = ".sealed"

// keyFile is the content of a key file.
type keyFile struct {
	Version int    `json:"v"`
	Name    string `json:"name"`
	Kind    Kind   `json:"kind"`
	Public  string `json:"public"`
	Box     string `json:"box"`
}

func (f keyFile) clear() [][]byte {
	return [][]byte{{byte(f.Version)}, []byte(f.Name), []byte(f.Kind), []byte(f.Public)}
}

func (v *Vault) path(name string) string { return filepath.Join(v.dir, name+suffix) }

// write stores a new key. The caller holds the write lock.
func (v *Vault) write(name string, kind Kind, secret [secretSize]byte) (Info, error) {
	if err := checkName(name); err != nil {
		return Info{}, err
	}
	public, err := kind.public(secret)
	if err != nil {
		return Info{}, err
	}
	if _, err := os.Lstat(v.path(name)); err == nil {
		return Info{}, fmt.Errorf("%w: %s", ErrExists, name)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Info{}, err
	}
	f := keyFile{Version: 1, Name: name, Kind: kind, Public: public}
	box, err := seal(v.rand, v.master[:], secret[:], f.clear()...)
	if err != nil {
		return Info{}, err
	}
	f.Box = hex.EncodeToString(box)
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return Info{}, err
	}
	if err := writePrivate(v.path(name), append(data, '\n')); err != nil {
		return Info{}, err
	}
	return Info{Name: name, Kind: kind, Public: public}, nil
}

func (v *Vault) read(name string) (Info, [secretSize]byte, error) {
	v.files.RLock()
	defer v.files.RUnlock()
	return v.readLocked(name)
}

// readLocked reads and opens one key. The caller holds a lock of files.
func (v *Vault) readLocked(name string) (Info, [secretSize]byte, error) {
	var none [secretSize]byte
	if err := checkName(name); err != nil {
		return Info{}, none, err
	}
	data, err := readPrivate(v.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, none, fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return Info{}, none, err
	}
	damaged := func(why string) (Info, [secretSize]byte, error) {
		return Info{}, none, &DamagedError{File: name + suffix, Why: why}
	}
	var f keyFile
	if err := json.Unmarshal(data, &f); err != nil {
		return damaged("it is not JSON")
	}
	if f.Version != 1 {
		return damaged("its version is not known here")
	}
	if f.Name != name {
		return damaged("it holds a key of another name")
	}
	box, err := hex.DecodeString(f.Box)
	if err != nil {
		return damaged("its box is not hex")
	}
	secret, err := unseal(v.master[:], box, f.clear()...)
	if err != nil {
		return damaged("it does not open")
	}
	return Info{Name: f.Name, Kind: f.Kind, Public: f.Public}, secret, nil
}

// keyNames returns the names of the key files in dir, sorted.
func keyNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if ok && checkName(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// checkName allows what is a file name on every system and never a path: lower
// case letters, digits, "_", "-" and ".", the first a letter or digit.
func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("%w: want 1 to %d characters", ErrName, maxName)
	}
	for i, c := range []byte(name) {
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !letter && (i == 0 || c != '_' && c != '-' && c != '.') {
			return fmt.Errorf("%w: want a-z, 0-9, and then also _, - and dots", ErrName)
		}
	}
	return nil
}
