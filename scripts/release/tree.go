package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file or folder of an archive, package or image.
type entry struct {
	name    string // slashes, without one at the front; with one at the end it is a folder
	mode    int64
	owner   int // user and group
	file    string
	content []byte // where there is no file
}

// put is the file of the repository under another name.
func (b *build) put(name, from string, mode int64) entry {
	return entry{name: name, mode: mode, file: filepath.Join(b.src, from)}
}

// manual and completions are what companions has written, below folders.
func (b *build) manual(dir string, zipped bool) (out []entry, err error) {
	pages, err := filepath.Glob(filepath.Join(b.work, "man1", "*.1"))
	if err != nil || len(pages) == 0 {
		return nil, errors.Join(err, errors.New("no manual"))
	}
	for _, page := range pages {
		e := entry{name: path.Join(dir, filepath.Base(page)), mode: 0o644, file: page}
		if zipped {
			if e, err = zip(e); err != nil {
				return nil, err
			}
		}
		out = append(out, e)
	}
	return out, nil
}

func (b *build) completion(name, file string) entry {
	return entry{name: name, mode: 0o644, file: filepath.Join(b.work, "completions", file)}
}

// zip compresses an entry, without name or time inside.
func zip(e entry) (entry, error) {
	content, err := e.read()
	if err != nil {
		return e, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return e, err
	}
	_, err = w.Write(content)
	return entry{name: e.name + ".gz", mode: e.mode, owner: e.owner, content: out.Bytes()}, errors.Join(err, w.Close())
}

func (e entry) read() ([]byte, error) {
	if e.file == "" {
		return e.content, nil
	}
	return os.ReadFile(e.file)
}

// whole sorts entries and adds the folders that they lie in.
func whole(entries []entry) []entry {
	have := map[string]bool{}
	for _, e := range entries {
		have[e.name] = true
	}
	for _, e := range slices.Clone(entries) {
		for dir := path.Dir(strings.TrimSuffix(e.name, "/")); dir != "."; dir = path.Dir(dir) {
			if !have[dir+"/"] {
				have[dir+"/"] = true
				entries = append(entries, entry{name: dir + "/", mode: 0o755})
			}
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return entries
}

// writeTar writes entries with one time for all.
func writeTar(to io.Writer, entries []entry, made time.Time) error {
	out := tar.NewWriter(to)
	for _, e := range whole(entries) {
		h := &tar.Header{Name: e.name, Mode: e.mode, Uid: e.owner, Gid: e.owner, ModTime: made, Format: tar.FormatUSTAR, Typeflag: tar.TypeReg}
		var content []byte
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		} else {
			var err error
			if content, err = e.read(); err != nil {
				return err
			}
			h.Size = int64(len(content))
		}
		if err := out.WriteHeader(h); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if _, err := out.Write(content); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return out.Close()
}

// lay writes entries into a folder, all of this user.
func lay(dir string, entries []entry) error {
	for _, e := range whole(entries) {
		at := filepath.Join(dir, filepath.FromSlash(e.name))
		if strings.HasSuffix(e.name, "/") {
			if err := os.MkdirAll(at, 0o755); err != nil {
				return err
			}
		} else {
			content, err := e.read()
			if err != nil {
				return err
			}
			if err := os.WriteFile(at, content, 0o644); err != nil {
				return err
			}
		}
		mode := os.FileMode(e.mode & 0o777)
		if e.mode&0o1000 != 0 {
			mode |= os.ModeSticky
		}
		if err := os.Chmod(at, mode); err != nil { // the umask has no say
			return err
		}
	}
	return nil
}

// archive writes the program with its manual as meshd_<version>_linux_<arch>.tar.gz.
func (b *build) archive(t target) (err error) {
	name := fmt.Sprintf("meshd_%s_linux_%s", b.version, t.arch)
	entries := []entry{
		{name: name + "/meshd", mode: 0o755, file: b.binary(t)},
		b.put(name+"/LICENSE", "LICENSE", 0o644), b.put(name+"/README.md", "README.md", 0o644), b.put(name+"/CHANGELOG.md", "CHANGELOG.md", 0o644),
		b.put(name+"/DEPENDENCIES.md", "DEPENDENCIES.md", 0o644), b.put(name+"/meshd.yaml", "configs/meshd.yaml", 0o644),
		b.put(name+"/meshd.service", "configs/meshd.service", 0o644),
		b.completion(name+"/completions/meshd.bash", "meshd.bash"), b.completion(name+"/completions/_meshd", "_meshd"), b.completion(name+"/completions/meshd.fish", "meshd.fish"),
	}
	pages, err := b.manual(name+"/man/man1", false)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(b.out, name+".tar.gz"))
	if err != nil {
		return err
	}
	zip := gzip.NewWriter(f)
	return errors.Join(writeTar(zip, append(entries, pages...), b.made), zip.Close(), f.Close())
}
