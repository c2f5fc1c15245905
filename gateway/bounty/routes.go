package bounty

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// bountyCodes are what every step of a bounty may be refused with.
var bountyCodes = []reason.Code{reason.BountyNotFound, reason.BadTransition, reason.SettlementUnavailable, reason.Forbidden, reason.NotAMember}

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return append([]endpoint.Route{
		{Method: "GET", Path: "/api/mesh/bounties/{id}/lifecycle", Summary: "One bounty: state, submissions, votes, and what the caller may do", Needs: auth.Everybody(auth.Commons, ucan.EntryRead),
			Bucket: limit.Read, Reply: (*LifecycleReply)(nil), Codes: []reason.Code{reason.BountyNotFound}, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.BountyLifecycle(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "GET", Path: "/api/mesh/bounties", Summary: "List bounties", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Query: BountiesForm.Form,
			Reply: (*BountiesReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.TeamNotFound}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Bounties(r.Context(), r.Caller, BountiesForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/bounties", Summary: "Open a bounty; its reward is taken from the caller", Needs: auth.Own(ucan.BountyAct),
			Bucket: limit.Write, Body: NewBountyForm.Form, Reply: (*NewBountyReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: []reason.Code{reason.TeamNotFound, reason.TaskNotFound, reason.NotAMember, reason.Forbidden, reason.InsufficientCredits,
				reason.SettlementUnavailable, reason.SecretDetected, reason.CredentialEcho},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.OpenBounty(r.Context(), r.Caller, NewBountyForm.Read(r.Values), r.Mark)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/bounties/"+reply.Bounty.ID+"/lifecycle"), nil
			}},
		{Method: "POST", Path: "/api/mesh/bounties/{id}/submit", Summary: "Hand a solution in; an open bounty is claimed first", Needs: auth.Own(ucan.BountyAct),
			Bucket: limit.Write, Body: SubmitForm.Form, Reply: (*SubmissionReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: append([]reason.Code{reason.NotClaimant, reason.BountyExpired, reason.AlreadyClaimed, reason.SelfDeal, reason.LimitReached, reason.Banned,
				reason.SecretDetected, reason.CredentialEcho, reason.UnknownReference}, bountyCodes...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.SubmitWork(r.Context(), r.Caller, r.ID(), SubmitForm.Read(r.Values), r.Mark)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/bounties/"+r.ID()+"/lifecycle"), nil
			}},
		{Method: "POST", Path: "/api/mesh/bounties/{id}/payout", Summary: "Pay the live submission, accepting it first", Needs: auth.Own(ucan.BountyAct),
			Bucket: limit.Write, Body: WorkForm.Form, Reply: (*PayoutReply)(nil), Once: true,
			Codes: append([]reason.Code{reason.SubmissionNotFound, reason.GovernanceRequired}, bountyCodes...),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.PayBounty(r.Context(), r.Caller, r.ID(), WorkForm.Read(r.Values), r.Mark))
			}},
	}, stepRoutes(s)...)
}

// stepRoutes are those of a bounty's life after it was opened.
func stepRoutes(s *Service) []endpoint.Route {
	row := func(name, summary string, form call.Form, reply any, codes []reason.Code, handle func(*endpoint.Request) (endpoint.Answer, error)) endpoint.Route {
		return endpoint.Route{Method: "POST", Path: "/api/mesh/bounties/{id}/" + name, Summary: summary, Needs: auth.Own(ucan.BountyAct), Bucket: limit.Write,
			Body: form, Reply: reply, Once: true, Codes: endpoint.With(bountyCodes, codes...), Handle: handle}
	}
	step := func(name, summary string, form call.Form, run func(*endpoint.Request) (*BountyReply, error), codes ...reason.Code) endpoint.Route {
		return row(name, summary, form, (*BountyReply)(nil), codes, func(r *endpoint.Request) (endpoint.Answer, error) {
			reply, err := run(r)
			if err == nil && !reply.Confirmed {
				return endpoint.Answer{Status: http.StatusAccepted, Value: reply}, nil
			}
			return endpoint.Value(reply, err)
		})
	}
	govern := func(name, summary string, form call.Form, run func(*endpoint.Request) (*GovernanceReply, error), codes ...reason.Code) endpoint.Route {
		return row("governance/"+name, summary, form, (*GovernanceReply)(nil), codes, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(run(r))
		})
	}
	return []endpoint.Route{
		step("claim", "Claim a bounty for 72 hours", nil, func(r *endpoint.Request) (*BountyReply, error) {
			return s.ClaimBounty(r.Context(), r.Caller, r.ID(), r.Mark)
		}, reason.AlreadyClaimed, reason.BountyExpired, reason.SelfDeal, reason.LimitReached, reason.Banned),
		step("release", "Give a claim back", nil, func(r *endpoint.Request) (*BountyReply, error) {
			return s.ReleaseBounty(r.Context(), r.Caller, r.ID(), r.Mark)
		}, reason.NotClaimant),
		step("request-changes", "Ask the claimant for more", BountyReasonForm.Form, func(r *endpoint.Request) (*BountyReply, error) {
			return s.RequestChanges(r.Context(), r.Caller, r.ID(), BountyReasonForm.Read(r.Values), r.Mark)
		}, reason.LimitReached, reason.SecretDetected, reason.CredentialEcho),
		step("accept", "Accept the live submission", WorkForm.Form, func(r *endpoint.Request) (*BountyReply, error) {
			return s.AcceptWork(r.Context(), r.Caller, r.ID(), WorkForm.Read(r.Values), r.Mark)
		}, reason.SubmissionNotFound),
		step("cancel", "Take an open bounty back", nil, func(r *endpoint.Request) (*BountyReply, error) {
			return s.CancelBounty(r.Context(), r.Caller, r.ID(), r.Mark)
		}),
		step("dispute", "Ask for an arbiter", BountyReasonForm.Form, func(r *endpoint.Request) (*BountyReply, error) {
			return s.DisputeBounty(r.Context(), r.Caller, r.ID(), BountyReasonForm.Read(r.Values), r.Mark)
		}, endpoint.SecretCodes...),
		step("resolve", "End a dispute by a verdict", VerdictForm.Form, func(r *endpoint.Request) (*BountyReply, error) {
			return s.ResolveBounty(r.Context(), r.Caller, r.ID(), VerdictForm.Read(r.Values), r.Mark)
		}, endpoint.SecretCodes...),
		govern("propose", "Ask the team to approve the payout", ProposeForm.Form, func(r *endpoint.Request) (*GovernanceReply, error) {
			return s.ProposePayout(r.Context(), r.Caller, r.ID(), ProposeForm.Read(r.Values), r.Mark)
		}, endpoint.SecretCodes...),
		govern("vote", "Vote about the payout", BallotForm.Form, func(r *endpoint.Request) (*GovernanceReply, error) {
			return s.VotePayout(r.Context(), r.Caller, r.ID(), BallotForm.Read(r.Values), r.Mark)
		}),
	}
}
