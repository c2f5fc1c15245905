package servicetest

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node/view"
)

// This node has no votes, comments, notes, labels or statements, and says so.

func none[T any]() (nothing T, err error) {
	return nothing, reason.Refuse(reason.NotFound, "this node keeps no votes and comments")
}

// Vote is refused.
func (m *Mesh) Vote(context.Context, change.AgentID, change.ID, int) (view.Votes, error) {
	return none[view.Votes]()
}

// Comment is refused.
func (m *Mesh) Comment(context.Context, change.AgentID, change.ID, view.NewComment) (view.Comment, error) {
	return none[view.Comment]()
}

// Comments are none.
func (m *Mesh) Comments(context.Context, change.ID) ([]view.Comment, error) { return nil, nil }

// Words are none.
func (m *Mesh) Words(context.Context, []view.Comment) ([]view.Comment, error) { return nil, nil }

// FindComment finds none.
func (m *Mesh) FindComment(context.Context, change.ID) (view.Comment, error) {
	return none[view.Comment]()
}

// Labels are none.
func (m *Mesh) Labels(change.ID) []view.Label { return nil }

// Related reports that nobody is.
func (m *Mesh) Related(_, _ change.AgentID) bool { return false }

// ServiceAgent is refused.
func (m *Mesh) ServiceAgent(context.Context) (change.AgentID, error) { return none[change.AgentID]() }

// Genesis is refused.
func (m *Mesh) Genesis(change.AgentID) (change.ID, error) { return none[change.ID]() }

// Admin reports that nobody is one.
func (m *Mesh) Admin(change.AgentID) bool { return false }

// Reputation is refused.
func (m *Mesh) Reputation(context.Context, change.AgentID) (view.Reputation, error) {
	return none[view.Reputation]()
}

// Leaders are refused.
func (m *Mesh) Leaders(context.Context, view.LeaderQuery) ([]view.Leader, error) {
	return none[[]view.Leader]()
}

// Passport is refused.
func (m *Mesh) Passport(context.Context, change.AgentID, view.PassportForm, bool) ([]byte, error) {
	return none[[]byte]()
}

// SignCard is refused.
func (m *Mesh) SignCard(context.Context, change.AgentID, agentcard.Card) (agentcard.Card, error) {
	return none[agentcard.Card]()
}

// Provenance is refused.
func (m *Mesh) Provenance(context.Context, change.ID) (view.Provenance, error) {
	return none[view.Provenance]()
}

// Owner is nobody.
func (m *Mesh) Owner() (change.AgentID, bool) { return change.AgentID{}, false }

// BountyCounts are none.
func (m *Mesh) BountyCounts(context.Context, change.ID) (all, open int) { return 0, 0 }
