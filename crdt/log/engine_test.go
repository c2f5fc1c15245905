package log_test

import (
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/logtest"
)

// place opens an engine in the same place each time.
type place func() (log.Engine, error)

func (p place) Open(t testing.TB) log.Engine {
	t.Helper()
	e, err := p()
	if err != nil {
		t.Fatalf("open engine: %v", err)
	}
	return e
}

func TestPebble(t *testing.T) {
	t.Parallel()
	logtest.Suite(t, func(testing.TB) logtest.Place {
		fs := vfs.NewMem()
		return place(func() (log.Engine, error) {
			return log.OpenPebble("log", log.EngineOptions{FS: fs, CacheBytes: 1 << 20})
		})
	})
}

func TestLevelDB(t *testing.T) {
	t.Parallel()
	logtest.Suite(t, func(t testing.TB) logtest.Place {
		dir := filepath.Join(t.TempDir(), "log")
		return place(func() (log.Engine, error) { return log.OpenLevelDB(dir) })
	})
}

func TestMemory(t *testing.T) {
	t.Parallel()
	logtest.Suite(t, func(testing.TB) logtest.Place {
		e := log.NewMemory()
		return place(func() (log.Engine, error) { return e, nil })
	})
}
