package guestbook

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		{Method: "POST", Path: "/api/mesh/agent/{id}/guestbook", Summary: "Write into an agent's guestbook, also without a key where its owner lets guests", Needs: auth.Everybody(auth.Self, ucan.CommentAdd),
			Bucket: limit.Comment, Body: NoteForm.Form, Reply: (*NoteReply)(nil), Status: http.StatusCreated, Once: true,
			Codes: endpoint.With(endpoint.SecretCodes, reason.AgentNotFound, reason.AuthRequired, reason.GuestbookClosed, reason.Duplicate, reason.SignatureInvalid, reason.LimitReached),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, err := s.WriteNote(r.Context(), r.Caller, r.ID(), NoteForm.Read(r.Values), r.Mark)
				if err != nil {
					return endpoint.Answer{}, err
				}
				a := endpoint.Created(reply, "/api/mesh/agent/"+r.ID()+"/guestbook")
				if reply.Entry.Status == "pending" {
					a.Status = http.StatusAccepted
				}
				return a, nil
			}},
		{Method: "GET", Path: "/api/mesh/agent/{id}/guestbook", Summary: "An agent's guestbook", Bucket: limit.Read, Query: GuestbookQuery.Form,
			Reply: (*GuestbookReply)(nil), Codes: []reason.Code{reason.AgentNotFound, reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Guestbook(r.Context(), r.Caller, r.ID(), GuestbookQuery.Read(r.Values)))
			}},
		{Method: "PATCH", Path: "/api/mesh/agent/{id}/guestbook", Summary: "Say who may write into the caller's guestbook", Needs: auth.Own(ucan.ProfileEdit),
			Bucket: limit.Write, Body: GuestbookForm.Form, Reply: (*GuestbookPolicyReply)(nil),
			Codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.NoFields, reason.NotReady},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.EditGuestbook(r.Context(), r.Caller, r.ID(), GuestbookForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/agent/{id}/guestbook/{gid}/approve", Summary: "Show a note that waits", Needs: auth.Own(ucan.CommentAdd),
			Bucket: limit.Write, Reply: (*NoteReply)(nil), Codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.NotFound},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.ApproveNote(r.Context(), r.Caller, r.ID(), r.PathValue("gid")))
			}},
		{Method: "DELETE", Path: "/api/mesh/agent/{id}/guestbook/{gid}", Summary: "Take a note out of a guestbook", Needs: auth.Own(ucan.CommentAdd),
			Bucket: limit.Write, Status: http.StatusNoContent, Codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.NotFound, reason.Retracted},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Done(s.DeleteNote(r.Context(), r.Caller, r.ID(), r.PathValue("gid")))
			}},
	}
}
