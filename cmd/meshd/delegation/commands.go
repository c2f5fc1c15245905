// Package delegation has the verbs about capabilities that a node answers: it issues,
// re-issues, lists and revokes them, and judges by its log.
package delegation

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package, below cap.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdIssue(s), cmdReissue(s), cmdRevoke(s), cmdList(s)}
}
