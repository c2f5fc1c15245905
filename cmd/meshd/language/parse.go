package language

import (
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/lang/ast"
)

func cmdParse(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var tree bool
	c := &cobra.Command{
		Use: "parse FILE|DIR|-...", Short: "Check the syntax of sources", Args: someSources,
		Long: "Check the syntax of files, of folders with all sources below them, or of standard input (-). What is found\n" +
			"goes to standard error, with --json to standard output, a line for each file. The exit code is 3 when a\n" +
			"file had errors, 1 when one could not be read.",
		RunE: func(c *cobra.Command, args []string) error {
			if tree {
				s.JSON = true
			}
			return eachSource(c.Context(), s, flags, args, nil, func(src *source, line *outcome) error {
				if tree {
					line.AST = ast.AppendJSON(nil, src.tree)
				}
				return nil
			})
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&tree, "ast", false, "print the syntax tree with the JSON line")
	return c
}
