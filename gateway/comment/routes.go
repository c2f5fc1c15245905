package comment

import (
	"net/http"
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		{Method: "POST", Path: "/api/mesh/entry/{id}/vote", Summary: "Vote about an entry", Needs: auth.Own(ucan.VoteCast), Bucket: limit.Vote,
			Body: VoteForm.Form, Reply: (*VoteReply)(nil), Codes: endpoint.With(endpoint.EntryCodes, reason.SelfVote),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Vote(r.Context(), r.Caller, r.ID(), VoteForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/comment/{id}/vote", Summary: "Vote about a comment", Needs: auth.Own(ucan.VoteCast), Bucket: limit.Vote,
			Body: VoteForm.Form, Reply: (*VoteReply)(nil), Codes: endpoint.With(endpoint.EntryCodes, reason.SelfVote, reason.NotFound),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.VoteComment(r.Context(), r.Caller, r.ID(), VoteForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/entry/{id}/comment", Summary: "Comment on an entry", Needs: auth.Own(ucan.CommentAdd), Bucket: limit.Comment,
			Body: CommentForm.Form, Reply: (*CommentReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: slices.Concat(endpoint.EntryCodes, endpoint.SecretCodes, []reason.Code{reason.TooDeep, reason.UnknownReference}),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.WriteComment(r.Context(), r.Caller, r.ID(), CommentForm.Read(r.Values), r.Mark)
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Created(reply, "/api/mesh/entry/"+r.ID()+"/comments"), nil
			}},
		{Method: "GET", Path: "/api/mesh/entry/{id}/comments", Summary: "Comments on an entry", Needs: auth.Everybody(auth.Commons, ucan.EntryRead), Bucket: limit.Read, Query: CommentsForm.Form,
			Reply: (*CommentsReply)(nil), Codes: endpoint.With(endpoint.EntryCodes, reason.InvalidParam, reason.InvalidCursor), List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Comments(r.Context(), r.Caller, r.ID(), CommentsForm.Read(r.Values)))
			}},
		{Method: "DELETE", Path: "/api/mesh/comment/{id}", Summary: "Withdraw a comment, or hide one from an own entry", Needs: auth.Own(ucan.EntryRetract),
			Bucket: limit.Write, Reply: (*DeletedReply)(nil), Codes: []reason.Code{reason.NotFound, reason.NotOwner, reason.Retracted},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.DeleteComment(r.Context(), r.Caller, r.ID()))
			}},
		{Method: "POST", Path: "/api/mesh/entry/{id}/report", Summary: "Report an entry to moderators", Needs: auth.Own(ucan.Label),
			Bucket: limit.Report, Body: ReportForm.Form, Reply: (*ReportReply)(nil), Status: http.StatusAccepted,
			Codes: slices.Concat(endpoint.EntryCodes, endpoint.SecretCodes, []reason.Code{reason.MissingField, reason.Forbidden}),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.Report(r.Context(), r.Caller, r.ID(), ReportForm.Read(r.Values))
				return endpoint.Answer{Value: reply, Status: http.StatusAccepted}, err
			}},
	}
}
