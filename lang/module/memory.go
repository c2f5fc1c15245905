package module

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Memory is a file system of texts by their paths.
type Memory map[string][]byte

// Open implements fs.FS. A folder is what stands before a slash.
func (m Memory) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if text, ok := m[name]; ok {
		return &memory{name: path.Base(name), text: text}, nil
	}
	d := &memoryFolder{memory: memory{name: path.Base(name), folder: true}}
	seen := map[string]bool{}
	for p, text := range m {
		rest, below := strings.CutPrefix(p, name+"/")
		if name == "." {
			rest, below = p, true
		}
		if !below {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		if !seen[first] {
			seen[first] = true
			d.entries = append(d.entries, fs.FileInfoToDirEntry(&memory{name: first, text: text, folder: deeper}))
		}
	}
	if len(d.entries) == 0 && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(d.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return d, nil
}

// memory is an open text, and what is known about it.
type memory struct {
	name   string
	text   []byte
	at     int
	folder bool
}

func (m *memory) Stat() (fs.FileInfo, error) { return m, nil }
func (m *memory) Close() error               { return nil }
func (m *memory) Name() string               { return m.name }
func (m *memory) Size() int64                { return int64(len(m.text)) }
func (m *memory) ModTime() time.Time         { return time.Time{} }
func (m *memory) IsDir() bool                { return m.folder }
func (m *memory) Sys() any                   { return nil }

func (m *memory) Mode() fs.FileMode {
	if m.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func (m *memory) Read(b []byte) (int, error) {
	if m.at >= len(m.text) {
		return 0, io.EOF
	}
	n := copy(b, m.text[m.at:])
	m.at += n
	return n, nil
}

// memoryFolder is an open folder.
type memoryFolder struct {
	memory
	entries []fs.DirEntry
}

func (d *memoryFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

func (d *memoryFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		out := d.entries
		d.entries = nil
		return out, nil
	}
	if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	out := d.entries[:n]
	d.entries = d.entries[n:]
	return out, nil
}
