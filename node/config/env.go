package config

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

const (
	envPrefix   = "MESHD_"
	envHome     = "MESHD_HOME"
	envLoopback = "MESHD_LOOPBACK"
)

// envLayer reads the variables that begin with MESHD_. An empty one counts as
// unset, so that a unit file may clear what it inherits.
func envLayer(environ []string) (*layer, Faults) {
	l := newLayer()
	var fs Faults
	// Sorted, so that MESHD_P2P_LOOPBACK stands over the short MESHD_LOOPBACK
	// whatever the order of the environment.
	for _, pair := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) || value == "" || name == envHome || fromOrchestrator(name) {
			continue
		}
		where := "env:" + name
		k := envKey(name)
		if k == nil {
			fs = append(fs, Fault{Where: where, Text: "unknown variable", Hint: nearestEnv(name)})
			continue
		}
		fs = append(fs, l.set(k, value, where)...)
	}
	return l, fs
}

// envKey returns the key that a variable sets, or nil.
func envKey(name string) *Key {
	if name == envLoopback {
		return find("p2p.loopback")
	}
	for i := range table {
		if table[i].Env() == name {
			return &table[i]
		}
	}
	return nil
}

// fromOrchestrator reports the variables Kubernetes sets in every container
// beside a service called meshd. They are no typing errors.
func fromOrchestrator(name string) bool {
	return name == "MESHD_PORT" || strings.HasPrefix(name, "MESHD_PORT_") || strings.HasPrefix(name, "MESHD_SERVICE_")
}

func nearestEnv(name string) string {
	names := []string{strings.ToLower(envHome), strings.ToLower(envLoopback)}
	for i := range table {
		names = append(names, strings.ToLower(table[i].Env()))
	}
	return strings.ToUpper(nearest(name, names))
}

// HomeDir decides the home folder: the flag, else MESHD_HOME, else the
// platform's folder for application data. goos is a value of runtime.GOOS and
// getenv reads the environment. The result is absolute only if its source is.
func HomeDir(flag, goos string, getenv func(string) string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	if dir := getenv(envHome); dir != "" {
		return dir, nil
	}
	// The XDG specification ignores a relative path.
	if dir := getenv("XDG_DATA_HOME"); goos != "darwin" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "meshd"), nil
	}
	user := getenv("HOME")
	if user == "" {
		return "", errors.New("find the home folder: neither MESHD_HOME nor HOME is set; use --home")
	}
	if goos == "darwin" {
		return filepath.Join(user, "Library", "Application Support", "meshd"), nil
	}
	return filepath.Join(user, ".local", "share", "meshd"), nil
}
