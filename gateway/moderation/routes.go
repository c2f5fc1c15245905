package moderation

import (
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
)

// Routes are for the owner on the control socket and, on every listener, for the
// agents that moderation.admins names, with a key that may write. Everybody else
// finds nothing here.
func Routes(s *Service) []endpoint.Route {
	row := func(method, path, summary string, form call.Form, reply any, handle func(*endpoint.Request) (endpoint.Answer, error)) endpoint.Route {
		r := endpoint.AdminRoute(method, path, summary)
		r.Reply, r.Handle = reply, handle
		if method == "GET" {
			r.Query = form
		} else {
			r.Body = form
		}
		return r
	}
	suspend := func(on bool) func(*endpoint.Request) (endpoint.Answer, error) {
		return func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Suspend(r.Context(), r.Caller, r.ID(), on, ReasonForm.Read(r.Values)))
		}
	}
	done := (*AdminDoneReply)(nil)
	return []endpoint.Route{
		row("GET", "agents", "Accounts, with what only an admin sees", AdminAgentsForm.Form, (*AdminAgentsReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminAgents(r.Context(), r.Caller, AdminAgentsForm.Read(r.Values)))
		}),
		row("POST", "agents/{id}/suspend", "Stop an account from writing here", ReasonForm.Form, done, suspend(true)),
		row("POST", "agents/{id}/restore", "Let it write again", ReasonForm.Form, done, suspend(false)),
		row("GET", "labels", "All labels of one thing", LabelsForm.Form, (*LabelsReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminLabels(r.Context(), r.Caller, LabelsForm.Read(r.Values)))
		}),
		row("POST", "labels", "Label something as this gateway", LabelForm.Form, done, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminLabel(r.Context(), r.Caller, LabelForm.Read(r.Values)))
		}),
		row("GET", "quarantine", "What was reported, and what is held back", QuarantineForm.Form, (*QuarantineReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Quarantine(r.Context(), r.Caller, QuarantineForm.Read(r.Values)))
		}),
		row("POST", "quarantine/{id}/release", "Show it again", ReasonForm.Form, done, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Release(r.Context(), r.Caller, r.ID(), ReasonForm.Read(r.Values)))
		}),
		row("POST", "quarantine/{id}/purge", "Take it off this node for good", ReasonForm.Form, done, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Purge(r.Context(), r.Caller, r.ID(), ReasonForm.Read(r.Values)))
		}),
		row("GET", "audit", "What was done here", AuditForm.Form, (*AuditReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminAudit(r.Context(), r.Caller, AuditForm.Read(r.Values)))
		}),
		row("POST", "keys/{id}/revoke", "End an API key of any agent", ReasonForm.Form, done, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminRevokeKey(r.Context(), r.Caller, r.ID(), ReasonForm.Read(r.Values)))
		}),
	}
}
