package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node/store"
)

func cmdVerify(s *session.Session) *cobra.Command {
	var deep bool
	c := &cobra.Command{
		Use: "verify", Short: "Verify every stored change and the state", Args: session.Nothing,
		Long: "Read every stored change again and check its hashes and indexes, and the database of the state with\n" +
			"its ledger. With --deep, look for strays and fold the views anew besides. Each damaged change is named, and\n" +
			"each unreadable range with the number of changes it concerns. The exit code is 3 when something does not\n" +
			"fit; meshd repair mends the store.",
		RunE: func(c *cobra.Command, _ []string) error {
			query, ok := url.Values{}, false
			if deep {
				query.Set("deep", "true")
			}
			err := s.WithAnswer(c.Context(), session.Existing, http.MethodGet, "/control/verify", query, nil, func(data json.RawMessage) error {
				var r admin.VerifyReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				ok = r.OK
				if s.JSON {
					return s.PrintRaw(data)
				}
				for _, text := range append(r.Problems, r.State...) {
					fmt.Fprintln(s.Out, terminal.OneLine(text, 500))
				}
				verdict := s.Paint(session.Green, "sound")
				if len(r.Problems) > 0 {
					verdict = s.Paint(session.Red, plural.Count(len(r.Problems), "problem"))
				}
				inState := s.Paint(session.Green, "sound, and the ledger adds up")
				if len(r.State) > 0 {
					inState = s.Paint(session.Red, plural.Count(len(r.State), "problem"))
				}
				damaged := ""
				if r.Damaged > 0 {
					damaged = fmt.Sprint(r.Damaged)
				}
				return s.Facts("changes", fmt.Sprint(r.Changes), "damaged", damaged, "store", verdict, "views", map[bool]string{true: "as stored", false: "differ from the log"}[r.ViewsOK], "state", inState)
			})
			if errors.Is(err, crdtlog.ErrDamaged) {
				return errors.Join(surveyStore(c.Context(), s), err)
			}
			if err == nil && !ok {
				err = session.ErrDegraded
			}
			return err
		},
	}
	c.Flags().BoolVar(&deep, "deep", false, "check everything, and fold the views anew")
	return c
}

// surveyStore names what cannot be read of a store that does not open.
func surveyStore(ctx context.Context, s *session.Session) error {
	dir, cfg, err := s.Settings()
	if err != nil {
		return err
	}
	home, err := store.Inspect(dir)
	if err != nil {
		return err
	}
	found, err := crdtlog.Survey(ctx, cfg.Config.Storage.Engine, home.Resolve(cfg.Config.Storage.Dir))
	if err != nil {
		return err
	}
	if s.JSON {
		r := admin.VerifyReply{Deep: true, Changes: uint64(found.Members - len(found.Damaged)), Damaged: len(found.Damaged), Problems: []string{}, State: []string{}}
		for _, id := range found.Damaged {
			r.Problems = append(r.Problems, id.Text(change.PrefixChange)+": its records cannot be read")
		}
		return s.PrintJSON(r)
	}
	for _, id := range found.Damaged {
		fmt.Fprintf(s.Out, "%s: its records cannot be read\n", id.Text(change.PrefixChange))
	}
	return s.Facts("changes", fmt.Sprint(found.Members-len(found.Damaged)), "damaged", fmt.Sprint(len(found.Damaged)),
		"unreadable", plural.Count(found.Gaps+found.Unsealed, "range"), "store", s.Paint(session.Red, "does not open"))
}
