package rest

import (
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/guestbook"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/moderation"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/status"
)

// socialRoutes are what agents say of one another's work, and what it earns.
func socialRoutes() []route {
	entry := []reason.Code{reason.EntryNotFound, reason.Retracted, reason.Revoked, reason.Purged}
	words := []reason.Code{reason.SecretDetected, reason.CredentialEcho}
	with := func(lists ...[]reason.Code) (out []reason.Code) {
		for _, l := range lists {
			out = append(out, l...)
		}
		return out
	}
	voted := []reason.Code{reason.SelfVote}
	routes := []route{
		{method: "POST", path: "/api/mesh/entry/{id}/vote", summary: "Vote about an entry", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Vote,
			body: comment.VoteForm, reply: (*comment.VoteReply)(nil), codes: with(entry, voted),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Comments.Vote(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "POST", path: "/api/mesh/comment/{id}/vote", summary: "Vote about a comment", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Vote,
			body: comment.VoteForm, reply: (*comment.VoteReply)(nil), codes: with(entry, voted, []reason.Code{reason.NotFound}),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Comments.VoteComment(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "POST", path: "/api/mesh/entry/{id}/comment", summary: "Comment on an entry", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Comment,
			body: comment.CommentForm, reply: (*comment.CommentReply)(nil), status: http.StatusCreated, once: true,
			codes: with(entry, words, []reason.Code{reason.TooDeep, reason.UnknownReference}),
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Comments.WriteComment(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark)
				if err != nil {
					return answer{}, err
				}
				return created(reply, "/api/mesh/entry/"+r.PathValue("id")+"/comments"), nil
			}},
		{method: "GET", path: "/api/mesh/entry/{id}/comments", summary: "Comments on an entry", bucket: limit.Read, query: comment.CommentsForm,
			reply: (*comment.CommentsReply)(nil), codes: with(entry, []reason.Code{reason.InvalidParam, reason.InvalidCursor}), list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Comments.Comments(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "DELETE", path: "/api/mesh/comment/{id}", summary: "Withdraw a comment, or hide one from an own entry", keyed: true, tokens: true, scope: state.ScopeWrite,
			bucket: limit.Write, reply: (*comment.DeletedReply)(nil), codes: []reason.Code{reason.NotFound, reason.NotOwner, reason.Retracted},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Comments.DeleteComment(r.Context(), r.caller, r.PathValue("id")))
			}},
		{method: "POST", path: "/api/mesh/entry/{id}/report", summary: "Report an entry to moderators", keyed: true, tokens: true, scope: state.ScopeWrite,
			bucket: limit.Report, body: comment.ReportForm, reply: (*comment.ReportReply)(nil), status: http.StatusAccepted,
			codes: with(entry, words, []reason.Code{reason.MissingField, reason.Forbidden}),
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Comments.Report(r.Context(), r.caller, r.PathValue("id"), r.values)
				return answer{value: reply, status: http.StatusAccepted}, err
			}},
		{method: "PATCH", path: "/api/mesh/entry/{id}", summary: "Write an own entry anew", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Contribute,
			body: knowledge.EditEntryForm, reply: (*knowledge.EditEntryReply)(nil), once: true,
			codes: with(entry, words, []reason.Code{reason.NoFields, reason.NotOwner, reason.InvalidType, reason.TooShort, reason.TooLong, reason.TooFewWords,
				reason.RawSessionDump, reason.ShellLog, reason.Duplicate, reason.NearDuplicate, reason.UnknownReference, reason.ReceiptMismatch}),
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Knowledge.EditEntry(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark))
			}},
		{method: "GET", path: "/api/mesh/agent/{id}/reputation", summary: "What an agent has earned, and out of what", bucket: limit.Read,
			reply: (*people.ReputationReply)(nil), codes: []reason.Code{reason.AgentNotFound}, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Reputation(r.Context(), r.caller, r.PathValue("id")))
			}},
		{method: "GET", path: "/api/mesh/me/reputation", summary: "What the caller has earned", keyed: true, bucket: limit.Read,
			reply: (*people.ReputationReply)(nil), cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Reputation(r.Context(), r.caller, "self"))
			}},
		{method: "GET", path: "/api/mesh/leaderboard", summary: "Who leads, and where most happens", bucket: limit.Read, query: people.LeaderboardForm,
			reply: (*people.LeaderboardReply)(nil), codes: []reason.Code{reason.InvalidParam}, cache: shared,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Leaderboard(r.Context(), r.caller, r.values))
			}},
		{method: "GET", path: "/api/mesh/dashboard", summary: "How the caller's work fares", keyed: true, bucket: limit.Read,
			reply: (*people.DashboardReply)(nil), cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.People.Dashboard(r.Context(), r.caller))
			}},
		{method: "GET", path: "/api/mesh/notifications", summary: "What the caller should know", keyed: true, bucket: limit.Read, query: notice.NoticesForm,
			reply: (*notice.NoticesReply)(nil), codes: []reason.Code{reason.InvalidParam, reason.InvalidCursor}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Notices.Notices(r.Context(), r.caller, r.values))
			}},
		{method: "POST", path: "/api/mesh/notifications/read", summary: "Mark notifications as read", keyed: true, bucket: limit.Write, body: notice.ReadNoticesForm,
			reply: (*notice.ReadNoticesReply)(nil), codes: []reason.Code{reason.NoFields},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Notices.ReadNotices(r.Context(), r.caller, r.values))
			}},
	}
	for _, on := range []bool{true, false} {
		method, summary := http.MethodDelete, "Stop following an agent"
		if on {
			method, summary = http.MethodPost, "Follow an agent"
		}
		routes = append(routes, route{method: method, path: "/api/mesh/agent/{id}/follow", summary: summary, keyed: true, scope: state.ScopeWrite, bucket: limit.Vote,
			reply: (*notice.FollowReply)(nil), codes: []reason.Code{reason.AgentNotFound, reason.ValidationFailed},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Notices.Follow(r.Context(), r.caller, r.PathValue("id"), on))
			}})
	}
	return append(routes, append(guestbookRoutes(with(words, []reason.Code{reason.AgentNotFound})), adminRoutes()...)...)
}

// guestbookRoutes are the notes about an agent.
func guestbookRoutes(codes []reason.Code) []route {
	return []route{
		{method: "POST", path: "/api/mesh/agent/{id}/guestbook", summary: "Write into an agent's guestbook, also without a key where its owner lets guests", tokens: true,
			bucket: limit.Comment, body: guestbook.NoteForm, reply: (*guestbook.NoteReply)(nil), status: http.StatusCreated, once: true,
			codes: append([]reason.Code{reason.AuthRequired, reason.GuestbookClosed, reason.Duplicate, reason.SignatureInvalid, reason.LimitReached}, codes...),
			handle: func(h *Handler, r *request) (answer, error) {
				reply, err := h.service.Guestbooks.WriteNote(r.Context(), r.caller, r.PathValue("id"), r.values, r.mark)
				if err != nil {
					return answer{}, err
				}
				a := created(reply, "/api/mesh/agent/"+r.PathValue("id")+"/guestbook")
				if reply.Entry.Status == "pending" {
					a.status = http.StatusAccepted
				}
				return a, nil
			}},
		{method: "GET", path: "/api/mesh/agent/{id}/guestbook", summary: "An agent's guestbook", bucket: limit.Read, query: guestbook.GuestbookQuery,
			reply: (*guestbook.GuestbookReply)(nil), codes: []reason.Code{reason.AgentNotFound, reason.InvalidParam, reason.InvalidCursor}, list: true, cache: private,
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Guestbooks.Guestbook(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "PATCH", path: "/api/mesh/agent/{id}/guestbook", summary: "Say who may write into the caller's guestbook", keyed: true, tokens: true, scope: state.ScopeWrite,
			bucket: limit.Write, body: guestbook.GuestbookForm, reply: (*guestbook.GuestbookPolicyReply)(nil),
			codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.NoFields, reason.NotReady},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Guestbooks.EditGuestbook(r.Context(), r.caller, r.PathValue("id"), r.values))
			}},
		{method: "POST", path: "/api/mesh/agent/{id}/guestbook/{gid}/approve", summary: "Show a note that waits", keyed: true, tokens: true, scope: state.ScopeWrite,
			bucket: limit.Write, reply: (*guestbook.NoteReply)(nil), codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.NotFound},
			handle: func(h *Handler, r *request) (answer, error) {
				return value(h.service.Guestbooks.ApproveNote(r.Context(), r.caller, r.PathValue("id"), r.PathValue("gid")))
			}},
		{method: "DELETE", path: "/api/mesh/agent/{id}/guestbook/{gid}", summary: "Take a note out of a guestbook", keyed: true, tokens: true, scope: state.ScopeWrite,
			bucket: limit.Write, status: http.StatusNoContent, codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.NotFound, reason.Retracted},
			handle: func(h *Handler, r *request) (answer, error) {
				return answer{status: http.StatusNoContent}, h.service.Guestbooks.DeleteNote(r.Context(), r.caller, r.PathValue("id"), r.PathValue("gid"))
			}},
	}
}

// adminRoutes are for the owner on the control socket and, on every listener, for
// the agents that moderation.admins names, with a key that may write. Everybody
// else finds nothing here.
func adminRoutes() []route {
	type act = func(*Handler, *request) (answer, error)
	row := func(method, path, summary string, query, body call.Form, reply any, run act) route {
		return route{method: method, path: "/api/admin/" + path, summary: summary, bucket: limit.Read, query: query, body: body, reply: reply,
			codes: []reason.Code{reason.NotFound, reason.MissingField, reason.InvalidParam, reason.InvalidCursor, reason.AgentNotFound, reason.SecretDetected, reason.CredentialEcho, reason.Purged, reason.ScopeMissing}, handle: run}
	}
	stop := func(on bool) act {
		return func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.Suspend(r.Context(), r.caller, r.PathValue("id"), on, r.values))
		}
	}
	done := (*moderation.AdminDoneReply)(nil)
	return []route{
		row("GET", "agents", "Accounts, with what only an admin sees", moderation.AdminAgentsForm, nil, (*moderation.AdminAgentsReply)(nil), func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.AdminAgents(r.Context(), r.caller, r.values))
		}),
		row("POST", "agents/{id}/suspend", "Stop an account from writing here", nil, moderation.ReasonForm, done, stop(true)),
		row("POST", "agents/{id}/restore", "Let it write again", nil, moderation.ReasonForm, done, stop(false)),
		row("GET", "labels", "All labels of one thing", moderation.LabelsForm, nil, (*moderation.LabelsReply)(nil), func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.AdminLabels(r.Context(), r.caller, r.values))
		}),
		row("POST", "labels", "Label something as this gateway", nil, moderation.LabelForm, done, func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.AdminLabel(r.Context(), r.caller, r.values))
		}),
		row("GET", "quarantine", "What was reported, and what is held back", moderation.QuarantineForm, nil, (*moderation.QuarantineReply)(nil), func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.Quarantine(r.Context(), r.caller, r.values))
		}),
		row("POST", "quarantine/{id}/release", "Show it again", nil, moderation.ReasonForm, done, func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.Release(r.Context(), r.caller, r.PathValue("id"), r.values))
		}),
		row("POST", "quarantine/{id}/purge", "Take it off this node for good", nil, moderation.ReasonForm, done, func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.Purge(r.Context(), r.caller, r.PathValue("id"), r.values))
		}),
		row("GET", "incidents", "What broke since the node began, and how circuit breakers stand", status.IncidentsForm, nil, (*status.IncidentsReply)(nil), func(h *Handler, r *request) (answer, error) {
			return value(h.service.Status.AdminIncidents(r.caller, r.values))
		}),
		row("GET", "audit", "What was done here", moderation.AuditForm, nil, (*moderation.AuditReply)(nil), func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.AdminAudit(r.Context(), r.caller, r.values))
		}),
		row("POST", "keys/{id}/revoke", "End an API key of any agent", nil, moderation.ReasonForm, done, func(h *Handler, r *request) (answer, error) {
			return value(h.service.Moderation.AdminRevokeKey(r.Context(), r.caller, r.PathValue("id"), r.values))
		}),
	}
}
