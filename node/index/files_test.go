package index

import (
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// files reads a folder.
func files(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]byte)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = b
	}
	return out
}

// folder makes a new folder with the given files.
func folder(t testing.TB, content map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range content {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// history makes the files of an index after a first commit and after a second, in which
// one document is new, one replaced and one removed.
func history(t testing.TB) (first, second map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	ix := mustOpen(t, dir)
	mustPut(t, ix, "s", entry("a", "first", ""), entry("b", "first", ""), entry("c", "first", ""))
	mustPut(t, ix, "other", entry("x", "first", ""))
	mustCommit(t, ix, 1)
	first = files(t, dir)
	mustPut(t, ix, "s", entry("b", "second", ""), entry("d", "second", ""))
	if err := ix.Delete("s", "c"); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, ix, 2)
	return first, files(t, dir)
}

var update = flag.Bool("update", false, "rewrite testdata/format1")

// TestFormatIsUnchanged compares the files of an index with those in testdata. When it
// fails for a reason, raise segmentFormat or analyserVersion, then run with -update.
func TestFormatIsUnchanged(t *testing.T) {
	t.Parallel()
	_, got := history(t)
	dir := filepath.Join("testdata", "format1")
	if *update {
		for name, b := range got {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !reflect.DeepEqual(got, files(t, dir)) {
		t.Error("the bytes of an index differ from testdata/format1")
	}
}

func TestCrashLeavesOneOfTwoStates(t *testing.T) {
	t.Parallel()
	first, second := history(t)
	newest := "0000000000000002.seg"
	half := func(b []byte) []byte { return b[:len(b)/2] }
	with := func(base map[string][]byte, name string, b []byte) map[string][]byte {
		out := maps.Clone(base)
		out[name] = b
		return out
	}
	for name, c := range map[string]struct {
		files    map[string][]byte
		position uint64
		found    string
	}{
		"before":                       {first, 1, "a b c"},
		"in the middle of a segment":   {with(first, newest+tempSuffix, half(second[newest])), 1, "a b c"},
		"after the segment":            {with(first, newest, second[newest]), 1, "a b c"},
		"in the middle of a manifest":  {with(with(first, newest, second[newest]), "manifest.tmp", half(second["manifest"])), 1, "a b c"},
		"after the manifest":           {second, 2, "a"},
		"before old files are removed": {with(second, "0000000000000000.seg", half(second[newest])), 2, "a"},
		"before any manifest":          {map[string][]byte{newest: second[newest]}, 0, ""},
	} {
		dir := folder(t, c.files)
		ix, err := Open(dir, Config{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := keysOf(mustSearch(t, ix, "s", Query{Text: "first"})); got != c.found || ix.Position() != c.position {
			t.Errorf("%s: position %d finds %q, want %d and %q", name, ix.Position(), got, c.position, c.found)
		}
		for file := range files(t, dir) {
			if strings.HasSuffix(file, tempSuffix) || file == "0000000000000000.seg" {
				t.Errorf("%s: %s is left behind", name, file)
			}
		}
		// The owner replays; the end is the same from every state.
		mustPut(t, ix, "s", entry("a", "first", ""), entry("b", "second", ""), entry("d", "second", ""))
		if err := ix.Delete("s", "c"); err != nil {
			t.Fatal(err)
		}
		mustCommit(t, ix, 2)
		if got := keysOf(mustSearch(t, mustOpen(t, dir), "s", Query{})); got != "a b d" {
			t.Errorf("%s: replay ends with %q", name, got)
		}
	}
}

// TestDamageIsDetected flips, cuts and removes parts of every file.
func TestDamageIsDetected(t *testing.T) {
	t.Parallel()
	_, good := history(t)
	expect := func(what string, content map[string][]byte) {
		t.Helper()
		if _, err := Open(folder(t, content), Config{}); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v, want %v", what, err, ErrCorrupt)
		}
	}
	for name, b := range good {
		for at := 0; at < len(b); at += 1 + len(b)/40 {
			bad := maps.Clone(good)
			bad[name] = slices.Clone(b)
			bad[name][at] ^= 0x10
			expect(name+" flipped", bad)
			bad[name] = b[:at]
			expect(name+" cut", bad)
		}
		if name != manifestName {
			bad := maps.Clone(good)
			delete(bad, name)
			expect(name+" missing", bad)
		}
	}
	dir := t.TempDir()
	ix := mustOpen(t, dir)
	for i, title := range []string{"aa", "bb"} {
		mustPut(t, ix, "s", entry(title, title, ""))
		mustCommit(t, ix, uint64(i))
	}
	swapped := files(t, dir)
	one, two := "0000000000000001.seg", "0000000000000002.seg"
	if len(swapped[one]) != len(swapped[two]) {
		t.Fatal("the swapped segments can be told by their size")
	}
	swapped[one], swapped[two] = swapped[two], swapped[one]
	expect("swapped", swapped)
}

func TestOtherVersionsAreStale(t *testing.T) {
	t.Parallel()
	_, good := history(t)
	if _, err := Open(folder(t, good), Code()); !errors.Is(err, ErrStale) {
		t.Errorf("other fields: error %v, want %v", err, ErrStale)
	}
	code := Knowledge()
	code.Fields[0].Code = true
	if _, err := Open(folder(t, good), code); !errors.Is(err, ErrStale) {
		t.Errorf("a field of another kind: error %v, want %v", err, ErrStale)
	}
	heavier := Knowledge()
	heavier.Fields[0].Weight = 9
	if _, err := Open(folder(t, good), heavier); err != nil {
		t.Errorf("other weights: %v", err)
	}
	b := slices.Clone(good[manifestName])
	b[len(manifestMagic)+1] = analyserVersion + 1
	b = binary.LittleEndian.AppendUint32(b[:len(b)-4], crc32.Checksum(b[:len(b)-4], castagnoli))
	if _, err := Open(folder(t, map[string][]byte{manifestName: b}), Config{}); !errors.Is(err, ErrStale) {
		t.Errorf("other analyser: error %v, want %v", err, ErrStale)
	}
}

func TestRemoveAndDropForgetEverything(t *testing.T) {
	t.Parallel()
	_, good := history(t)
	good["owner.txt"] = []byte("mine")
	broken := maps.Clone(good)
	broken[manifestName] = []byte("?")
	dir := folder(t, broken)
	if err := Remove(dir); err != nil {
		t.Fatal(err)
	}
	if left := slices.Collect(maps.Keys(files(t, dir))); !slices.Equal(left, []string{"owner.txt"}) {
		t.Errorf("Remove leaves %v", left)
	}
	if err := Remove(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("remove a missing folder: %v", err)
	}

	dir = folder(t, good)
	ix := mustOpen(t, dir)
	if err := ix.Drop(); err != nil {
		t.Fatal(err)
	}
	for name, ix := range map[string]*Index{"dropped": ix, "reopened": mustOpen(t, dir)} {
		if ix.Position() != 0 || ix.Stats() != (Stats{}) {
			t.Errorf("%s: position %d, %+v", name, ix.Position(), ix.Stats())
		}
	}
}

func TestFailedCommitCanBeRepeated(t *testing.T) {
	t.Parallel()
	for _, obstacle := range []string{"0000000000000001.seg.tmp", "manifest.tmp"} {
		dir := t.TempDir()
		ix := mustOpen(t, dir)
		mustPut(t, ix, "s", entry("a", "first", ""))
		if err := os.Mkdir(filepath.Join(dir, obstacle), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := ix.Commit(3); err == nil {
			t.Fatalf("%s: commit succeeds where it cannot write", obstacle)
		}
		if got := mustSearch(t, ix, "s", Query{Text: "first"}); got.Total != 1 || ix.Position() != 0 {
			t.Errorf("%s: %d found at position %d after a failed commit", obstacle, got.Total, ix.Position())
		}
		_ = os.Remove(filepath.Join(dir, obstacle))
		mustCommit(t, ix, 3)
		back := mustOpen(t, dir)
		if got := mustSearch(t, back, "s", Query{Text: "first"}); got.Total != 1 || back.Position() != 3 {
			t.Errorf("%s: %d found at position %d after reopening", obstacle, got.Total, back.Position())
		}
	}
}

func TestClosedIndexRefuses(t *testing.T) {
	t.Parallel()
	ix := mustOpen(t, t.TempDir())
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	_, search := ix.Search("s", Query{Text: "x"})
	for name, err := range map[string]error{
		"put": ix.Put("s", entry("a", "", "")), "delete": ix.Delete("s", "a"), "delete space": ix.DeleteSpace("s"),
		"commit": ix.Commit(1), "drop": ix.Drop(), "search": search,
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: error %v, want %v", name, err, ErrClosed)
		}
	}
}

func TestCommitWithoutChangeWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ix := mustOpen(t, dir)
	mustPut(t, ix, "s", entry("a", "x", ""))
	mustCommit(t, ix, 1)
	before := files(t, dir)
	mustCommit(t, ix, 1)
	if !reflect.DeepEqual(before, files(t, dir)) {
		t.Error("a commit without change touches the files")
	}
	mustCommit(t, ix, 2)
	if got := mustOpen(t, dir).Position(); got != 2 {
		t.Errorf("position %d after a commit that only moves it, want 2", got)
	}
}
