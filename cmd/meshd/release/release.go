// Package release says which version of meshd this is.
package release

import (
	_ "embed"
	"runtime/debug"
	"strings"
)

// number is the version that the next tag gets, the one place where it is written:
// the release of it is tagged v and this number.
//
//go:embed VERSION
var number string

// name is set by the linker for a binary that `make release` builds:
// -ldflags "-X github.com/meshd/meshd/cmd/meshd/release.name=0.1.0".
var name = ""

// Number is the version whose release this source is or comes before.
func Number() string { return strings.TrimSpace(number) }

// Packaged reports whether make release has built this binary.
func Packaged() bool { return name != "" }

// Version is the release; of other builds, the number of the next release with the
// commit that the build recorded, such as 0.1.0-dev+c66d077c1d2e, which semantic
// versioning orders before it.
func Version() string {
	if name != "" {
		return name
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Number() + "-dev"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if info.Main.Version == "v"+Number() { // go install …@v0.1.0, or a build of the tagged commit
		return Number()
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = "+" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ".dirty"
		}
	}
	if revision == "" {
		return Number() + "-dev"
	}
	return Number() + "-dev" + revision + dirty
}
