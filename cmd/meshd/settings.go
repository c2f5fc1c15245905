package main

import (
	"errors"
	"path/filepath"
	"runtime"

	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// homeDir is the absolute home folder of this command line.
func (p *program) homeDir() (string, error) {
	dir, err := config.HomeDir(p.home, runtime.GOOS, p.getenv)
	if err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// source names the layers that settings of the home come from.
func (p *program) source(home string) config.Sources {
	src := config.Sources{File: p.file, Env: p.env, Flags: p.globalFlags()}
	if src.File == "" {
		src.File, src.Optional = filepath.Join(home, store.ConfigFile), true
	}
	return src
}

func (p *program) globalFlags() []config.Flag {
	flags := append([]config.Flag{}, p.flags...)
	if p.loopback {
		flags = append(flags, config.Flag{Key: "p2p.loopback", Name: "loopback", Value: "true"})
	}
	if p.logLevel != "" {
		flags = append(flags, config.Flag{Key: "log.level", Name: "log-level", Value: p.logLevel})
	}
	if p.logFormat != "" {
		flags = append(flags, config.Flag{Key: "log.format", Name: "log-format", Value: p.logFormat})
	}
	return flags
}

// settings loads the settings of the home. Its error holds every fault.
func (p *program) settings() (home string, l *config.Loaded, err error) {
	if home, err = p.homeDir(); err != nil {
		return "", nil, err
	}
	l, err = config.Load(p.source(home))
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
