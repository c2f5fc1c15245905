package guild

import (
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/board"
)

func cmdTeamMessage(s *session.Session, as *string) *cobra.Command {
	var to, kind, subject, task, reply, key string
	c := &cobra.Command{
		Use: "message GUILD [--to AGENT] [TEXT|-]", Short: "Write to a team, or sealed to one member",
		Long: "Write to a team, or with --to to one of its members; then only sender and recipient can read it. The text is\n" +
			"the last argument, or standard input.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usage("%s needs one guild id: %s", c.CommandPath(), c.UseLine())
			}
			text, err := s.Text("team message", args[1:])
			if err != nil {
				return err
			}
			in := session.Given("content", text, "to", to, "type", kind, "subject", subject, "task_id", task, "reply_to", reply)
			return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodPost, Path: session.TeamPath(args[0], "/message"), In: in, Key: key}, showSent)
		},
	}
	f := c.Flags()
	f.StringVar(&to, "to", "", "an `AGENT` that is a member, by id or DID, or by name as lists show it (default the whole team)")
	f.StringVar(&kind, "type", "", "what it is, text when absent")
	session.Choices(c, "type", "text", "status", "request", "handoff", "alert")
	f.StringVar(&subject, "subject", "", "a headline")
	f.StringVar(&task, "task", "", "id of the `TASK` it is about")
	f.StringVar(&reply, "reply-to", "", "id of the `MESSAGE` it answers")
	f.StringVar(&key, "idempotency-key", "", "name of this request: repeating it sends no second message")
	return c
}

func showSent(s *session.Session, data json.RawMessage) error {
	var r board.MessageReply
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Made(r.Message.ID, "message", r.Message.ID, "to", terminal.OneLine(r.Message.To, 80), "sent", r.Message.CreatedAt)
}
