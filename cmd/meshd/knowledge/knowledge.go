// Package knowledge has the verbs that find lessons and read them.
package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdFeed(s), cmdQuery(s), cmdEntry(s), cmdDomains(s)}
}
