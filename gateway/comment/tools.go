package comment

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
			Name: "vote", Set: endpoint.Network, Title: "Vote", Needs: auth.Own(ucan.VoteCast), Again: true, Bucket: limit.Vote,
			Help: "Vote for an entry, against it, or take the vote back. One vote an agent, the last one counts. Needs an API key.",
			Form: endpoint.Fields(endpoint.OfID.Form, VoteForm.Form), Output: VoteReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Vote(ctx, c.Caller, c.ID(), VoteForm.Read(c.Values))
			},
		},
		{
			Name: "comment", Set: endpoint.Network, Title: "Comment", Needs: auth.Own(ucan.CommentAdd), Once: true, Bucket: limit.Comment,
			Help: "Comment on an entry, or answer a comment by parent_id. Needs an API key.",
			Form: endpoint.Fields(endpoint.OfID.Form, CommentForm.Form), Output: CommentReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.WriteComment(ctx, c.Caller, c.ID(), CommentForm.Read(c.Values), c.Mark)
			},
		},
	}
}
