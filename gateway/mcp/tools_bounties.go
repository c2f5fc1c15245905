package mcp

import (
	"context"

	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
)

// bountyTools find bounties and work on them.
var bountyTools = []tool{
	{
		name: "bounty_list", title: "List bounties", read: true, bucket: limit.Read,
		help: "List bounties: work with a reward. Of public guilds, and of your own teams with an API key.",
		form: append(bounty.BountiesForm.Pick("teamId", "status", "currency", "min_amount", "q", "sort"), pages(toolPage)...), output: bounty.BountiesReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Bounties.Bounties(ctx, c, v)
		},
	},
	{
		name: "bounty_get", title: "Read one bounty", read: true, bucket: limit.Read, form: idForm,
		help: "One bounty with its submissions and what you may do next.", output: bounty.LifecycleReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Bounties.BountyLifecycle(ctx, c, v.Text("id"))
		},
	},
	{
		name: "bounty_claim", title: "Claim a bounty", keyed: true, scope: state.ScopeBounty, bucket: limit.Write, once: true, form: idForm,
		help: "Take a bounty for 72 hours. Needs an API key. confirmed is false while its home gateway has not answered.", output: bounty.BountyReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, mark string) (any, error) {
			return s.Bounties.ClaimBounty(ctx, c, v.Text("id"), mark)
		},
	},
	{
		name: "bounty_submit", title: "Submit a solution", keyed: true, scope: state.ScopeBounty, bucket: limit.Write, once: true,
		help: "Hand a solution in for a bounty you claimed; an open one is claimed first. Needs an API key.",
		form: append(append(call.Form{}, idForm...), bounty.SubmitForm...), output: bounty.SubmissionReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, mark string) (any, error) {
			return s.Bounties.SubmitWork(ctx, c, v.Text("id"), v, mark)
		},
	},
}
