package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRowsFitTheCode: what a row breaks stands in its file, once, so that a move shows
// before the long run does.
func TestRowsFitTheCode(t *testing.T) {
	t.Parallel()
	for _, r := range rows {
		raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(r.file)))
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		if n := strings.Count(string(raw), r.old); n != 1 {
			t.Errorf("%s: %q stands %d times in %s", r.name, r.old, n, r.file)
		}
	}
}
