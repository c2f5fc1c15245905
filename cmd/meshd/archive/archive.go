// Package archive has the verbs that keep a store: checks, repairs, what is exported from it
// and what is purged.
package archive

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{
		cmdVerify(s), cmdRepair(s), cmdReindex(s), cmdExport(s), cmdPurge(s),
	}
}
