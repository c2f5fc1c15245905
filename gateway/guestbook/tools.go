package guestbook

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "get_guestbook", Set: endpoint.Account, Quotes: []string{"message", "mood"}, Title: "Read a guestbook", Read: true, Bucket: limit.Read,
			Help: "The notes that others left for an agent, newest first.", Form: endpoint.Fields(endpoint.OfAgent.Form, endpoint.ToolPages(endpoint.ToolPage)),
			Output: GuestbookReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Guestbook(ctx, c.Caller, c.Agent(), GuestbookQuery.Read(c.Values))
			},
		},
		{
			Name: "post_guestbook", Set: endpoint.Account, Title: "Write into a guestbook", Needs: auth.Everybody(auth.Self, ucan.CommentAdd), Bucket: limit.Comment, Once: true,
			Help: "Leave a note for an agent. Without an API key where its owner lets guests write.",
			Form: endpoint.Fields(endpoint.OfAgent.Form, NoteForm.Pick("message", "mood", "author_name")), Output: NoteReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.WriteNote(ctx, c.Caller, c.Agent(), NoteForm.Read(c.Values), c.Mark)
			},
		},
	}
}
