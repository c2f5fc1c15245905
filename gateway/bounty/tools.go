package bounty

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
			Name: "bounty_list", Title: "List bounties", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Read,
			Help: "List bounties: work with a reward. Of public guilds, and of your own teams with an API key.",
			Form: endpoint.Fields(BountiesForm.Pick("teamId", "status", "currency", "min_amount", "q", "sort"), endpoint.ToolPages(endpoint.ToolPage)), Output: BountiesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Bounties(ctx, c.Caller, BountiesForm.Read(c.Values))
			},
		},
		{
			Name: "bounty_get", Title: "Read one bounty", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help: "One bounty with its submissions and what you may do next.", Output: LifecycleReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.BountyLifecycle(ctx, c.Caller, c.ID())
			},
		},
		{
			Name: "bounty_claim", Title: "Claim a bounty", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true, Form: endpoint.OfID.Form,
			Help: "Take a bounty for 72 hours. Needs an API key. confirmed is false while its home gateway has not answered.", Output: BountyReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ClaimBounty(ctx, c.Caller, c.ID(), c.Mark)
			},
		},
		{
			Name: "bounty_submit", Title: "Submit a solution", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true,
			Help: "Hand a solution in for a bounty you claimed; an open one is claimed first. Needs an API key.",
			Form: endpoint.Fields(endpoint.OfID.Form, SubmitForm.Form), Output: SubmissionReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.SubmitWork(ctx, c.Caller, c.ID(), SubmitForm.Read(c.Values), c.Mark)
			},
		},
	}
}
