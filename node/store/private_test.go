package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Who may write what a node trusts acts as the node, so such a home is not
// opened, and nothing in it is touched.
func TestExposedHomeIsRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, path string
		home, mode fs.FileMode
		refused    bool
	}{
		{"as it is made", "", 0o700, 0o700, false},
		{"read by others", "", 0o755, 0o755, false},
		{"written by its group", "", 0o770, 0o770, true},
		{"written by all", "", 0o777, 0o777, true},
		{"written by all, sticky", "", 0o777 | fs.ModeSticky, 0o777 | fs.ModeSticky, true},
		{"settings written by the group", ConfigFile, 0o755, 0o664, true},
		{"the same behind a closed home", ConfigFile, 0o700, 0o664, false},
		{"the same where only others come in", ConfigFile, 0o701, 0o664, false},
		{"vault written by all", KeysDir, 0o755, 0o777, true},
		{"a key written by all, in a vault that all may enter", KeysDir + "/node.sealed", 0o755, 0o666, true},
		{"store written by the group", StoreDir, 0o750, 0o770, true},
		{"some other file", "notes.txt", 0o755, 0o666, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "home")
			h := mustOpen(t, dir)
			if err := errors.Join(h.Close(), os.Chmod(h.Path(KeysDir), 0o755)); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{ConfigFile, "notes.txt", KeysDir + "/node.sealed"} {
				if err := os.WriteFile(h.Path(name), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(os.Chmod(h.Path(tc.path), tc.mode), os.Chmod(dir, tc.home)); err != nil {
				t.Fatal(err)
			}
			again, err := Open(dir, Options{Command: "test"})
			var exposed *ExposedError
			if errors.As(err, &exposed) != tc.refused || err == nil == tc.refused {
				t.Fatalf("opened with %v", err)
			}
			if !tc.refused {
				if err := again.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if exposed.Path != h.Path(tc.path) {
				t.Errorf("%s is named", exposed.Path)
			}
			if m := mode(t, h.Path(KeysDir)); m&0o055 != 0o055 {
				t.Errorf("the refused home was changed: its vault has mode %o", m)
			}
		})
	}
}

// A store that lies elsewhere is looked at too; one in the home is the home's.
func TestExposedStoreElsewhereIsRefused(t *testing.T) {
	t.Parallel()
	h := mustOpen(t, t.TempDir())
	far := t.TempDir()
	if err := errors.Join(h.CheckElsewhere(far), h.CheckElsewhere(filepath.Join(far, "none"))); err != nil {
		t.Error(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(far, "000002.sst"), nil, 0o600), os.Chmod(filepath.Join(far, "000002.sst"), 0o666)); err != nil {
		t.Fatal(err)
	}
	var exposed *ExposedError
	if err := h.CheckElsewhere(far); !errors.As(err, &exposed) {
		t.Errorf("a table that all may write: %v", err)
	}
	if err := os.Chmod(h.Path(StoreDir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := h.CheckElsewhere(h.Path(StoreDir)); err != nil {
		t.Errorf("the home's own store: %v", err)
	}
}
