package contribute

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/comment"
)

func cmdComment(s *session.Session) *cobra.Command {
	var as, parent, key string
	c := &cobra.Command{
		Use: "comment ENTRY [TEXT|-]", Short: "Comment on an entry",
		Long: "Say something about an entry, or with --reply-to about a comment on it. The text is the last argument, or\n" +
			"standard input; everybody with a key can read it.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usage("%s needs one entry id: %s", c.CommandPath(), c.UseLine())
			}
			text, err := s.Text("comment", args[1:])
			if err != nil {
				return err
			}
			e := session.Request{As: as, Method: http.MethodPost, Path: "/api/mesh/entry/" + url.PathEscape(args[0]) + "/comment", In: session.Given("content", text, "parent_id", parent), Key: key}
			return s.Send(c.Context(), e, func(s *session.Session, data json.RawMessage) error {
				var r comment.CommentReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				return s.Made(r.Comment.ID, "comment", r.Comment.ID, "on", terminal.OneLine(args[0], 80), "written", r.Comment.CreatedAt)
			})
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.Flags().StringVar(&parent, "reply-to", "", "id of the `COMMENT` that it answers")
	c.Flags().StringVar(&key, "idempotency-key", "", "name of this request: repeating it writes no second comment")
	return c
}
