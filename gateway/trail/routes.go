package trail

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	return []endpoint.Route{
		{Method: "POST", Path: "/api/mesh/agent/{id}/audit", Summary: "Append to the caller's audit trail", Needs: auth.Own(ucan.TrailWrite), Bucket: limit.Write,
			Body: TrailForm.Form, Reply: (*AppendedReply)(nil), Once: true, Codes: []reason.Code{reason.MissingField, reason.AgentNotFound, reason.NotOwner},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.AppendTrail(r.Context(), r.Caller, r.ID(), TrailForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/mesh/agent/{id}/audit", Summary: "The caller's audit trail", Needs: auth.Own(ucan.TrailRead), Bucket: limit.Read,
			Query: TrailQuery.Form, Reply: (*TrailReply)(nil), List: true, Cache: endpoint.Private,
			Codes: []reason.Code{reason.InvalidCursor, reason.AgentNotFound, reason.NotOwner},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Trail(r.Context(), r.Caller, r.ID(), TrailQuery.Read(r.Values)))
			}},
	}
}
