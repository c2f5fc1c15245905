package world

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Disk is the machine's file system as one process sees it until the power
// fails. It knows which bytes were synced, so that a power cut loses others; it
// can be full; and what the process writes after the cut goes to no file. A new
// process takes a new Disk. It is safe for concurrent use.
type Disk struct {
	vfs.FS // of the machine

	mu    sync.Mutex // guards what follows
	rng   *rand.Rand
	full  bool
	eased time.Time          // when it had room again last
	grave vfs.FS             // what is written after the cut; nil before it
	from  string             // where the files were before the cut, and
	to    string             // where they are now
	open  map[string]*extent // by path
	fresh map[string]bool    // paths whose folder was not synced since they were made
}

// extent says how much of a file is there, and how much of it would survive.
type extent struct {
	path         string
	size, synced int64
}

// NewDisk is a sound disk; rng decides what a power cut takes.
func NewDisk(rng *rand.Rand) *Disk {
	return &Disk{FS: vfs.Default, rng: rng, open: map[string]*extent{}, fresh: map[string]bool{}}
}

// SetFull makes every further write fail for want of room, or succeed again. It
// returns which of the two was so before.
func (d *Disk) SetFull(full bool) (was bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was, d.full = d.full, full
	if was && !full {
		d.eased = time.Now()
	}
	return was
}

// Eased is when a full disk had room again last, zero when it never was full.
func (d *Disk) Eased() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.eased
}

// Cut is a power failure: unsynced bytes are lost, all of them, none or some, and
// so are files whose names were never synced. The folder from is moved to to, so
// that nothing reaches it by its name, and later writes of the process are lost.
func (d *Disk) Cut(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.grave, d.from, d.to = vfs.NewMem(), from, to
	for path := range d.fresh {
		if d.rng.IntN(2) == 0 && !strings.HasSuffix(path, ".sst") {
			continue // the name came through by chance
		}
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("lose a file: %w", err)
		}
		delete(d.open, path)
	}
	share := d.rng.Float64() * 1.5 // of the unsynced bytes that are kept, all in a third of the cuts
	for path, e := range d.open {
		if e.size <= e.synced {
			continue
		}
		kept := e.synced + int64(min(share, 1)*float64(e.size-e.synced))
		if err := os.Truncate(path, kept); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("lose unsynced bytes: %w", err)
		}
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("move the home out of reach: %w", err)
	}
	return nil
}

// dead reports whether the power has failed; it needs d.mu.
func (d *Disk) dead() bool { return d.grave != nil }

// buried is the file system for a path after the cut, nil before.
func (d *Disk) buried() vfs.FS {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.grave
}

// room is ErrNoSpace on a full disk.
func (d *Disk) room() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full && !d.dead() {
		return &os.PathError{Op: "write", Path: "disk", Err: syscall.ENOSPC}
	}
	return nil
}

// moved is where a path of the time before the cut is found now.
func (d *Disk) moved(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if rest, ok := strings.CutPrefix(path, d.from); ok && d.dead() {
		return d.to + rest
	}
	return path
}

func (d *Disk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if g := d.buried(); g != nil {
		return bury(g, name, category)
	}
	if err := d.room(); err != nil {
		return nil, err
	}
	f, err := d.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e := &extent{path: name}
	d.open[name], d.fresh[name] = e, true
	return &file{File: f, disk: d, extent: e}, nil
}

func bury(g vfs.FS, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := g.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	return g.Create(name, category)
}

func (d *Disk) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if g := d.buried(); g != nil {
		return bury(g, name, category)
	}
	f, err := d.FS.OpenReadWrite(name, category, opts...)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.open[name]
	if e == nil {
		e = &extent{path: name, size: info.Size(), synced: info.Size()}
		d.open[name] = e
	}
	return &file{File: f, disk: d, extent: e}, nil
}

// ReuseForWrite makes a new file: what is overwritten in place would not be seen
// from what was synced.
func (d *Disk) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := d.Remove(old); err != nil {
		return nil, err
	}
	return d.Create(name, category)
}

func (d *Disk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if g := d.buried(); g != nil {
		if f, err := g.Open(name); err == nil {
			return f, nil
		}
	}
	return d.FS.Open(d.moved(name), opts...)
}

func (d *Disk) OpenDir(name string) (vfs.File, error) {
	if g := d.buried(); g != nil {
		if err := g.MkdirAll(name, 0o700); err != nil {
			return nil, err
		}
		return g.OpenDir(name)
	}
	f, err := d.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &folder{File: f, disk: d, path: filepath.Clean(name)}, nil
}

func (d *Disk) Remove(name string) error {
	if g := d.buried(); g != nil {
		_ = g.Remove(name)
		return nil
	}
	d.forget(name)
	return d.FS.Remove(name)
}

func (d *Disk) RemoveAll(name string) error {
	if d.buried() != nil {
		return nil
	}
	return d.FS.RemoveAll(name)
}

func (d *Disk) forget(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, name)
	delete(d.fresh, name)
}

// Rename is atomic and lasts once the file itself was synced, as on journaling
// file systems.
func (d *Disk) Rename(from, to string) error {
	if g := d.buried(); g != nil {
		_ = g.Rename(from, to)
		return nil
	}
	if err := d.FS.Rename(from, to); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.open[from]; e != nil {
		e.path = to
		d.open[to] = e
	}
	delete(d.open, from)
	delete(d.fresh, from)
	delete(d.fresh, to)
	return nil
}

func (d *Disk) Link(from, to string) error {
	if d.buried() != nil {
		return nil
	}
	return d.FS.Link(from, to)
}

func (d *Disk) MkdirAll(dir string, perm os.FileMode) error {
	if g := d.buried(); g != nil {
		return g.MkdirAll(dir, perm)
	}
	return d.FS.MkdirAll(dir, perm)
}

func (d *Disk) Stat(name string) (vfs.FileInfo, error) {
	if g := d.buried(); g != nil {
		if info, err := g.Stat(name); err == nil {
			return info, nil
		}
	}
	return d.FS.Stat(d.moved(name))
}

func (d *Disk) List(dir string) ([]string, error) { return d.FS.List(d.moved(dir)) }

// Unwrap hides the machine's file system, which must not be written to directly.
func (d *Disk) Unwrap() vfs.FS { return nil }

// file counts what of it was written and synced.
type file struct {
	vfs.File
	disk   *Disk
	extent *extent
}

func (f *file) Write(b []byte) (int, error) {
	if err := f.disk.room(); err != nil {
		return 0, err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.dead() {
		return len(b), nil
	}
	n, err := f.File.Write(b)
	f.extent.size += int64(n)
	return n, err
}

func (f *file) WriteAt(b []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.dead() {
		return len(b), nil
	}
	n, err := f.File.WriteAt(b, at)
	f.extent.size = max(f.extent.size, at+int64(n))
	return n, err
}

func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.extent.synced = f.extent.size
	return nil
}

func (f *file) SyncData() error { return f.Sync() }

func (f *file) SyncTo(int64) (bool, error) { return true, f.Sync() }

func (f *file) Preallocate(int64, int64) error { return f.disk.room() }

func (f *file) Fd() uintptr { return vfs.InvalidFd }

// folder makes the names in it last when it is synced.
type folder struct {
	vfs.File
	disk *Disk
	path string
}

func (f *folder) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	for name := range f.disk.fresh {
		if filepath.Dir(name) == f.path {
			delete(f.disk.fresh, name)
		}
	}
	return nil
}
