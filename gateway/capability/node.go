package capability

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	rights
	tokens
	sessions

	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
}

// rights are the rights that agents have given, and the giving, ending and taking back in of them.
type rights interface {
	// Capabilities lists what an agent gave and got, newest first.
	Capabilities(ctx context.Context, agent change.AgentID) (issued, received []view.Capability, err error)
	// FindCapability finds a grant by the content id of its token.
	FindCapability(ctx context.Context, cid string) (view.Capability, error)
	// Delegate signs a capability for an agent of this node and writes its grant.
	Delegate(ctx context.Context, agent change.AgentID, d view.Delegation) (view.Capability, error)
	// Revoke ends a grant; nil accepts what was written by now.
	Revoke(ctx context.Context, agent change.AgentID, grant change.ID, upTo body.Cuts, why string) (view.Revocation, error)
	// Endorse takes changes back in that lie beyond a cut.
	Endorse(ctx context.Context, agent change.AgentID, ids []change.ID) (view.Receipt, error)
}

// tokens are what the log says of a token that somebody shows.
type tokens interface {
	// OwnsResource reports whether a key is in force for who owns a resource.
	OwnsResource(issuer did.DID, resource string) bool
	// RevokedToken reports whether the token of that content id was taken back.
	RevokedToken(cid string) bool
	// SameParty reports whether a key stands for another one of its agent.
	SameParty(audience, issuer string) bool
	// TokenOf is the token of a grant in the log, by its content id.
	TokenOf(cid string) (raw string, ok bool)
}

// sessions are tokens beside the log, which open sessions alone.
type sessions interface {
	// Lend signs a UCAN 1.0 delegation for an agent of this node.
	Lend(agent change.AgentID, d view.Delegation) (view.Lent, error)
	// Reissue says a token that an agent issued in the other version.
	Reissue(agent change.AgentID, token string, c v0.Check) ([]view.Lent, error)
	// ReadLent reads a token that Lend or Reissue made.
	ReadLent(token string) (view.Lent, error)
	// SignRevocation signs that an agent takes a token back.
	SignRevocation(agent change.AgentID, token string) (string, error)
}
