package log_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/log/logtest"
)

func TestDamagedFilesOfPebble(t *testing.T) {
	t.Parallel()
	logtest.Files(t, logtest.Disk{Name: engine.Pebble, Open: func(dir string) (log.Engine, error) {
		return engine.OpenPebble(dir, engine.Options{CacheBytes: 1 << 20})
	}})
}

func TestDamagedFilesOfLevelDB(t *testing.T) {
	t.Parallel()
	logtest.Files(t, logtest.Disk{Name: engine.LevelDB, Open: engine.OpenLevelDB, ReadOnlyOnce: true})
}
