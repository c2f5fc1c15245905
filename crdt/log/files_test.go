package log_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/logtest"
)

func TestDamagedFilesOfPebble(t *testing.T) {
	t.Parallel()
	logtest.Files(t, logtest.Disk{Name: log.Pebble, Open: func(dir string) (log.Engine, error) {
		return log.OpenPebble(dir, log.EngineOptions{CacheBytes: 1 << 20})
	}})
}

func TestDamagedFilesOfLevelDB(t *testing.T) {
	t.Parallel()
	logtest.Files(t, logtest.Disk{Name: log.LevelDB, Open: log.OpenLevelDB, ReadOnlyOnce: true})
}
