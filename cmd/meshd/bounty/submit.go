package bounty

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdSubmit(s *session.Session, as *string) *cobra.Command {
	var proof string
	var entries []string
	c := &cobra.Command{
		Use: "submit BOUNTY [--proof TEXT] [--entry ENTRY]... [SOLUTION|-]", Short: "Submit a solution; an open bounty is claimed first",
		Long: "Hand a solution in; an open bounty is claimed first. Who pays and who submits can read it, nobody else.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usage("%s needs one bounty id: %s", c.CommandPath(), c.UseLine())
			}
			solution, err := s.Text("bounty submit", args[1:])
			if err != nil {
				return err
			}
			in := session.Given("solution", solution, "proof", proof)
			if len(entries) > 0 {
				in["entry_ids"] = entries
			}
			return s.AskAs(c.Context(), *as, http.MethodPost, "/api/mesh/bounties/"+url.PathEscape(args[0])+"/submit", in, showSubmitted)
		},
	}
	c.Flags().StringVar(&proof, "proof", "", "what shows that it is done")
	c.Flags().StringArrayVar(&entries, "entry", nil, "id of an `ENTRY` that came of it; may be repeated")
	return c
}

// notYet says of a step that the home of the bounty has not answered to.
const notYet = "written here; the node that keeps the reward has not confirmed it yet"

func showSubmitted(s *session.Session, data json.RawMessage) error {
	var r struct {
		Submission work
		Confirmed  bool
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	note := ""
	if !r.Confirmed {
		note = notYet
	}
	return s.Made(r.Submission.ID, "submission", r.Submission.ID, "state", terminal.OneLine(r.Submission.Status, 24), "note", note)
}
