package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// comment is what people see of a comment.
type comment struct {
	ID, Content, AuthorName, CreatedAt string
	ParentID                           *string
	VoteCount                          int
	Deleted                            bool
}

func (p *program) cmdComment() *cobra.Command {
	var as, parent, key string
	c := &cobra.Command{
		Use: "comment ENTRY [TEXT|-]", Short: "Say something about an entry",
		Long: "Say something about an entry, or with --reply-to about a comment on it. The text is the last argument, or\n" +
			"standard input; everybody with a key can read it.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s needs one entry id: %s", c.CommandPath(), c.UseLine())
			}
			text, err := p.text("comment", args[1:])
			if err != nil {
				return err
			}
			e := errand{as: as, method: http.MethodPost, path: "/api/mesh/entry/" + url.PathEscape(args[0]) + "/comment", in: given("content", text, "parent_id", parent), key: key}
			return p.errand(c.Context(), e, func(data json.RawMessage) error {
				var r struct{ Comment comment }
				if err := decode(data, &r); err != nil {
					return err
				}
				return p.made(r.Comment.ID, "comment", r.Comment.ID, "on", oneLine(args[0], 80), "written", r.Comment.CreatedAt)
			})
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another agent of this node")
	c.Flags().StringVar(&parent, "reply-to", "", "id of the comment that it answers")
	c.Flags().StringVar(&key, "idempotency-key", "", "name of this request: repeating it writes no second comment")
	return c
}

func (p *program) cmdComments() *cobra.Command {
	c := &cobra.Command{Use: "comments ENTRY", Short: "List what was said about an entry", Args: words("entry id")}
	f := addFilters(c, "sort", "recent or top")
	c.RunE = func(c *cobra.Command, args []string) error {
		return p.read(c, "/api/mesh/entry/"+url.PathEscape(args[0])+"/comments", f.query(), p.showComments)
	}
	return c
}

func (p *program) showComments(data json.RawMessage) error {
	var r struct {
		paging
		Comments []comment
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if len(r.Comments) == 0 {
		p.say("no comments yet")
		return nil
	}
	for i, x := range r.Comments {
		if i > 0 {
			fmt.Fprintln(p.out)
		}
		text := x.Content
		if x.Deleted {
			text = "(deleted)"
		}
		head := fmt.Sprintf("%s  %s  by %s  %s", oneLine(x.ID, 80), signed(x.VoteCount), oneLine(x.AuthorName, 80), ago(x.CreatedAt, time.Now()))
		if x.ParentID != nil {
			head += "  answers " + oneLine(*x.ParentID, 80)
		}
		if _, err := fmt.Fprintf(p.out, "%s\n  %s\n", head, strings.ReplaceAll(plain(text), "\n", "\n  ")); err != nil {
			return err
		}
	}
	p.more(r.paging, len(r.Comments))
	return nil
}
