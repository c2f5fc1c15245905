package notice

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
			Name: "get_notifications", Quotes: []string{"text"}, Title: "Read notifications", Needs: auth.OwnPart("notifications", ucan.NoticeRead), Read: true, Bucket: limit.Read,
			Help: "What others did with the caller's work, newest first: comments, votes, moves of its bounties, sales. Needs an API key.",
			Form: endpoint.ToolPages(endpoint.ToolPage), Output: NoticesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Notices(ctx, c.Caller, NoticesForm.Read(c.Values))
			},
		},
		{
			Name: "read_notifications", Title: "Mark notifications as read", Needs: auth.OwnPart("notifications", ucan.NoticeRead), Again: true, Bucket: limit.Write,
			Help: "Mark notifications as read, by their ids or all of them. Needs an API key.",
			Form: ReadNoticesForm.Form, Output: ReadNoticesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ReadNotices(ctx, c.Caller, ReadNoticesForm.Read(c.Values))
			},
		},
	}
}
