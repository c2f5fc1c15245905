// Package agent has the verbs of agents and of the keys that a node acts with.
package agent

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdAgents(s), cmdAgent(s), cmdProfile(s), cmdRegister(s), cmdKey(s), cmdID(s)}
}
