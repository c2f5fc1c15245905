// Package language has the verbs of the source language. None of them needs a node.
package language

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdLang(s)}
}

func cmdLang(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "lang", Short: "Check and format sources of the scene language", Args: session.Subcommand,
		Long: "Read, check and format sources of the scene language: .holo, .hs and .hsplus. No node needs to run.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdParse(s), cmdCheck(s), cmdFormat(s), cmdTraits(s), cmdHabits(s), cmdLSP(s))
	c.AddCommand(cmdCompile(s), cmdRender(s), cmdTargets(s))
	c.AddCommand(cmdTest(s), cmdRun(s))
	return c
}
