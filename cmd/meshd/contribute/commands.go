// Package contribute has the verbs that give lessons, take them back and judge them:
// votes, comments, reports.
package contribute

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdContribute(s), cmdCheck(s), cmdRetract(s), cmdVote(s), cmdComment(s), cmdComments(s), cmdReport(s)}
}
