package language

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/lang/idiom"
)

// habits is what meshd lang habits prints with --json.
type habits struct {
	Habits    []idiom.Row `json:"habits"`
	Skies     []string    `json:"skies"`
	Materials []string    `json:"materials"`
	Lights    []string    `json:"lights"`
	Motions   []string    `json:"motions"`
}

func cmdHabits(s *session.Session) *cobra.Command {
	var query string
	c := &cobra.Command{
		Use: "habits", Short: "List the ways of writing that the language accepts, and the words of presets", Args: cobra.NoArgs,
		Long: "List the habits of writing that are accepted beside the plain form, what each becomes, and the words of presets for\n" +
			"skies, materials, lights and motion.",
		Example: "  meshd lang habits\n  meshd lang habits --query camera",
		RunE: func(*cobra.Command, []string) error {
			out := habits{Habits: []idiom.Row{}, Skies: idiom.Skies(), Materials: idiom.Finishes(), Lights: idiom.Lamps(), Motions: idiom.Motions()}
			for _, row := range idiom.Rows {
				if strings.Contains(strings.ToLower(row.Habit+" "+row.Becomes), strings.ToLower(query)) {
					out.Habits = append(out.Habits, row)
				}
			}
			if s.JSON {
				return s.PrintJSON(out)
			}
			rows := [][]string{{"HABIT", "ACCEPTS", "BECOMES"}}
			for _, row := range out.Habits {
				rows = append(rows, []string{row.ID, row.Habit, row.Becomes})
			}
			if err := s.Table(rows); err != nil {
				return err
			}
			for _, list := range []struct {
				what  string
				words []string
			}{{"skies", out.Skies}, {"materials", out.Materials}, {"lights", out.Lights}, {"motions", out.Motions}} {
				s.Say("%-10s %s", list.what, strings.Join(list.words, " "))
			}
			return nil
		},
	}
	c.Flags().StringVar(&query, "query", "", "words that the habit or what it becomes contains")
	return c
}
