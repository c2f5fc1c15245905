package log_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
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
			return engine.OpenPebble("log", engine.Options{FS: fs, CacheBytes: 1 << 20})
		})
	})
}

func TestLevelDB(t *testing.T) {
	t.Parallel()
	logtest.Suite(t, func(t testing.TB) logtest.Place {
		dir := filepath.Join(t.TempDir(), "log")
		return place(func() (log.Engine, error) { return engine.OpenLevelDB(dir) })
	})
}

func TestMemory(t *testing.T) {
	t.Parallel()
	logtest.Suite(t, func(testing.TB) logtest.Place {
		e := log.NewMemory()
		return place(func() (log.Engine, error) { return e, nil })
	})
}

// What an engine will take of the disk by itself grows with what it has still to
// write, and is never nothing: a log is opened ahead.
func TestHeadroomCountsWhatIsStillToBeWritten(t *testing.T) {
	t.Parallel()
	e, err := engine.OpenPebble("log", engine.Options{FS: vfs.NewMem(), CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	room := e.(engine.Headroom).Headroom
	before := room()
	const table = 4 << 20 // in memory, and about the size of a log
	if before < table {
		t.Errorf("an empty store will take %d bytes, less than one log", before)
	}
	value := make([]byte, table/4)
	for i := range 3 {
		if err := e.Put(t.Context(), ds.RawKey(fmt.Sprintf("/h/%02d", i)), value); err != nil {
			t.Fatal(err)
		}
	}
	if after := room(); after < before+table/2 {
		t.Errorf("with 3 MiB in memory it will take %d bytes, %d before", after, before)
	}
}
