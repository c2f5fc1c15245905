package session

import (
	"errors"
	"path/filepath"
	"runtime"

	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// HomeDir is the absolute home folder of this command line.
func (s *Session) HomeDir() (string, error) {
	dir, err := config.HomeDir(s.Home, runtime.GOOS, s.Getenv)
	if err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// Source names the layers that settings of the home come from.
func (s *Session) Source(home string) config.Sources {
	src := config.Sources{File: s.File, Env: s.Env, Flags: s.GlobalFlags()}
	if src.File == "" {
		src.File, src.Optional = filepath.Join(home, store.ConfigFile), true
	}
	return src
}

// GlobalFlags are the flags that stand for settings.
func (s *Session) GlobalFlags() []config.Flag {
	flags := append([]config.Flag{}, s.Flags...)
	if s.Loopback {
		flags = append(flags, config.Flag{Key: "p2p.loopback", Name: "loopback", Value: "true"})
	}
	if s.LogLevel != "" {
		flags = append(flags, config.Flag{Key: "log.level", Name: "log-level", Value: s.LogLevel})
	}
	if s.LogFormat != "" {
		flags = append(flags, config.Flag{Key: "log.format", Name: "log-format", Value: s.LogFormat})
	}
	return flags
}

// Settings loads the settings of the home. Its error lists every fault.
func (s *Session) Settings() (home string, l *config.Loaded, err error) {
	if home, err = s.HomeDir(); err != nil {
		return "", nil, err
	}
	l, err = config.Load(s.Source(home))
	if faults := (config.Faults)(nil); errors.As(err, &faults) {
		for i := range faults {
			faults[i].Where = shorten(home, faults[i].Where)
		}
	}
	return home, l, err
}

// shorten names a place in the home by its path below it.
func shorten(home, where string) string {
	if rel, err := filepath.Rel(home, where); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return where
}
