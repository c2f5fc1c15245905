// Package release says which version of meshd this is.
package release

import "runtime/debug"

// name is set by the linker for a released binary:
// -ldflags "-X github.com/meshd/meshd/cmd/meshd/release.name=v1.2.3".
var name = ""

// Version is the release, else the version of the source that the build recorded.
func Version() string {
	if name != "" {
		return name
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if revision == "" {
		return "dev"
	}
	return "dev-" + revision + dirty
}
