package rest

import (
	"context"
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
)

// Codes that every step of a bounty may be refused with.
var bountyCodes = []reason.Code{reason.BountyNotFound, reason.BadTransition, reason.SettlementUnavailable, reason.Forbidden, reason.NotAMember}

// bountyRoutes are the bounties of guilds.
func bountyRoutes() []route {
	lifecycle := route{method: "GET", path: "/api/mesh/bounties/{id}/lifecycle", summary: "One bounty: state, submissions, votes, and what the caller may do",
		bucket: limit.Read, reply: (*bounty.LifecycleReply)(nil), codes: []reason.Code{reason.BountyNotFound}, cache: private,
		handle: func(h *Handler, r *request) (answer, error) {
			return value(h.service.Bounties.BountyLifecycle(r.Context(), r.caller, r.PathValue("id")))
		}}
	return append([]route{lifecycle,
		{method: "GET", path: "/api/mesh/bounties", summary: "List bounties", bucket: limit.Read, query: bounty.BountiesForm,
			reply: (*bounty.BountiesReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.TeamNotFound}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Bounties.Bounties(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/mesh/bounties", summary: "Open a bounty; its reward is taken from the caller", keyed: true, scope: state.ScopeBounty,
			bucket: limit.Write, body: bounty.NewBountyForm, reply: (*bounty.NewBountyReply)(nil), status: http.StatusCreated, once: true,
			codes: []reason.Code{reason.TeamNotFound, reason.TaskNotFound, reason.NotAMember, reason.Forbidden, reason.InsufficientCredits,
				reason.SettlementUnavailable, reason.SecretDetected, reason.CredentialEcho},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Bounties.OpenBounty(r.Context(), r.caller, r.values, r.mark)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/bounties/"+reply.Bounty.ID+"/lifecycle"), nil
			}},
		{method: "POST", path: "/api/mesh/bounties/{id}/submit", summary: "Hand a solution in; an open bounty is claimed first", keyed: true,
			scope: state.ScopeBounty, bucket: limit.Write, body: bounty.SubmitForm, reply: (*bounty.SubmissionReply)(nil), status: http.StatusCreated, once: true,
			codes: append([]reason.Code{reason.NotClaimant, reason.BountyExpired, reason.AlreadyClaimed, reason.SelfDeal, reason.LimitReached, reason.Banned,
				reason.SecretDetected, reason.CredentialEcho, reason.UnknownReference}, bountyCodes...),
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Bounties.SubmitWork(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/bounties/"+r.PathValue("id")+"/lifecycle"), nil
			}},
		{method: "POST", path: "/api/mesh/bounties/{id}/payout", summary: "Pay the live submission, accepting it first", keyed: true,
			scope: state.ScopeBounty, bucket: limit.Write, body: bounty.WorkForm, reply: (*bounty.PayoutReply)(nil), once: true,
			codes: append([]reason.Code{reason.SubmissionNotFound, reason.GovernanceRequired}, bountyCodes...),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Bounties.PayBounty(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark))
			}},
	}, bountySteps()...)
}

// bountySteps are the steps that answer with the bounty.
func bountySteps() []route {
	type use = func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error)
	step := func(name, summary string, body call.Form, run use, codes ...reason.Code) route {
		return route{method: "POST", path: "/api/mesh/bounties/{id}/" + name, summary: summary, keyed: true, scope: state.ScopeBounty, bucket: limit.Write,
			body: body, reply: (*bounty.BountyReply)(nil), once: true, codes: append(codes, bountyCodes...),
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := run(h.service, r.Context(), r, r.PathValue("id"))
				if err != nil {
					return answer{}, err
				}
				if !reply.Confirmed {
					return answer{status: http.StatusAccepted, value: reply}, nil
				}
				return answer{value: reply}, nil
			}}
	}
	govern := func(name, summary string, form call.Form, run func(h *Handler, r *request) (*bounty.GovernanceReply, error), codes ...reason.Code) route {
		return route{method: "POST", path: "/api/mesh/bounties/{id}/governance/" + name, summary: summary, keyed: true, scope: state.ScopeBounty,
			bucket: limit.Write, body: form, reply: (*bounty.GovernanceReply)(nil), once: true, codes: append(codes, bountyCodes...),
			handle: func(h *Handler, r *request) (answer, error) { return value(run(h, r)) }}
	}
	return []route{
		step("claim", "Claim a bounty for 72 hours", nil, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.ClaimBounty(ctx, r.caller, id, r.mark)
		}, reason.AlreadyClaimed, reason.BountyExpired, reason.SelfDeal, reason.LimitReached, reason.Banned),
		step("release", "Give a claim back", nil, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.ReleaseBounty(ctx, r.caller, id, r.mark)
		}, reason.NotClaimant),
		step("request-changes", "Ask the claimant for more", bounty.BountyReasonForm, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.RequestChanges(ctx, r.caller, id, r.values, r.mark)
		}, reason.LimitReached, reason.SecretDetected, reason.CredentialEcho),
		step("accept", "Accept the live submission", bounty.WorkForm, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.AcceptWork(ctx, r.caller, id, r.values, r.mark)
		}, reason.SubmissionNotFound),
		step("cancel", "Take an open bounty back", nil, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.CancelBounty(ctx, r.caller, id, r.mark)
		}),
		step("dispute", "Ask for an arbiter", bounty.BountyReasonForm, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.DisputeBounty(ctx, r.caller, id, r.values, r.mark)
		}, reason.SecretDetected, reason.CredentialEcho),
		step("resolve", "End a dispute by a verdict", bounty.VerdictForm, func(s *service.Service, ctx context.Context, r *request, id string) (*bounty.BountyReply, error) {
			return s.Bounties.ResolveBounty(ctx, r.caller, id, r.values, r.mark)
		}, reason.SecretDetected, reason.CredentialEcho),
		govern("propose", "Ask the team to approve the payout", bounty.ProposeForm, func(h *Handler, r *request) (*bounty.GovernanceReply, error) {
			return h.service.Bounties.ProposePayout(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark)
		}, reason.SecretDetected, reason.CredentialEcho),
		govern("vote", "Vote about the payout", bounty.BallotForm, func(h *Handler, r *request) (*bounty.GovernanceReply, error) {
			return h.service.Bounties.VotePayout(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark)
		}),
	}
}
