package contribute

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/comment"
)

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
