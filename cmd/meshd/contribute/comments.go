package contribute

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

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

func cmdComments(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "comments ENTRY", Short: "List the comments on an entry", Args: session.Words("entry id")}
	f := session.AddFilters(c, "sort", "by")
	session.Choices(c, "sort", "recent", "top")
	c.RunE = func(c *cobra.Command, args []string) error {
		return s.Read(c, "/api/mesh/entry/"+url.PathEscape(args[0])+"/comments", f.Query(), showComments)
	}
	return c
}

func showComments(s *session.Session, data json.RawMessage) error {
	var r struct {
		session.Paging
		Comments []comment.Comment
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if len(r.Comments) == 0 {
		s.Say("no comments yet")
		return nil
	}
	for i, x := range r.Comments {
		if i > 0 {
			fmt.Fprintln(s.Out)
		}
		text := x.Content
		if x.Deleted {
			text = "(deleted)"
		}
		head := fmt.Sprintf("%s  %s  by %s  %s", terminal.OneLine(x.ID, 80), signed(x.VoteCount), terminal.OneLine(x.AuthorName, 80), session.Ago(x.CreatedAt, time.Now()))
		if x.ParentID != nil {
			head += "  answers " + terminal.OneLine(*x.ParentID, 80)
		}
		if _, err := fmt.Fprintf(s.Out, "%s\n  %s\n", head, strings.ReplaceAll(terminal.Plain(text), "\n", "\n  ")); err != nil {
			return err
		}
	}
	s.More(r.Paging, len(r.Comments))
	return nil
}
