package log_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
)

// grep counts the files below dir that contain text.
func grep(t testing.TB, dir, text string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPurgedBytesLeaveTheDisk(t *testing.T) {
	t.Parallel()
	for name, openEngine := range map[string]func(dir string) (log.Engine, error){
		"pebble":  func(dir string) (log.Engine, error) { return engine.OpenPebble(dir, engine.Options{}) },
		"leveldb": engine.OpenLevelDB,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "log")
			e, err := openEngine(dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := openEngine(dir); err == nil {
				t.Error("a store was opened twice")
			}
			l, err := log.Open(t.Context(), e, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			w := worldtest.New(61)
			ada := w.Agent("ada")
			bind := ada.Bind()
			kept, gone := ada.Entry("go", "harmless-words-that-stay"), ada.Entry("go", "a-secret-nobody-should-see")
			if _, err := l.Append(t.Context(), w.Verify(bind, kept, gone)); err != nil {
				t.Fatal(err)
			}
			if grep(t, dir, "a-secret-nobody-should-see") == 0 {
				t.Fatal("the entry is not on disk in the first place")
			}
			if err := l.Purge(t.Context(), gone.ID, reason.SecretDetected); err != nil {
				t.Fatal(err)
			}
			shut(t, e)
			if n := grep(t, dir, "a-secret-nobody-should-see"); n != 0 {
				t.Errorf("%d files still hold the purged body", n)
			}
			if grep(t, dir, "harmless-words-that-stay") == 0 {
				t.Error("the entry beside it is gone too")
			}
		})
	}
}
