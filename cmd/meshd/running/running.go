// Package running has the verbs that start a node, look after it and end it.
package running

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{
		cmdRun(s), cmdInit(s), cmdDevnet(s), cmdRelay(s), cmdStatus(s), cmdPeers(s), cmdSync(s),
		cmdDoctor(s), cmdMCP(s), cmdConfig(s), cmdVersion(s),
	}
}
