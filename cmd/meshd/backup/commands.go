// Package backup has the verbs that copy a home and bring one back, and that take in
// what another node exported.
package backup

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdBackup(s), cmdRestore(s), cmdImport(s)}
}
