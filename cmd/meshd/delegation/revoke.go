package delegation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
)

func cmdRevoke(s *session.Session) *cobra.Command {
	var r revocation
	c := &cobra.Command{
		Use: "revoke CID", Short: "Revoke a capability", Args: session.One("content id of a token"),
		Long: "Take rights back for good. What their holder wrote and this node has seen by now stays; everything else of\n" +
			"them has no effect, on no node. Prints where the line is drawn, and how many changes known here lost effect.\n\n" +
			"A token of UCAN 1.0 is not in the log: this node's gateway refuses it from now on. --gateway shows the signed\n" +
			"revocation to another one too, and --record prints it instead: the record of UCAN 0.10 with its token, or the\n" +
			"invocation of 1.0, as POST /api/mesh/capabilities/revocations takes it.",
		Example: "  meshd cap revoke bafkrei... --why 'the laptop was lost'\n" +
			"  meshd cap revoke bafyrei... --record",
		RunE: func(c *cobra.Command, args []string) error {
			r.cid = args[0]
			return r.send(c.Context(), s)
		},
	}
	c.Flags().StringVar(&r.why, "why", "", "why, for everybody to read")
	c.Flags().StringVar(&r.as, "as", "", "name of another `AGENT` of this node")
	c.Flags().StringVar(&r.gateway, "gateway", "", "address of another gateway to notify, such as https://mesh.example.org")
	c.Flags().BoolVar(&r.record, "record", false, "print the signed revocation")
	return c
}

// revocation is what the flags of cap revoke say.
type revocation struct {
	cid, why, as, gateway string
	record                bool
}

func (r revocation) send(ctx context.Context, s *session.Session) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	d.As = r.as
	if r.cid, err = s.Whole(ctx, d, "CID", r.cid); err != nil {
		return err
	}
	in := map[string]string{}
	if r.why != "" {
		in["why"] = r.why
	}
	data, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/capabilities/"+url.PathEscape(r.cid)+"/revoke", nil, in, nil)
	if err != nil {
		return s.Refused(err)
	}
	var signed struct{ Revocation json.RawMessage }
	if err := session.Decode(data, &signed); err != nil {
		return err
	}
	if (r.record || r.gateway != "") && string(signed.Revocation) == "null" {
		return errors.New("it is revoked in the log; only the agent that issued it signs a revocation for others")
	}
	if r.gateway != "" {
		to := &session.Client{HTTP: http.DefaultClient, Base: strings.TrimRight(r.gateway, "/")}
		if _, _, err := to.Do(ctx, http.MethodPost, "/api/mesh/capabilities/revocations", nil, signed.Revocation, nil); err != nil {
			return s.Refused(fmt.Errorf("it is revoked here, and %s was not notified: %w", r.gateway, err))
		}
	}
	switch {
	case r.record:
		return s.PrintJSON(signed.Revocation)
	case s.JSON:
		return s.PrintRaw(data)
	}
	return showRevoked(s, data)
}

func showRevoked(s *session.Session, data json.RawMessage) error {
	var r struct {
		CID      string
		Cut      map[string]map[string]string
		Effect   struct{ Excluded int }
		Change   *string `json:"change_id"`
		Reissued []string
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if r.Change == nil {
		return s.Facts("revoked", r.CID, "reissued", plural.Count(len(r.Reissued), "token"))
	}
	if err := s.Facts("revoked", r.CID, "change", *r.Change, "reissued", plural.Count(len(r.Reissued), "token"), "excluded", plural.Count(r.Effect.Excluded, "change")); err != nil {
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
