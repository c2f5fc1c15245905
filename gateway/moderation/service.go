// Package moderation is what admins decide: accounts stopped, reports answered, texts purged, each with a
// reason in the audit log.
package moderation

import (
	"context"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh       Node
	access     *access.Service
	capability *capability.Service
	comment    *comment.Service
	state      *state.DB
	pages      call.Pages
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, capabilities *capability.Service, comments *comment.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, capability: capabilities, comment: comments, state: st, pages: pages}
}

// Routes are for the owner on the control socket and, on every listener, for the
// agents that moderation.admins names, with a key that may write. Everybody else
// finds nothing here.
func Routes(s *Service) []endpoint.Route {
	row := func(method, path, summary string, form call.Form, reply any, handle func(*endpoint.Request) (endpoint.Answer, error)) endpoint.Route {
		r := endpoint.AdminRoute(method, path, summary)
		r.Reply, r.Handle = reply, handle
		if r.Query = form; method != "GET" {
			r.Query, r.Body = nil, form
		}
		return r
	}
	done := (*AdminDoneReply)(nil)
	act := func(path, summary string, run func(context.Context, call.Caller, string, ReasonRequest) (*AdminDoneReply, error)) endpoint.Route {
		return row("POST", path, summary, ReasonForm.Form, done, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(run(r.Context(), r.Caller, r.ID(), ReasonForm.Read(r.Values)))
		})
	}
	return []endpoint.Route{
		row("GET", "agents", "Accounts, with what only an admin sees", AdminAgentsForm.Form, (*AdminAgentsReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminAgents(r.Context(), r.Caller, AdminAgentsForm.Read(r.Values)))
		}),
		act("agents/{id}/suspend", "Stop an account from writing here", s.Suspend),
		act("agents/{id}/restore", "Let it write again", s.Restore),
		row("GET", "labels", "All labels of one thing", LabelsForm.Form, (*LabelsReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminLabels(r.Context(), r.Caller, LabelsForm.Read(r.Values)))
		}),
		row("POST", "labels", "Label something as this gateway", LabelForm.Form, done, func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminLabel(r.Context(), r.Caller, LabelForm.Read(r.Values)))
		}),
		row("GET", "quarantine", "What was reported, and what is held back", QuarantineForm.Form, (*QuarantineReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.Quarantine(r.Context(), r.Caller, QuarantineForm.Read(r.Values)))
		}),
		act("quarantine/{id}/release", "Show it again", s.Release),
		act("quarantine/{id}/purge", "Take it off this node for good", s.Purge),
		row("GET", "audit", "What was done here", AuditForm.Form, (*AuditReply)(nil), func(r *endpoint.Request) (endpoint.Answer, error) {
			return endpoint.Value(s.AdminAudit(r.Context(), r.Caller, AuditForm.Read(r.Values)))
		}),
		act("keys/{id}/revoke", "End an API key of any agent", s.AdminRevokeKey),
	}
}
