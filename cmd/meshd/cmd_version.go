package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node/store"
)

// release is set by the linker for a released binary.
var release = ""

// version is the release, else what the build knows of its source.
func version() string {
	if release != "" {
		return release
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

func (p *program) cmdVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: nothing,
		RunE: func(*cobra.Command, []string) error {
			if p.json {
				return p.printJSON(map[string]any{
					"version": version(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
					"home_format": store.CurrentFormat(),
				})
			}
			return p.facts("meshd", version(), "go", runtime.Version(), "platform", runtime.GOOS+"/"+runtime.GOARCH)
		},
	}
}
