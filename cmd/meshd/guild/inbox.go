package guild

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/board"
)

func cmdTeamInbox(s *session.Session, as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "inbox GUILD", Short: "List the messages that the agent may read, newest first", Args: session.Words("guild id"),
	}
	f := session.AddFilters(c, "type", "what they are", "since", "from this time on (RFC 3339)", "before", "before this time (RFC 3339)")
	session.Choices(c, "type", "text", "status", "request", "handoff", "alert")
	task := c.Flags().String("task", "", "id of a `TASK` they are about")
	read := c.Flags().Bool("read", false, "mark them as read, with all that are older")
	c.RunE = func(c *cobra.Command, args []string) error {
		q := f.Query()
		if *task != "" {
			q.Set("task_id", *task)
		}
		e := session.Request{As: *as, Method: http.MethodGet, Path: session.TeamPath(args[0], "/messages"), Query: q}
		if !*read {
			return s.Send(c.Context(), e, showMessages)
		}
		return readInbox(s, c, e, args[0])
	}
	return c
}

// readInbox shows a page of messages and then marks it as read.
func readInbox(s *session.Session, c *cobra.Command, e session.Request, team string) (err error) {
	d, err := s.Connect(c.Context(), session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	d.As = e.As
	data, _, err := d.Do(c.Context(), e.Method, e.Path, e.Query, nil, nil)
	if err != nil {
		return s.Refused(err)
	}
	var r struct{ Messages []board.Message }
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	show := showMessages
	if s.JSON {
		show = func(s *session.Session, data json.RawMessage) error { return s.PrintRaw(data) }
	}
	if err := show(s, data); err != nil || len(r.Messages) == 0 {
		return err
	}
	if _, _, err := d.Do(c.Context(), http.MethodPost, session.TeamPath(team, "/messages/read"), nil, session.Given("up_to", r.Messages[0].ID), nil); err != nil {
		return fmt.Errorf("mark as read: %w", err)
	}
	return nil
}

func showMessages(s *session.Session, data json.RawMessage) error {
	var r struct {
		session.Paging
		Messages []board.Message
		Unread   int
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Messages) == 0 {
		s.Say("no messages")
		return nil
	}
	for i, m := range r.Messages {
		if i > 0 {
			fmt.Fprintln(s.Out)
		}
		if err := printMessage(s, m); err != nil {
			return err
		}
	}
	if r.Unread > 0 {
		s.Say("\nunread: %d", r.Unread)
	}
	s.More(r.Paging, len(r.Messages))
	return nil
}

// printMessage writes one message. Its lines are indented, so that a text cannot
// pass for the head of another one.
func printMessage(s *session.Session, m board.Message) error {
	to, what := "the team", ""
	if m.To != "team" {
		to = m.To + " (sealed)"
	}
	if m.MessageType != "text" {
		what = "  " + terminal.OneLine(m.MessageType, 16)
	}
	head := fmt.Sprintf("%s%s  from %s  to %s  %s", terminal.OneLine(m.ID, 80), what, terminal.OneLine(m.FromAgentName, 80), terminal.OneLine(to, 100), session.Ago(m.CreatedAt, time.Now()))
	if m.TaskID != nil {
		head += "  about " + terminal.OneLine(*m.TaskID, 80)
	}
	if m.ReplyTo != nil {
		head += "  answers " + terminal.OneLine(*m.ReplyTo, 80)
	}
	lines := []string{head}
	if m.Subject != "" {
		lines = append(lines, "  "+terminal.OneLine(m.Subject, 200))
	}
	text := m.Content
	if m.Locked {
		text = "(sealed; no key that opens it lies on this node)"
	}
	lines = append(lines, "  "+strings.ReplaceAll(terminal.Plain(text), "\n", "\n  "))
	_, err := fmt.Fprintln(s.Out, strings.Join(lines, "\n"))
	return err
}
