package main

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

	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node"
)

func (p *program) cmdPurge() *cobra.Command {
	var order admin.PurgeOrder
	var since string
	c := &cobra.Command{
		Use: "purge [ID]", Short: "Remove the text of an entry, or of all that somebody wrote, from this node for good",
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
				if err := one("entry id, or --author, --tree, --from or --since")(c, args); err != nil {
					return err
				}
				return p.purgeOne(c.Context(), args[0])
			}
			if err := nothing(c, args); err != nil {
				return err
			}
			at, err := timeFlag("since", since, time.Now())
			if err != nil {
				return err
			}
			order.Since = at
			return p.purgeMany(c.Context(), order)
		},
	}
	c.Flags().StringVar(&order.Author, "author", "", "whatever this agent wrote")
	c.Flags().StringVar(&order.Tree, "tree", "", "the same of this agent and all whom it sponsored, and those")
	c.Flags().StringVar(&order.From, "from", "", "what this peer brought first; file: imports, door: changes signed elsewhere")
	c.Flags().StringVar(&since, "since", "", "what came since then: 2h, 2026-11-23 or 2026-11-23T10:00:00Z")
	c.Flags().BoolVar(&order.Yes, "yes", false, "remove it; without, only count")
	return c
}

func (p *program) purgeOne(ctx context.Context, id string) error {
	return p.ask(ctx, existing, http.MethodPost, "/control/purge", nil, map[string]string{"id": id}, func(json.RawMessage) error {
		p.say("purged %s", id)
		return nil
	})
}

// timeFlag reads a time, or how long ago it was, from a flag.
func timeFlag(name, s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(-d).UTC(), nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, usage("--%s %q is neither a time such as 2026-11-23T10:00:00Z nor a span such as 2h", name, s)
}

// purgeMany counts or removes a selection and shows how far it is.
func (p *program) purgeMany(ctx context.Context, order admin.PurgeOrder) (err error) {
	d, err := p.door(ctx, existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	text, err := json.Marshal(order)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	resp, err := d.send(ctx, http.MethodPost, "/control/purge/many", nil, bytes.NewReader(text), "application/json", nil)
	if err != nil {
		return p.refused(err)
	}
	defer resp.Body.Close()
	for dec := json.NewDecoder(resp.Body); ; {
		var line admin.PurgeLine
		if err := dec.Decode(&line); err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
		if line.Result == nil {
			if !p.quiet && !p.json {
				fmt.Fprintf(p.err, "purged %d of %d\n", line.Done, line.Of)
			}
			continue
		}
		if err := p.showPurged(order, *line.Result); err != nil || line.Error == "" {
			return err
		}
		return fmt.Errorf("%s: %s", line.Code, oneLine(line.Error, 500))
	}
}

func (p *program) showPurged(order admin.PurgeOrder, s node.Selected) error {
	if p.json {
		return p.printJSON(s)
	}
	var kinds []string
	for _, k := range slices.Sorted(maps.Keys(s.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", s.Kinds[k], k))
	}
	facts := []string{
		"selected", plural.Count(s.Changes, "change") + " of " + plural.Count(s.Agents, "agent"),
		"texts", fmt.Sprintf("%d, %s", s.Bodies, plural.Count(s.Bytes, "byte")), "kinds", strings.Join(kinds, ", "),
	}
	if s.Unknown > 0 {
		facts = append(facts, "not known", plural.Count(s.Unknown, "older change")+", of which nobody can say who brought them")
	}
	if order.Yes {
		facts = append(facts, "purged", fmt.Sprint(s.Purged))
	}
	if err := p.facts(facts...); err != nil {
		return err
	}
	if !order.Yes && s.Bodies > 0 {
		p.say("nothing was removed; the same with --yes removes them for good")
	}
	return nil
}
