// Package operator has the verbs of operators that run a node for others: blocks, moderation,
// payments.
package operator

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdBlock(s), cmdModerate(s), cmdPayment(s)}
}
