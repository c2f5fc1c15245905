// Package archive has the verbs that keep a store: copies of it, checks, repairs, and what is
// purged from it.
package archive

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{
		cmdBackup(s), cmdRestore(s), cmdVerify(s), cmdRepair(s), cmdReindex(s), cmdExport(s),
		cmdImport(s), cmdPurge(s),
	}
}
