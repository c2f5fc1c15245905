package stream

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
		{Method: "POST", Path: "/api/mesh/events/ticket", Summary: "Make a ticket that opens one stream, for clients that cannot send headers", Needs: auth.ByKey(ucan.EventRead, auth.TicketIsAKey),
			Bucket: limit.Write, Reply: (*TicketReply)(nil), Codes: []reason.Code{reason.LimitReached},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Ticket(r.Context(), r.Caller))
			}},
	}
}
