package access

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
)

// IsAdmin reports whether the caller runs this node: its owner, an agent that the
// configuration names, or whom the configured issuer calls so.
func (s *Service) IsAdmin(c call.Caller) bool {
	if c.Kind == auth.Owner || c.PlatformAdmin() {
		return true
	}
	_, err := s.Admin(c)
	return err == nil
}

// RunsThis reports whether a caller runs the gateway: its owner, or an admin.
func (s *Service) RunsThis(c call.Caller) bool {
	if c.Kind == auth.Owner {
		return true
	}
	_, err := s.Admin(c)
	return err == nil
}

// Admin is who may use the admin interface: the owner on the control socket, and
// the agents that moderation.admins names, and whom a role token of the configured
// issuer calls a platform admin. An admin's key needs mesh:write, so that one made for
// reading cannot moderate; an access token makes no admin, since its issuer runs
// another system. Others find nothing here.
func (s *Service) Admin(c call.Caller) (string, error) {
	if c.Kind == auth.Owner {
		return "node", nil
	}
	if c.Kind == auth.Role && c.PlatformAdmin() {
		return c.Presenter(), nil
	}
	id, err := change.ParseAgentID(c.AgentID)
	if c.RequireKey() != nil || c.Kind == auth.Access || err != nil || !s.mesh.Admin(id) {
		return "", NoSuchPath()
	}
	if err := c.RequireScope(state.ScopeWrite); err != nil {
		return "", err
	}
	return c.AgentID, nil
}

// NoSuchPath is what others than admins get.
func NoSuchPath() error { return reason.Refuse(reason.NotFound, "no such path") }

// MayWrite refuses a caller whose account was stopped. The owner always may.
func (s *Service) MayWrite(ctx context.Context, c call.Caller) error {
	if c.Acts() == "" || c.Kind == auth.Owner {
		return nil
	}
	stopped, err := s.state.IsSuspended(ctx, c.Acts())
	if err == nil && stopped {
		err = call.Hinted(reason.Suspended, "this account was stopped by an admin of the gateway", "reading still works; ask the operator")
	}
	return err
}

// Audit writes down who did what to an object, and why.
func (s *Service) Audit(ctx context.Context, actor, action, object, why string) error {
	_, err := s.state.AppendAudit(ctx, state.AuditEntry{At: s.cfg.Now(), Actor: actor, Action: action, Object: object, Detail: map[string]any{"reason": why}})
	return err
}
