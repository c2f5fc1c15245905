// Package capability has the verbs of capabilities: tokens that give a key rights.
package capability

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/delegation"
	"github.com/meshd/meshd/cmd/meshd/session"
)

// readInput reads the file named by the only word, or standard input for "-" or
// no word.
func readInput(s *session.Session, args []string) ([]byte, error) {
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	in, err := s.OpenInput(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, session.MaxText+1))
	if err != nil {
		return nil, fmt.Errorf("read input: %w", err)
	}
	if len(data) > session.MaxText {
		return nil, fmt.Errorf("input has more than %d bytes", session.MaxText)
	}
	return bytes.TrimSpace(data), nil
}

func fileOrInput(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return session.Usage("%s takes one file, or - for standard input: %s", c.CommandPath(), c.UseLine())
	}
	return nil
}

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdCap(s)}
}

func cmdCap(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "cap", Short: "Issue, revoke and verify capabilities", Args: session.Subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(delegation.Commands(s)...)
	c.AddCommand(cmdVerify(s), cmdBuild(s), cmdCID(s))
	return c
}
