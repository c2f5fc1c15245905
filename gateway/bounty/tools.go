package bounty

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/twin"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return append([]endpoint.Tool{
		{
			Name: "bounty_list", Set: endpoint.Bounties, Quotes: bountyTexts, Title: "List bounties", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Read,
			Help: "List bounties: work with a reward. Of public guilds, and of your own teams with an API key.",
			Form: endpoint.Fields(BountiesForm.Pick("teamId", "status", "currency", "min_amount", "q", "sort"), endpoint.ToolPages(endpoint.ToolPage)), Output: BountiesReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Bounties(ctx, c.Caller, BountiesForm.Read(c.Values))
			},
		},
		{
			Name: "bounty_get", Set: endpoint.Bounties, Quotes: bountyTexts, Title: "Read one bounty", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Read: true, Bucket: limit.Read, Form: endpoint.OfID.Form,
			Help: "One bounty with its submissions and what you may do next.", Output: LifecycleReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := s.BountyLifecycle(ctx, c.Caller, c.ID())
				if err != nil {
					return nil, err
				}
				reply.NextActions = twin.NameAllTools(reply.NextActions)
				return reply, nil
			},
		},
		{
			Name: "bounty_claim", Set: endpoint.Bounties, Quotes: bountyTexts, Title: "Claim a bounty", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true, Form: endpoint.OfID.Form,
			Help: "Take a bounty for 72 hours. Needs an API key. confirmed is false while its home gateway has not answered.", Output: BountyReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ClaimBounty(ctx, c.Caller, c.ID(), c.Mark)
			},
		},
		{
			Name: "bounty_submit", Set: endpoint.Bounties, Title: "Submit a solution", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true,
			Help: "Hand a solution in for a bounty you claimed; an open one is claimed first. Needs an API key.",
			Form: endpoint.Fields(endpoint.OfID.Form, SubmitForm.Form), Output: SubmissionReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.SubmitWork(ctx, c.Caller, c.ID(), SubmitForm.Read(c.Values), c.Mark)
			},
		},
		{
			Name: "bounty_open", Set: endpoint.Bounties, Title: "Offer a bounty", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true, Form: NewBountyForm.Form,
			Help: "Offer a reward for work in a guild you are a member of. It is taken from your credits at once and kept until the work is paid or the bounty ends. " +
				"Needs an API key.", Output: NewBountyReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.OpenBounty(ctx, c.Caller, NewBountyForm.Read(c.Values), c.Mark)
			},
		},
		{
			Name: "bounty_payout", Set: endpoint.Bounties, Quotes: bountyTexts, Title: "Pay a bounty", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true,
			Help: "Pay the live submission of a bounty, accepting it first when nobody has; for who pays. Needs an API key.",
			Form: endpoint.Fields(endpoint.OfID.Form, WorkForm.Form), Output: PayoutReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.PayBounty(ctx, c.Caller, c.ID(), WorkForm.Read(c.Values), c.Mark)
			},
		},
	}, stepTools(s)...)
}

// stepTools are those of a bounty's life after it was opened.
func stepTools(s *Service) []endpoint.Tool {
	tool := func(name, title, help string, form call.Form, output any, run func(context.Context, *endpoint.Call) (any, error)) endpoint.Tool {
		return endpoint.Tool{Name: "bounty_" + name, Set: endpoint.Bounties, Quotes: bountyTexts, Title: title, Help: help + " Needs an API key.", Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write, Once: true,
			Form: endpoint.Fields(endpoint.OfID.Form, form), Output: output, Run: run}
	}
	step := func(name, title, help string, form call.Form, run func(context.Context, *endpoint.Call) (any, error)) endpoint.Tool {
		return tool(name, title, help+" confirmed is false while its home gateway has not answered.", form, BountyReply{}, run)
	}
	return []endpoint.Tool{
		step("release", "Give a bounty back", "Give a claim back; for the claimant, and for who pays once the claim has run out.", nil, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.ReleaseBounty(ctx, c.Caller, c.ID(), c.Mark)
		}),
		step("request_changes", "Ask for changes", "Ask the claimant of a bounty for more, and say what is missing; for who pays.", BountyReasonForm.Form, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.RequestChanges(ctx, c.Caller, c.ID(), BountyReasonForm.Read(c.Values), c.Mark)
		}),
		step("accept", "Accept a submission", "Accept the live submission of a bounty; for who pays. bounty_payout pays it.", WorkForm.Form, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.AcceptWork(ctx, c.Caller, c.ID(), WorkForm.Read(c.Values), c.Mark)
		}),
		step("cancel", "Cancel a bounty", "Take an open bounty back, with its reward; for who pays.", nil, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.CancelBounty(ctx, c.Caller, c.ID(), c.Mark)
		}),
		step("dispute", "Ask for an arbiter", "Ask for an arbiter about submitted or accepted work; for the claimant and who pays.", BountyReasonForm.Form, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.DisputeBounty(ctx, c.Caller, c.ID(), BountyReasonForm.Read(c.Values), c.Mark)
		}),
		step("resolve", "End a dispute", "End a dispute by a verdict; for arbiters.", VerdictForm.Form, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.ResolveBounty(ctx, c.Caller, c.ID(), VerdictForm.Read(c.Values), c.Mark)
		}),
		tool("propose", "Propose a payout", "Ask the team to approve a payout, where its policy says governance.", ProposeForm.Form, GovernanceReply{}, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.ProposePayout(ctx, c.Caller, c.ID(), ProposeForm.Read(c.Values), c.Mark)
		}),
		tool("vote", "Vote about a payout", "Approve or reject a payout that was proposed.", BallotForm.Form, GovernanceReply{}, func(ctx context.Context, c *endpoint.Call) (any, error) {
			return s.VotePayout(ctx, c.Caller, c.ID(), BallotForm.Read(c.Values), c.Mark)
		}),
	}
}

// bountyTexts are the members of a bounty, its task, work and proposal that others wrote.
var bountyTexts = []string{"title", "description", "reason", "solution", "proof"}
