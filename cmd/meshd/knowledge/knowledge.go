// Package knowledge has the verbs that give lessons, find and judge them, and watch what
// happens.
package knowledge

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{
		cmdContribute(s), cmdFeed(s), cmdQuery(s), cmdEntry(s), cmdDomains(s), cmdVote(s),
		cmdComment(s), cmdComments(s), cmdReport(s), cmdWatch(s),
	}
}
