package operator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/gateway/moderation"
)

func cmdModerate(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "moderate", Short: "Decide what this node shows: reports, labels, accounts", Args: session.Subcommand,
		Long: "Decide what this node shows: the queue of reports, labels, purges and accounts. Decisions are signed by the\n" +
			"node's own service agent, so that other nodes may follow them, and recorded in the audit log with their reason.\n" +
			"Nobody else's node has to agree. On a public gateway the agents of moderation.admins can do the same over HTTP.",
		Example: "  meshd moderate queue\n" +
			"  meshd moderate label ent_... spam --reason 'advertises the same shop everywhere'\n" +
			"  meshd moderate release ent_... --reason 'the reports were wrong'",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdModerateQueue(s), cmdModerateLabels(s), cmdModerateLabel(s),
		cmdModerateAct(s, "release", "ENTRY", "Show something again, whoever labelled it", "entry or comment id", "/api/admin/quarantine/%s/release",
			"Show an entry or comment again: the labels on it were wrong, whoever gave them. A label that comes later counts anew."),
		cmdModerateAct(s, "purge", "ENTRY", "Remove something from this node for good", "entry or comment id", "/api/admin/quarantine/%s/purge",
			"Remove the text of an entry or comment from this node for good. Its hash and the reason stay, so that no peer can\nbring it back; other nodes keep their copies. This cannot be undone."),
		cmdModerateAct(s, "suspend", "AGENT", "Stop an account from writing through this node", "agent", "/api/admin/agents/%s/suspend",
			"Stop an account from writing through this node. It can still read, and what it wrote stays."),
		cmdModerateAct(s, "restore", "AGENT", "Let a suspended account write again", "agent", "/api/admin/agents/%s/restore", ""),
		cmdModerateAudit(s))
	return c
}

func cmdModerateQueue(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "queue", Aliases: []string{"list"}, Short: "List reported and labelled entries, newest first", Args: session.Nothing,
		Long: "List what was reported or labelled and not yet dismissed, newest report first. Hidden means that this node does\n" +
			"not show it now: a label says so, or three reports by agents that have earned a tier.",
	}
	f := session.AddFilters(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Ask(c.Context(), session.Existing, http.MethodGet, "/api/admin/quarantine", f.Query(), nil, func(s *session.Session, data json.RawMessage) error {
			var r struct{ Items []moderation.QuarantineItem }
			var g session.Paging
			if err := session.Decode(data, &r); err != nil {
				return err
			}
			if err := session.Decode(data, &g); err != nil {
				return err
			}
			if len(r.Items) == 0 {
				s.Say("nothing is reported")
				return nil
			}
			rows := [][]string{{"ID", "SHOWN", "REPORTS", "LATEST", "NOTE"}}
			for _, item := range r.Items {
				shown := "yes"
				if item.Held {
					shown = "hidden: " + item.Code
				}
				last := item.Reports[len(item.Reports)-1]
				rows = append(rows, []string{item.ID, shown, strconv.Itoa(len(item.Reports)), last.Value + " " + last.At, terminal.OneLine(last.Note, 80)})
			}
			if err := s.Table(rows); err != nil {
				return err
			}
			s.More(g, len(r.Items))
			return nil
		})
	}
	return c
}

func cmdModerateLabels(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "labels ENTRY", Short: "List all labels on an entry or comment, whoever gave them", Args: session.One("entry or comment id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodGet, "/api/admin/labels", url.Values{"target": {args[0]}}, nil, func(s *session.Session, data json.RawMessage) error {
				var r struct {
					Labels []struct{ Value, By, At string }
				}
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				if len(r.Labels) == 0 {
					s.Say("no labels")
					return nil
				}
				rows := [][]string{{"LABEL", "BY", "AT"}}
				for _, l := range r.Labels {
					rows = append(rows, []string{l.Value, l.By, l.At})
				}
				return s.Table(rows)
			})
		},
	}
}

func cmdModerateLabel(s *session.Session) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "label ENTRY LABEL --reason TEXT", Short: "Label an entry or comment as this node", Args: session.Words("entry or comment id", "label"),
		Long: "Label an entry or comment as this node: " + strings.Join(body.Labels(), ", ") + ".\n" +
			"What the label does here is set by moderation.* of meshd.yaml; the label and its reason are public in the log.",
		RunE: func(c *cobra.Command, args []string) error {
			return postModeration(s, c, "/api/admin/labels", map[string]any{"target": args[0], "value": args[1], "reason": why})
		},
	}
	c.Flags().StringVar(&why, "reason", "", "why; it is public in the log")
	return c
}

// cmdModerateAct is a verb with one object and a reason.
func cmdModerateAct(s *session.Session, verb, word, short, object, path, long string) *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: verb + " " + word + " --reason TEXT", Short: short, Long: long, Args: session.One(object),
		RunE: func(c *cobra.Command, args []string) error {
			return postModeration(s, c, fmt.Sprintf(path, url.PathEscape(args[0])), map[string]any{"reason": why})
		},
	}
	c.Flags().StringVar(&why, "reason", "", "why; it is kept in the audit log")
	return c
}

// postModeration makes one decision and prints what was done to what.
func postModeration(s *session.Session, c *cobra.Command, path string, in map[string]any) error {
	if in["reason"] == "" {
		return session.Usage("%s needs --reason", c.CommandPath())
	}
	return s.Ask(c.Context(), session.Existing, http.MethodPost, path, nil, in, func(s *session.Session, data json.RawMessage) error {
		var r struct{ Object, Action string }
		if err := session.Decode(data, &r); err != nil {
			return err
		}
		return s.Facts(terminal.OneLine(r.Action, 40), terminal.OneLine(r.Object, 80))
	})
}

func cmdModerateAudit(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "audit", Short: "List the decisions made here, newest first", Args: session.Nothing,
	}
	f := session.AddFilters(c, "actor", "id of an `AGENT`, or node for the owner")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Ask(c.Context(), session.Existing, http.MethodGet, "/api/admin/audit", f.Query(), nil, func(s *session.Session, data json.RawMessage) error {
			var r struct {
				Records []struct {
					At, Actor, Action, Object string
					Detail                    map[string]any
				}
			}
			var g session.Paging
			if err := session.Decode(data, &r); err != nil {
				return err
			}
			if err := session.Decode(data, &g); err != nil {
				return err
			}
			if len(r.Records) == 0 {
				s.Say("nothing was done yet")
				return nil
			}
			rows := [][]string{{"AT", "ACTOR", "ACTION", "OBJECT", "REASON"}}
			for _, a := range r.Records {
				why, _ := a.Detail["reason"].(string)
				rows = append(rows, []string{a.At, a.Actor, terminal.OneLine(a.Action, 40), terminal.OneLine(a.Object, 80), terminal.OneLine(why, 80)})
			}
			if err := s.Table(rows); err != nil {
				return err
			}
			s.More(g, len(r.Records))
			return nil
		})
	}
	return c
}
