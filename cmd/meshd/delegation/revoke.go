package delegation

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
)

func cmdRevoke(s *session.Session) *cobra.Command {
	var why, as string
	c := &cobra.Command{
		Use: "revoke CID", Short: "Revoke a capability", Args: session.One("content id of a token"),
		Long: "Take rights back for good. What their holder wrote and this node has seen by now stays; everything else of\n" +
			"them has no effect, on no node. Prints where the line is drawn, and how many changes known here lost effect.",
		RunE: func(c *cobra.Command, args []string) error {
			in := map[string]string{}
			if why != "" {
				in["why"] = why
			}
			return s.AskAs(c.Context(), as, http.MethodPost, "/api/mesh/capabilities/"+url.PathEscape(args[0])+"/revoke", in, showRevoked)
		},
	}
	c.Flags().StringVar(&why, "why", "", "why, for everybody to read")
	c.Flags().StringVar(&as, "as", "", "name of another agent of this node")
	return c
}

func showRevoked(s *session.Session, data json.RawMessage) error {
	var r struct {
		CID    string
		Cut    map[string]map[string]string
		Effect struct{ Excluded int }
		Change string `json:"change_id"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if err := s.Facts("revoked", r.CID, "change", r.Change, "excluded", plural.Count(r.Effect.Excluded, "change")); err != nil {
		return err
	}
	rows := [][]string{{"AUTHOR", "CHAIN", "KEPT UP TO"}}
	for _, author := range slices.Sorted(maps.Keys(r.Cut)) {
		for _, chain := range slices.Sorted(maps.Keys(r.Cut[author])) {
			rows = append(rows, []string{author, terminal.OneLine(chain, 100), r.Cut[author][chain]})
		}
	}
	if len(rows) == 1 {
		s.Say("nothing was written with it")
		return nil
	}
	return s.Table(rows)
}
