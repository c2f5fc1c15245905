package meet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
)

// invitation is what the flags of invite say.
type invitation struct {
	guild, role, term, as string
	uses                  int
	picture               bool
}

func cmdInvite(s *session.Session) *cobra.Command {
	var o invitation
	c := &cobra.Command{
		Use: "invite", Short: "Make an invitation to this network, for meshd join", Args: session.Subcommand,
		Long: "Make an invitation and print it: a line that says which network this is and where this node is reached, signed\n" +
			"by this node. Who has it runs meshd join LINE. The node must run, as it is what they meet.\n\n" +
			"The node counts who shows it the line, and refuses more than --uses. A network is open all the same: who has read\n" +
			"a line knows its network and may dial its nodes for good. With --guild the newcomer also joins a guild that this\n" +
			"node keeps, and that count lets nobody else in.",
		Example: "  meshd invite\n" +
			"  meshd invite --for 24h --uses 5 --qr\n" +
			"  meshd invite --guild gld_...",
		RunE: func(c *cobra.Command, _ []string) error { return o.make(c.Context(), s) },
	}
	c.Flags().StringVar(&o.guild, "guild", "", "id of a `GUILD` of this node that the newcomer joins too")
	c.Flags().StringVar(&o.role, "role", "member", "the role in the guild")
	session.Choices(c, "role", "member", "viewer")
	c.Flags().StringVar(&o.term, "for", "7d", "how long it lasts, such as 36h or 7d")
	c.Flags().IntVar(&o.uses, "uses", 1, "how many nodes it is for")
	c.Flags().BoolVar(&o.picture, "qr", false, "draw it as a QR code too")
	c.Flags().StringVar(&o.as, "as", "", "name of another `AGENT` of this node that invites into the guild")
	c.AddCommand(cmdInviteList(s), cmdInviteDrop(s))
	return c
}

func (o invitation) make(ctx context.Context, s *session.Session) (err error) {
	term, err := span("for", o.term)
	if err != nil {
		return err
	}
	d, err := s.Connect(ctx, session.Running)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	in := admin.InviteOrder{Seconds: int64(term / time.Second), Uses: o.uses, Guild: o.guild}
	if o.guild != "" {
		if in.Ticket, err = o.ticket(ctx, s, d, term); err != nil {
			return err
		}
	}
	r, data, err := ask(ctx, s, d, in)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintRaw(data)
	}
	if s.Quiet {
		_, err := fmt.Fprintln(s.Out, r.Line)
		return err
	}
	if o.picture {
		if err := picture(s, r.Line); err != nil {
			return err
		}
	}
	if err := s.Facts("until", r.Invitation.Until.Format(time.RFC3339), "for", plural.Count(r.Invitation.Uses, "node"), "guild", r.Invitation.Guild,
		"take it back", "meshd invite drop "+r.Invitation.ID); err != nil {
		return err
	}
	s.Say("\nOn the other machine, or with another --home on this one:\n")
	_, err = fmt.Fprintln(s.Out, "meshd join "+r.Line)
	return err
}

// ask has the running node make an invitation.
func ask(ctx context.Context, s *session.Session, d *session.Client, in admin.InviteOrder) (out admin.InviteReply, raw json.RawMessage, err error) {
	raw, _, err = d.Do(ctx, http.MethodPost, "/control/invites", nil, in, nil)
	if err != nil {
		return out, nil, s.Refused(err)
	}
	return out, raw, session.Decode(raw, &out)
}

// ticket is the code by which the guild takes newcomers in.
func (o invitation) ticket(ctx context.Context, s *session.Session, d *session.Client, term time.Duration) (string, error) {
	d.As = o.as
	defer func() { d.As = "" }()
	data, _, err := d.Do(ctx, http.MethodPost, session.TeamPath(o.guild, "/invites"), nil,
		map[string]any{"role": o.role, "uses": o.uses, "expires_in": int64(term / time.Second)}, nil)
	if err != nil {
		return "", s.Refused(err)
	}
	var r struct{ Code string }
	return r.Code, errors.Join(session.Decode(data, &r), unlessSet(&r.Code))
}

func unlessSet(code *string) error {
	if *code == "" {
		return errors.New("the guild gave no code")
	}
	return nil
}

// picture draws a line for a camera.
func picture(s *session.Session, line string) error {
	text, err := draw(strings.ToUpper(line))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(s.Out, text)
	return err
}

func cmdInviteList(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the invitations of this node and who has used them", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodGet, "/control/invites", nil, nil, showInvites)
		},
	}
}

func showInvites(s *session.Session, data json.RawMessage) error {
	var r admin.InvitesReply
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	rows := [][]string{{"ID", "UNTIL", "USED", "FOR", "BY"}}
	for _, m := range r.Invitations {
		if m.Device {
			continue // meshd device list
		}
		what, by := "the network", []string{}
		if m.Guild != "" {
			what = m.Guild
		}
		for _, t := range m.Taken {
			by = append(by, t.Peer)
		}
		rows = append(rows, []string{m.ID, m.Until.Format(time.RFC3339), fmt.Sprintf("%d of %d", len(m.Taken), m.Uses), terminal.OneLine(what, 80), strings.Join(by, " ")})
	}
	if len(rows) == 1 {
		s.Say("no invitations are open; meshd invite makes one")
		return nil
	}
	return s.Table(rows)
}

func cmdInviteDrop(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "drop INVITATION", Short: "Take an invitation back", Args: session.One("id of an invitation"),
		Long: "Take an invitation back: who shows it to this node from now on is refused. Who has used it stays in the network,\n" +
			"and in the guild it was for.",
		RunE: func(c *cobra.Command, args []string) error {
			return s.AskAbout(c.Context(), session.Existing, "", "INVITATION", args[0], func(id string) session.Request {
				return session.Request{Method: http.MethodPost, Path: "/control/invites/drop", In: map[string]string{"id": id}}
			}, func(s *session.Session, data json.RawMessage) error {
				var r struct{ ID string }
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				s.Say("dropped %s", r.ID)
				return nil
			})
		},
	}
}
