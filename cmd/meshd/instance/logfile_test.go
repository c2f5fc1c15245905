package instance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestLogFileIsBounded: two files of the limit at most, no line in both or divided, and
// what a run before wrote stays in front.
func TestLogFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "meshd.log")
	if err := os.WriteFile(path, []byte("from before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := OpenLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l.most = 1000
	line := strings.Repeat("x", 49) + "\n"
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 7 {
				if _, err := l.Write([]byte(line)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(path + OldLog)
	if err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := append(bytes.Clone(old), now...)
	if !bytes.HasPrefix(all, []byte("from before\n")) || string(all[12:]) != strings.Repeat(line, 28) || len(old) > 1000 || len(now) > 1000 {
		t.Errorf("%d and %d bytes: %.100q", len(old), len(now), all)
	}
}

// TestLogFileGoesOn: a log whose folder is gone keeps the file it has.
func TestLogFileGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := OpenLogFile(filepath.Join(dir, "meshd.log"))
	if err != nil {
		t.Fatal(err)
	}
	l.most = 10
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if n, err := l.Write([]byte("a line\n")); n != 7 || err != nil {
			t.Errorf("%d %v", n, err)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
