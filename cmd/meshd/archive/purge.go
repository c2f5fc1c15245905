package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node"
)

func cmdPurge(s *session.Session) *cobra.Command {
	var order admin.PurgeOrder
	var since string
	c := &cobra.Command{
		Use: "purge [ENTRY]", Short: "Remove the text of an entry, or of all that somebody wrote, from this node for good",
		Long: "Remove the text of an entry from this node for good. Its head with the hash stays, so that the node still\n" +
			"equals its peers, and the text does not come back from them.\n\n" +
			"With flags it removes whatever all of them select: everything of an author, of a tree of agents who\n" +
			"sponsored one another, of what a peer brought first (meshd peers gave), of what came since a time. It counts\n" +
			"first; only --yes removes. What this node's own agents wrote is taken by --author alone. Grants, revocations\n" +
			"and identities stay, since rights rest on them.",
		Example: "  meshd purge ent_...\n" +
			"  meshd purge --author agt_...\n" +
			"  meshd purge --from 12D3KooW... --since 2h --yes",
		RunE: func(c *cobra.Command, args []string) error {
			flags := order.Author != "" || order.Tree != "" || order.From != "" || since != ""
			if !flags {
				if err := session.One("entry id, or --author, --tree, --from or --since")(c, args); err != nil {
					return err
				}
				return purgeOne(c.Context(), s, args[0])
			}
			if err := session.Nothing(c, args); err != nil {
				return err
			}
			at, err := session.TimeFlag("since", since, time.Now())
			if err != nil {
				return err
			}
			order.Since = at
			return purgeMany(c.Context(), s, order)
		},
	}
	c.Flags().StringVar(&order.Author, "author", "", "whatever this `AGENT` wrote")
	c.Flags().StringVar(&order.Tree, "tree", "", "the same of this `AGENT` and all whom it sponsored, and those")
	c.Flags().StringVar(&order.From, "from", "", "what this `PEER` brought first; file: imports, door: changes signed elsewhere")
	c.Flags().StringVar(&since, "since", "", "what came since then: 2h, 2026-11-23 or 2026-11-23T10:00:00Z")
	c.Flags().BoolVar(&order.Yes, "yes", false, "remove it; without, only count")
	return c
}

func purgeOne(ctx context.Context, s *session.Session, id string) error {
	return s.Ask(ctx, session.Existing, http.MethodPost, "/control/purge", nil, map[string]string{"id": id}, func(_ *session.Session, data json.RawMessage) error {
		var r struct{ ID string }
		if err := session.Decode(data, &r); err != nil {
			return err
		}
		s.Say("purged %s", r.ID)
		return nil
	})
}

// purgeMany counts or removes a selection and shows how far it is.
func purgeMany(ctx context.Context, s *session.Session, order admin.PurgeOrder) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if order.From, err = s.Whole(ctx, d, "PEER", order.From); err != nil {
		return err
	}
	text, err := json.Marshal(order)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	resp, err := d.Stream(ctx, http.MethodPost, "/control/purge/many", nil, bytes.NewReader(text), "application/json", nil)
	if err != nil {
		return s.Refused(err)
	}
	defer resp.Body.Close()
	for dec := json.NewDecoder(resp.Body); ; {
		var line admin.PurgeLine
		if err := dec.Decode(&line); err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
		if line.Result == nil {
			if !s.Quiet && !s.JSON {
				fmt.Fprintf(s.Err, "purged %d of %d\n", line.Done, line.Of)
			}
			continue
		}
		if err := showPurged(s, order, *line.Result); err != nil || line.Error == "" {
			return err
		}
		return fmt.Errorf("%s: %s", line.Code, terminal.OneLine(line.Error, 500))
	}
}

func showPurged(s *session.Session, order admin.PurgeOrder, sel node.Selected) error {
	if s.JSON {
		return s.PrintJSON(sel)
	}
	var kinds []string
	for _, k := range slices.Sorted(maps.Keys(sel.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", sel.Kinds[k], k))
	}
	facts := []string{
		"selected", plural.Count(sel.Changes, "change") + " of " + plural.Count(sel.Agents, "agent"),
		"texts", fmt.Sprintf("%d, %s", sel.Bodies, plural.Count(sel.Bytes, "byte")), "kinds", strings.Join(kinds, ", "),
	}
	if sel.Unknown > 0 {
		facts = append(facts, "not known", plural.Count(sel.Unknown, "older change")+", of which nobody can say who brought them")
	}
	if order.Yes {
		facts = append(facts, "purged", fmt.Sprint(sel.Purged))
	}
	if err := s.Facts(facts...); err != nil {
		return err
	}
	if !order.Yes && sel.Bodies > 0 {
		s.Say("nothing was removed; the same with --yes removes them for good")
	}
	return nil
}
