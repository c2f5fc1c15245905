// Package attestation has the verbs that sign code changes and say who signed them.
package attestation

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdAttest(s)}
}

func cmdAttest(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "attest", Short: "Sign code changes, and check who signed them", Args: session.Subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdSign(s), cmdVerify(s))
	return c
}

// attestation is the flags of both commands.
type attestation struct {
	repo     string
	key      string
	output   string
	envelope string
	author   string
	trailers bool
}

const attestTargets = "RANGE is A..B of a git repository (A.. ends at HEAD): what changed from commit A to commit B, blobs as git\n" +
	"has them. FOLDER is every file below it but .git, each as added. Links count as the path they name, executables\n" +
	"and submodules as what they are. docs/attest.md says how to check by hand."
