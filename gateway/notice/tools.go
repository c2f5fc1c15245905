package notice

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/twin"
	"github.com/meshd/meshd/identity/ucan"
)

// NoticeShown is a notice as a model reads it.
type NoticeShown struct {
	ID        string            `json:"id"`
	Kind      string            `json:"kind" enum:"comment,answer,mention,votes,guestbook,tier,entry,claim,bounty,sale"`
	Text      string            `json:"text"`
	Tool      string            `json:"tool,omitempty" doc:"shows what the notice is about"`
	Arguments map[string]string `json:"arguments,omitempty" doc:"for the tool"`
	Read      bool              `json:"read"`
	At        string            `json:"at"`
}

// NoticesShown is a page of notices for a model, newest first.
type NoticesShown struct {
	Success       bool          `json:"success"`
	Notifications []NoticeShown `json:"notifications"`
	Unread        int           `json:"unread"`
	call.Paging
}

// shown is a page whose notices name tools in the place of addresses.
func shown(c call.Caller) func(*NoticesReply, error) (any, error) {
	return func(r *NoticesReply, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		out := &NoticesShown{Success: r.Success, Notifications: []NoticeShown{}, Unread: r.Unread, Paging: r.Paging}
		for _, n := range r.Notifications {
			one := NoticeShown{ID: n.ID, Kind: n.Kind, Text: n.Text, Read: n.Read, At: n.At}
			if tool, argument, id, ok := twin.CallOf(n.Link); ok {
				if argument == "" {
					argument, id = "id", c.AgentID // of the caller
				}
				one.Tool, one.Arguments = tool, map[string]string{argument: id}
			}
			out.Notifications = append(out.Notifications, one)
		}
		return out, nil
	}
}

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "get_notifications", Set: endpoint.Account, Quotes: []string{"text"}, Title: "Read notifications", Needs: auth.OwnPart("notifications", ucan.NoticeRead), Read: true, Bucket: limit.Read,
			Help: "What others did with the caller's work, newest first: comments, votes, moves of its bounties, sales. Needs an API key.",
			Form: endpoint.ToolPages(endpoint.ToolPage), Output: NoticesShown{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return shown(c.Caller)(s.Notices(ctx, c.Caller, NoticesForm.Read(c.Values)))
			},
		},
		{
			Name: "read_notifications", Set: endpoint.Account, Title: "Mark notifications as read", Needs: auth.OwnPart("notifications", ucan.NoticeRead), Again: true, Bucket: limit.Write,
			Help: "Mark notifications as read, by their ids or all of them. Needs an API key.",
			Form: ReadNoticesForm.Form, Output: ReadNoticesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ReadNotices(ctx, c.Caller, ReadNoticesForm.Read(c.Values))
			},
		},
	}
}
