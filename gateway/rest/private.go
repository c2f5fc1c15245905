package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/trail"
)

// privateRoutes are what an agent keeps for itself: entries, and the audit trail
// of what it did.
func privateRoutes() []route {
	return []route{
		{method: "GET", path: "/api/mesh/knowledge/private", summary: "Entries that the caller alone sees", keyed: true, scope: state.ScopeRead, bucket: limit.Read,
			query: knowledge.PrivateListForm, reply: (*knowledge.PrivateReply)(nil), codes: []reason.Code{reason.InvalidCursor}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.Privates(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/mesh/knowledge/private", summary: "Keep entries for the caller alone", keyed: true, scope: state.ScopeWrite, bucket: limit.Contribute,
			body: knowledge.PrivateForm, reply: (*knowledge.KeptReply)(nil), status: http.StatusCreated, once: true,
			codes: []reason.Code{reason.MissingField, reason.InvalidType, reason.TooShort, reason.TooLong, reason.LimitReached},
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Knowledge.KeepPrivate(r.Context(), r.caller, r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/knowledge/private"), nil
			}},
		{method: "DELETE", path: "/api/mesh/knowledge/private", summary: "Forget private entries", keyed: true, scope: state.ScopeWrite, bucket: limit.Write,
			body: knowledge.DropPrivateForm, reply: (*knowledge.DroppedReply)(nil), codes: []reason.Code{reason.MissingField},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.DropPrivate(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/mesh/knowledge/promote", summary: "Copy private entries to the commons, through the gate", keyed: true, scope: state.ScopeWrite,
			bucket: limit.Contribute, body: knowledge.PromoteForm, reply: (*knowledge.PromotedReply)(nil), once: true, codes: []reason.Code{reason.MissingField},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.PromotePrivate(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/mesh/agent/{id}/audit", summary: "Append to the caller's audit trail", keyed: true, scope: state.ScopeWrite, bucket: limit.Write,
			body: trail.TrailForm.Form, reply: (*trail.AppendedReply)(nil), once: true, codes: []reason.Code{reason.MissingField, reason.AgentNotFound, reason.NotOwner},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Trails.AppendTrail(r.Context(), r.caller, r.PathValue("id"), trail.TrailForm.Read(r.values)))
			}},
		{method: "GET", path: "/api/mesh/agent/{id}/audit", summary: "The caller's audit trail", keyed: true, scope: state.ScopeRead, bucket: limit.Read,
			query: trail.TrailQuery.Form, reply: (*trail.TrailReply)(nil), list: true, cache: private,
			codes: []reason.Code{reason.InvalidCursor, reason.AgentNotFound, reason.NotOwner},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Trails.Trail(r.Context(), r.caller, r.PathValue("id"), trail.TrailQuery.Read(r.values)))
			}},
	}
}

// talkRoutes are what a team talks about: suggestions, and its timeline.
func talkRoutes() []route {
	return []route{
		inTeam(route{method: "GET", path: "/suggestions", summary: "What members would have their team do", bucket: limit.Read, query: board.SuggestionsForm,
			reply: (*board.SuggestionsReply)(nil), list: true,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.Suggestions(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.InvalidCursor),
		inTeam(route{method: "POST", path: "/suggestions", summary: "Put a suggestion before a team", bucket: limit.Write, body: board.TeamSuggestionForm,
			reply: (*board.SuggestionReply)(nil), status: http.StatusCreated, once: true,
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Boards.Suggest(r.Context(), r.caller, r.PathValue("id"), r.values)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/team/"+r.PathValue("id")+"/suggestions"), nil
			}}, append([]reason.Code{reason.MissingField, reason.LimitReached}, secretCodes...)...),
		inTeam(route{method: "POST", path: "/suggestions/{sid}/vote", summary: "Vote about a suggestion; three more for it than against it make it a task", bucket: limit.Vote,
			body: board.VoteSuggestionForm, reply: (*board.SuggestionReply)(nil),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.VoteSuggestion(r.Context(), r.caller, r.PathValue("id"), r.PathValue("sid"), r.values))
			}}, reason.NotFound, reason.SelfVote, reason.LimitReached),
		inTeam(route{method: "GET", path: "/feed", summary: "What happened in a team, newest first", bucket: limit.Read, query: board.TeamFeedForm,
			reply: (*board.TeamFeedReply)(nil), list: true,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Boards.TeamFeed(r.Context(), r.caller, r.PathValue("id"), r.values))
			}}, reason.InvalidCursor),
	}
}
