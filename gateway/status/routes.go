package status

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	incidents := endpoint.AdminRoute("GET", "incidents", "What broke since the node began, and how circuit breakers stand")
	incidents.Query, incidents.Reply = IncidentsForm.Form, (*IncidentsReply)(nil)
	incidents.Handle = func(r *endpoint.Request) (endpoint.Answer, error) {
		return endpoint.Value(s.AdminIncidents(r.Caller, IncidentsForm.Read(r.Values)))
	}
	return []endpoint.Route{
		{Method: "GET", Path: "/livez", Summary: "Alive", Handle: func(*endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Answer{Raw: []byte("ok\n"), Kind: "text/plain; charset=utf-8"}, nil
		}},
		{Method: "GET", Path: "/api/mesh/health", Summary: "Health, in short", Bucket: limit.Read, Reply: (*MeshHealthReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Answer{Value: s.MeshHealth()}, nil }},
		{Method: "GET", Path: "/api/health", Summary: "Health of the node and its parts", Bucket: limit.Read, Reply: (*HealthReply)(nil),
			Codes: []reason.Code{}, Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply, ready := s.Health()
				return endpoint.Answer{Value: reply, Status: readyStatus(ready)}, nil
			}},
		{Method: "GET", Path: "/readyz", Summary: "Ready for traffic", Reply: (*ReadyReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				reply := s.Ready()
				return endpoint.Answer{Value: reply, Status: readyStatus(reply.Ready)}, nil
			}},
		{Method: "GET", Path: "/healthz", Summary: "How the node is, for admins with what is behind it; 200 whatever it says", Reply: (*HealthzReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Answer{Value: s.Healthz(r.Caller)}, nil
			}},
		{Method: "GET", Path: "/version", Summary: "Name and version of the program", Reply: (*VersionReply)(nil),
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Answer{Value: s.Version()}, nil }},
		incidents,
	}
}

func readyStatus(ready bool) int {
	if ready {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}
