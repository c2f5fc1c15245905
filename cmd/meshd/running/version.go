package running

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/state/schema"
	"github.com/meshd/meshd/node/store"
)

func cmdVersion(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: session.Nothing,
		RunE: func(*cobra.Command, []string) error {
			if s.JSON {
				return s.PrintJSON(map[string]any{
					"version": release.Version(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
					"home_format": store.CurrentFormat(), "state_schema": schema.Newest(),
				})
			}
			return s.Facts("meshd", release.Version(), "go", runtime.Version(), "platform", runtime.GOOS+"/"+runtime.GOARCH)
		},
	}
}
