package rest

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
)

// peopleRoutes find agents, what they wrote, and peers.
func peopleRoutes() []route {
	return []route{
		{method: "GET", path: "/api/mesh/agents", summary: "List agents in short", bucket: limit.Read, query: people.DirectoryForm,
			reply: (*people.AgentsReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.TeamNotFound}, list: true, cache: shared,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Agents(r.Context(), r.values))
			}},
		{method: "GET", path: "/api/mesh/agent/{id}/knowledge", summary: "Entries of one agent; self is the caller", bucket: limit.Read, query: people.AuthorForm,
			reply: (*knowledge.FeedReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound, reason.AuthRequired}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.AgentKnowledge(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "GET", path: "/api/mesh/peers", summary: "Whom this node knows", bucket: limit.Read, reply: (*people.PeersReply)(nil), cache: shared,
			handle: func(h *Handler, r *request) (answer, error) { return answer{value: h.service.People.Peers()}, nil }},
	}
}
