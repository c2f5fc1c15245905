package notice

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	follow := func(method, summary string, on bool) endpoint.Route {
		return endpoint.Route{Method: method, Path: "/api/mesh/agent/{id}/follow", Summary: summary, Needs: auth.Own(ucan.VoteCast), Bucket: limit.Vote,
			Reply: (*FollowReply)(nil), Codes: []reason.Code{reason.AgentNotFound, reason.ValidationFailed},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Follow(r.Context(), r.Caller, r.ID(), on))
			}}
	}
	return []endpoint.Route{
		follow("POST", "Follow an agent", true),
		follow("DELETE", "Stop following an agent", false),
		{Method: "GET", Path: "/api/mesh/notifications", Summary: "What the caller should know", Needs: auth.OwnPart("notifications", ucan.NoticeRead), Bucket: limit.Read, Query: NoticesForm.Form,
			Reply: (*NoticesReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, List: true, Cache: endpoint.Private,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Notices(r.Context(), r.Caller, NoticesForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/mesh/notifications/read", Summary: "Mark notifications as read", Needs: auth.OwnPart("notifications", ucan.NoticeRead), Bucket: limit.Write, Body: ReadNoticesForm.Form,
			Reply: (*ReadNoticesReply)(nil), Codes: []reason.Code{reason.NoFields},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.ReadNotices(r.Context(), r.Caller, ReadNoticesForm.Read(r.Values)))
			}},
	}
}
