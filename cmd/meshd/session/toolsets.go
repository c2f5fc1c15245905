package session

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/endpoint"
)

// ToolsetsFlag gives a verb the flag --toolsets, whose values a shell completes.
func ToolsetsFlag(c *cobra.Command, to *[]string) {
	c.Flags().StringSliceVar(to, "toolsets", nil, "list the tools of these toolsets, such as network,work: "+strings.Join(endpoint.ToolsetNames(), ", "))
	_ = c.RegisterFlagCompletionFunc("toolsets", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndex(begun, ",")+1]
		var out []string
		for _, name := range endpoint.ToolsetNames() {
			if !strings.Contains(","+before, ","+name+",") {
				out = append(out, before+name)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}) // fails for a flag that is not there alone
}

// CheckToolsets refuses names that no toolset of this program has.
func CheckToolsets(names []string) error {
	if _, err := endpoint.ChooseToolsets(names, nil, "--toolsets"); err != nil {
		return Usage("%v", err)
	}
	return nil
}
