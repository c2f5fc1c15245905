package servicetest

import (
	"context"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/view"
)

// Quiet is a node without votes, comments, notes, labels or statements, which says so.
// What a test needs beyond is tested over a real node.
type Quiet struct{ *node.Node }

func none[T any]() (nothing T, err error) {
	return nothing, reason.Refuse(reason.NotFound, "this node keeps no votes and comments")
}

// Vote is refused.
func (Quiet) Vote(context.Context, change.AgentID, change.ID, int) (view.Votes, error) {
	return none[view.Votes]()
}

// Comment is refused.
func (Quiet) Comment(context.Context, change.AgentID, change.ID, view.NewComment) (view.Comment, error) {
	return none[view.Comment]()
}

// Comments are none.
func (Quiet) Comments(context.Context, change.ID) ([]view.Comment, error) { return nil, nil }

// Words are none.
func (Quiet) Words(context.Context, []view.Comment) ([]view.Comment, error) { return nil, nil }

// FindComment finds none.
func (Quiet) FindComment(context.Context, change.ID) (view.Comment, error) {
	return none[view.Comment]()
}

// Labels are none.
func (Quiet) Labels(change.ID) []view.Label { return nil }

// Related reports that everybody is: no read counts.
func (Quiet) Related(_, _ change.AgentID) bool { return true }

// ServiceAgent is an agent that nobody planted.
func (Quiet) ServiceAgent(context.Context) (change.AgentID, error) { return change.AgentID{0xff}, nil }

// Serves reports that no count of reads counts.
func (Quiet) Serves(change.AgentID) bool { return false }

// Genesis is refused.
func (Quiet) Genesis(change.AgentID) (change.ID, error) { return none[change.ID]() }

// Admin reports that nobody is one.
func (Quiet) Admin(change.AgentID) bool { return false }

// Reputation is refused.
func (Quiet) Reputation(context.Context, change.AgentID) (view.Reputation, error) {
	return none[view.Reputation]()
}

// Leaders are refused.
func (Quiet) Leaders(context.Context, view.LeaderQuery) ([]view.Leader, error) {
	return none[[]view.Leader]()
}

// Passport is refused.
func (Quiet) Passport(context.Context, change.AgentID, view.PassportOrder) ([]byte, error) {
	return none[[]byte]()
}

// CheckPassport finds nothing.
func (Quiet) CheckPassport(context.Context, passport.Passport, string) ([]view.PassportFinding, error) {
	return nil, nil
}

// PlaceInPassport is refused.
func (Quiet) PlaceInPassport(context.Context, passport.Passport, string) (passport.Place, error) {
	return none[passport.Place]()
}

// SignCard is refused.
func (Quiet) SignCard(context.Context, change.AgentID, agentcard.Card) (agentcard.Card, error) {
	return none[agentcard.Card]()
}

// Provenance is refused.
func (Quiet) Provenance(context.Context, change.ID) (view.Provenance, error) {
	return none[view.Provenance]()
}

// Owner is nobody.
func (Quiet) Owner() (change.AgentID, bool) { return change.AgentID{}, false }

// BountyCounts are none.
func (Quiet) BountyCounts(context.Context, change.ID) (all, open int) { return 0, 0 }

// GuildsOf are none.
func (Quiet) GuildsOf(context.Context, change.AgentID) []view.Guild { return nil }

// Capabilities are none.
func (Quiet) Capabilities(context.Context, change.AgentID) (issued, received []view.Capability, err error) {
	return nil, nil, nil
}

// Guilds are none.
func (Quiet) Guilds(context.Context) []view.Guild { return nil }

// OnJoin does nothing: no agent of another node asks to be taken in here.
func (Quiet) OnJoin(func(context.Context, change.AgentID, change.ID, string) (string, error)) {}

// Started is an hour before the tests' clock.
func (Quiet) Started() time.Time { return Start.Add(-time.Hour) }

// KnownPeers is one peer that is connected.
func (Quiet) KnownPeers() (peers []view.Peer, own []string) {
	return []view.Peer{{ID: "12D3KooWPeer", Roles: []string{"gateway"}, Connected: true}}, []string{"/ip4/127.0.0.1/tcp/1"}
}

// Begun completes nothing.
func (Quiet) Begun(context.Context, []change.ID, string, string) (change.ID, bool, error) {
	return change.ID{}, false, nil
}
