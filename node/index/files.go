package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	manifestName  = "manifest"
	segmentSuffix = ".seg"
	tempSuffix    = ".tmp"
)

// Remove deletes the files of a closed index from dir, whatever their state, and leaves
// everything else there alone. A missing folder is no error.
func Remove(dir string) error {
	// The manifest goes first: without it the rest is unfinished work that Open removes.
	err := os.Remove(filepath.Join(dir, manifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove index: %w", err)
	}
	if err := sweep(dir, nil); err != nil {
		return fmt.Errorf("remove index: %w", err)
	}
	return nil
}

// sweep removes segment and temporary files that are not in keep.
func sweep(dir string, keep []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		ours := name == manifestName+tempSuffix ||
			strings.HasSuffix(strings.TrimSuffix(name, tempSuffix), segmentSuffix)
		if !ours || slices.Contains(keep, name) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func segmentName(number uint64) string { return fmt.Sprintf("%016x%s", number, segmentSuffix) }

// load reads the manifest and its segments.
func (ix *Index) load() error {
	if err := os.MkdirAll(ix.dir, 0o700); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(ix.dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return sweep(ix.dir, nil)
	}
	if err != nil {
		return err
	}
	m, err := decodeManifest(b, ix.cfg.print())
	if err != nil {
		return err
	}
	ix.position, ix.next = m.position, m.next
	var keep []string
	for _, entry := range m.segments {
		s, err := ix.loadSegment(entry)
		if err != nil {
			return fmt.Errorf("segment %d: %w", entry.number, err)
		}
		ix.segments = append(ix.segments, s)
		keep = append(keep, segmentName(entry.number))
	}
	return sweep(ix.dir, keep)
}

func (ix *Index) loadSegment(entry manifestSegment) (*segment, error) {
	b, err := os.ReadFile(filepath.Join(ix.dir, segmentName(entry.number)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: file is missing", ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	s, err := decodeSegment(b, len(ix.cfg.Fields))
	if err != nil {
		return nil, err
	}
	s.number = entry.number
	if s.size != entry.size || s.sum != entry.sum || len(s.names) != len(entry.dead) {
		return nil, fmt.Errorf("%w: file is not the one of the manifest", ErrCorrupt)
	}
	for i, name := range s.names {
		p := s.parts[name]
		for _, doc := range entry.dead[i] {
			if int(doc) >= p.docs() {
				return nil, fmt.Errorf("%w: removed document is not there", ErrCorrupt)
			}
			p.kill(doc)
		}
	}
	return s, nil
}

// seal turns the memtable into a segment and writes the manifest. The caller has locked
// writer; searches go on meanwhile.
func (ix *Index) seal(position uint64) error {
	if !ix.dirty && position == ix.position {
		return nil
	}
	s, err := ix.makeSegment([]map[string]*part{ix.mem.spaces})
	if err != nil {
		return fmt.Errorf("seal segment: %w", err)
	}
	segments := slices.Clone(ix.segments)
	if s != nil {
		segments = append(segments, s)
	}
	return ix.install(segments, newMemtable(len(ix.cfg.Fields)), position)
}

// mergeOnce does the most useful merge, if there is one. The caller has locked writer.
func (ix *Index) mergeOnce() error {
	chosen := chooseMerge(ix.segments)
	if len(chosen) == 0 {
		return nil
	}
	var sources []map[string]*part
	for _, s := range chosen {
		sources = append(sources, s.parts)
	}
	merged, err := ix.makeSegment(sources)
	if err != nil {
		return fmt.Errorf("merge segments: %w", err)
	}
	segments := slices.DeleteFunc(slices.Clone(ix.segments), func(s *segment) bool { return slices.Contains(chosen, s) })
	if merged != nil {
		segments = append(segments, merged)
	}
	if err := ix.install(segments, ix.mem, ix.position); err != nil {
		return err
	}
	ix.discard(chosen)
	return nil
}

// makeSegment writes the live documents of sources as a new segment file; nil when there
// are none. The file is nobody's until a manifest names it.
func (ix *Index) makeSegment(sources []map[string]*part) (*segment, error) {
	b, err := encodeSegment(sources, len(ix.cfg.Fields))
	if err != nil || b == nil {
		return nil, err
	}
	number := ix.next
	ix.next++
	if ix.dir != "" {
		if err := writeFile(ix.dir, segmentName(number), b); err != nil {
			return nil, err
		}
	}
	s, err := decodeSegment(b, len(ix.cfg.Fields))
	if err != nil {
		return nil, err
	}
	s.number = number
	return s, nil
}

// install makes a new state durable and then visible.
func (ix *Index) install(segments []*segment, mem *memtable, position uint64) error {
	if ix.dir != "" {
		b := encodeManifest(ix.cfg.print(), position, ix.next, segments)
		if err := writeFile(ix.dir, manifestName, b); err != nil {
			return fmt.Errorf("write manifest: %w", err)
		}
	}
	ix.state.Lock()
	defer ix.state.Unlock()
	ix.segments, ix.mem, ix.position, ix.dirty = segments, mem, position, false
	return nil
}

// discard removes the files of segments no manifest names any more. A file that resists
// is removed by the next Open.
func (ix *Index) discard(segments []*segment) {
	if ix.dir == "" {
		return
	}
	for _, s := range segments {
		_ = os.Remove(filepath.Join(ix.dir, segmentName(s.number)))
	}
}

// writeFile replaces dir/name so that a crash leaves the old or the new content.
func writeFile(dir, name string, b []byte) error {
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path+tempSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(path+tempSuffix, path)
	}
	if err != nil {
		_ = os.Remove(path + tempSuffix)
		return err
	}
	return syncDir(dir)
}

// syncDir makes a rename durable. Windows has no such call and needs none.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
