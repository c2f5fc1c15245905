package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) cmdTeamMessage(as *string) *cobra.Command {
	var to, kind, subject, task, reply, key string
	c := &cobra.Command{
		Use: "message ID [--to AGENT] [TEXT|-]", Short: "Write to a team, or sealed to one member",
		Long: "Write to a team, or with --to to one of its members; then only sender and recipient can read it. The text is\n" +
			"the last argument, or standard input.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s needs one guild id: %s", c.CommandPath(), c.UseLine())
			}
			text, err := p.text("team message", args[1:])
			if err != nil {
				return err
			}
			in := given("content", text, "to", to, "type", kind, "subject", subject, "task_id", task, "reply_to", reply)
			return p.errand(c.Context(), errand{as: *as, method: http.MethodPost, path: teamPath(args[0], "/message"), in: in, key: key}, p.showSent)
		},
	}
	f := c.Flags()
	f.StringVar(&to, "to", "", "a member, by id or DID, or by name as lists show it (default the whole team)")
	f.StringVar(&kind, "type", "", "text, status, request, handoff or alert (default text)")
	f.StringVar(&subject, "subject", "", "a headline")
	f.StringVar(&task, "task", "", "id of the task it is about")
	f.StringVar(&reply, "reply-to", "", "id of the message it answers")
	f.StringVar(&key, "idempotency-key", "", "name of this request: repeating it sends no second message")
	return c
}

func (p *program) showSent(data json.RawMessage) error {
	var r struct{ Message message }
	if err := decode(data, &r); err != nil {
		return err
	}
	return p.made(r.Message.ID, "message", r.Message.ID, "to", oneLine(r.Message.To, 80), "sent", r.Message.CreatedAt)
}

// message is what people see of a message.
type message struct {
	ID, FromAgentID, FromAgentName, To, Subject, Content, MessageType, CreatedAt string
	Locked                                                                       bool
	TaskID, ReplyTo                                                              *string
}

func (p *program) cmdTeamInbox(as *string) *cobra.Command {
	c := &cobra.Command{
		Use: "inbox ID", Short: "List the messages that the agent may read, newest first", Args: words("guild id"),
	}
	f := addFilters(c, "type", "text, status, request, handoff or alert", "since", "from this time on (RFC 3339)", "before", "before this time (RFC 3339)")
	task := c.Flags().String("task", "", "id of a task they are about")
	read := c.Flags().Bool("read", false, "mark them as read, with all that are older")
	c.RunE = func(c *cobra.Command, args []string) error {
		q := f.query()
		if *task != "" {
			q.Set("task_id", *task)
		}
		e := errand{as: *as, method: http.MethodGet, path: teamPath(args[0], "/messages"), query: q}
		if !*read {
			return p.errand(c.Context(), e, p.showMessages)
		}
		return p.readInbox(c, e, args[0])
	}
	return c
}

// readInbox shows a page of messages and then marks it as read.
func (p *program) readInbox(c *cobra.Command, e errand, team string) (err error) {
	d, err := p.door(c.Context(), existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	d.as = e.as
	data, _, err := d.do(c.Context(), e.method, e.path, e.query, nil, nil)
	if err != nil {
		return p.refused(err)
	}
	var r struct{ Messages []message }
	if err := decode(data, &r); err != nil {
		return err
	}
	show := p.showMessages
	if p.json {
		show = func(data json.RawMessage) error { return p.printRaw(data) }
	}
	if err := show(data); err != nil || len(r.Messages) == 0 {
		return err
	}
	if _, _, err := d.do(c.Context(), http.MethodPost, teamPath(team, "/messages/read"), nil, given("up_to", r.Messages[0].ID), nil); err != nil {
		return fmt.Errorf("mark as read: %w", err)
	}
	return nil
}

func (p *program) showMessages(data json.RawMessage) error {
	var r struct {
		paging
		Messages []message
		Unread   int
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Messages) == 0 {
		p.say("no messages")
		return nil
	}
	for i, m := range r.Messages {
		if i > 0 {
			fmt.Fprintln(p.out)
		}
		if err := p.printMessage(m); err != nil {
			return err
		}
	}
	if r.Unread > 0 {
		p.say("\nunread: %d", r.Unread)
	}
	p.more(r.paging, len(r.Messages))
	return nil
}

// printMessage writes one message. Its lines are indented, so that a text cannot
// pass for the head of another one.
func (p *program) printMessage(m message) error {
	to, what := "the team", ""
	if m.To != "team" {
		to = m.To + " (sealed)"
	}
	if m.MessageType != "text" {
		what = "  " + oneLine(m.MessageType, 16)
	}
	head := fmt.Sprintf("%s%s  from %s  to %s  %s", oneLine(m.ID, 80), what, oneLine(m.FromAgentName, 80), oneLine(to, 100), ago(m.CreatedAt, time.Now()))
	if m.TaskID != nil {
		head += "  about " + oneLine(*m.TaskID, 80)
	}
	if m.ReplyTo != nil {
		head += "  answers " + oneLine(*m.ReplyTo, 80)
	}
	lines := []string{head}
	if m.Subject != "" {
		lines = append(lines, "  "+oneLine(m.Subject, 200))
	}
	text := m.Content
	if m.Locked {
		text = "(sealed; no key that opens it lies on this node)"
	}
	lines = append(lines, "  "+strings.ReplaceAll(plain(text), "\n", "\n  "))
	_, err := fmt.Fprintln(p.out, strings.Join(lines, "\n"))
	return err
}
