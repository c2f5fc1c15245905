package store

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func TestAtomicWriteReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "views")
	for i, perm := range []fs.FileMode{0o600, 0o666, 0o400, 0o600} {
		data := bytes.Repeat([]byte{byte(i)}, 100_000*i)
		if err := AtomicWrite(path, data, perm); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, data) || mode(t, path) != perm {
			t.Fatalf("step %d: %d bytes, mode %o, %v", i, len(got), mode(t, path), err)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestAtomicWriteSurvivesALeftover(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "views")
	if err := os.WriteFile(path+".tmp", []byte("half of an earlier wri"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := AtomicWrite(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "new" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFailedAtomicWriteLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	// A folder cannot be replaced by a file: the rename fails after the write.
	if err := AtomicWrite(path, []byte("new"), 0o600); err == nil {
		t.Fatal("a folder was replaced")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || !entries[0].IsDir() {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := AtomicWrite(filepath.Join(dir, "none", "x"), nil, 0o600); err == nil {
		t.Error("a missing folder is no error")
	}
}

// TestReadersNeverSeeAHalf reads while the file is replaced by contents of one
// repeated byte each.
func TestReadersNeverSeeAHalf(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "views")
	write := func(b byte) {
		if err := AtomicWrite(path, bytes.Repeat([]byte{b}, 1000+int(b)), 0o600); err != nil {
			t.Error(err)
		}
	}
	write(0)
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			got, err := os.ReadFile(path)
			if err != nil || len(got) == 0 || !bytes.Equal(got, bytes.Repeat(got[:1], 1000+int(got[0]))) {
				t.Errorf("read %d bytes, %v", len(got), err)
				return
			}
		}
	})
	for i := range 40 {
		write(byte(i))
	}
	done.Store(true)
	wg.Wait()
}

func TestFreeBytes(t *testing.T) {
	t.Parallel()
	free, err := FreeBytes(t.TempDir())
	if err != nil || free == 0 {
		t.Errorf("%d, %v", free, err)
	}
	if _, err := FreeBytes(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing path is no error")
	}
}
