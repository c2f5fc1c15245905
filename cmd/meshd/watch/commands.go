// Package watch has the verb that shows what happens, as it happens.
package watch

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command { return []*cobra.Command{cmdWatch(s)} }
