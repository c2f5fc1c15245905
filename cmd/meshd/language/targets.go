package language

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/lang/target"
)

func cmdTargets(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "targets", Short: "List what sources can be compiled to", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if s.JSON {
				data, err := json.Marshal(map[string]any{"targets": target.All(), "categories": target.Categories(), "count": len(target.All())})
				if err != nil {
					return fmt.Errorf("encode output: %w", err)
				}
				_, err = s.Out.Write(append(data, '\n'))
				return err
			}
			for _, t := range target.All() {
				proof := t.Verified.Level
				if t.Verified.Tool != "" {
					proof += " (" + t.Verified.Tool + ")"
				}
				fmt.Fprintf(s.Out, "%-16s %-10s %-28s %s\n", t.ID, t.Category, strings.Join(t.Files, " "), proof)
			}
			return nil
		},
	}
}
