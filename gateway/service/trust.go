package service

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/view"
)

// Trust gives and takes rights. Refusals are *reason.Refusal values.
type Trust interface {
	// Delegate signs a capability for an agent of this node and writes its grant.
	Delegate(ctx context.Context, agent change.AgentID, d view.Delegation) (view.Capability, error)
	// Revoke ends a grant; nil accepts what was written by now.
	Revoke(ctx context.Context, agent change.AgentID, grant change.ID, upTo body.Cuts, why string) (view.Revocation, error)
	// Endorse takes changes back in that lie beyond a cut.
	Endorse(ctx context.Context, agent change.AgentID, ids []change.ID) (view.Receipt, error)
	// FindCapability finds a grant by the content id of its token.
	FindCapability(ctx context.Context, cid string) (view.Capability, error)
	// Capabilities lists what an agent gave and got, newest first.
	Capabilities(ctx context.Context, agent change.AgentID) (issued, received []view.Capability, err error)
	// OwnsResource reports whether a key is in force for who owns a resource.
	OwnsResource(issuer did.DID, resource string) bool
	// SameParty reports whether a key stands for another one of its agent.
	SameParty(audience, issuer string) bool
	// RevokedToken reports whether the token of that content id was taken back.
	RevokedToken(cid string) bool
	// TokenOf is the token of a grant in the log, by its content id.
	TokenOf(cid string) (raw string, ok bool)

	RotationDraft(ctx context.Context, agent change.AgentID, to did.Key, next []byte) (view.RotationDraft, error)
	Admit(ctx context.Context, c *change.Change) (view.Agent, error)
	NewDeviceKey(ctx context.Context) (did.Key, error)

	Guild(ctx context.Context, id change.ID) (view.Guild, error)
	Guilds(ctx context.Context) []view.Guild
	OpenGuild(ctx context.Context, agent change.AgentID, g view.NewGuild) (view.Guild, error)
	// FollowTeam has this node ask members for a private team.
	FollowTeam(ctx context.Context, id change.ID) error
	SetRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, role string) (view.Guild, error)
	// GiveRole is SetRole by an API key of by.
	GiveRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, role string, g view.Gift) (view.Guild, error)
	RemoveMember(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, why string) error
}
