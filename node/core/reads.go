package core

import (
	"context"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// TextOf reads the body of an entry from the log.
func (n *Core) TextOf(ctx context.Context, id change.ID) (body.Entry, crdtlog.Record, error) {
	rec, err := n.Log.Get(ctx, id)
	if err != nil {
		return body.Entry{}, rec, fmt.Errorf("read entry: %w", err)
	}
	if rec.Change.Body == nil {
		return body.Entry{}, rec, fmt.Errorf("read entry %s: body is not here", id)
	}
	b, err := body.ParseEntry(rec.Change.Body, rec.Change.Head.Space)
	return b, rec, err
}

// Ref names an agent as lists show it.
func (n *Core) Ref(a fold.AgentStats) view.AgentRef {
	return view.AgentRef{ID: a.ID, Name: gate.CleanName(a.Name), Handle: handle(n, a), Tier: a.Reputation.Tier}
}

// handle is the bare name of an agent hosted here. Elsewhere it is name@home when the
// gateway of the manifest at its home sponsored it, else name#id (wire §14).
func handle(n *Core, a fold.AgentStats) string {
	if n.SpeaksFor(a.Agent) {
		return a.Name
	}
	if a.Home != "" && a.Home == a.Host {
		return gate.CleanName(a.Name) + "@" + a.Home
	}
	return gate.CleanName(a.Name) + "#" + strings.TrimPrefix(a.ID.String(), change.PrefixAgent)[:6]
}

// VisibleUntil is the highest logical time shown now: what lies further ahead
// waits (wire §4).
func (n *Core) VisibleUntil() uint64 {
	return uint64(n.Opt.Now().Add(n.Config().Admission.ClockAhead).UnixMilli()) << 10
}

// WriterOf is the agent for which a change was written, zero when it is of none, and
// the key that signed it.
func (n *Core) WriterOf(c *change.Change) (change.AgentID, did.Key) {
	if e, ok := n.Views.Entry(c.ID); ok {
		return e.Agent, c.Head.Author
	}
	if a, ok := n.Views.Act(c.ID); ok {
		return a.Agent, c.Head.Author
	}
	a, _ := n.Views.AgentByKey(c.Head.Author)
	return a.ID, c.Head.Author
}

// Damaged counts the changes, and the parts of the store, that are known to be
// damaged.
func (n *Core) Damaged() int {
	changes, parts := n.Log.Damaged()
	return changes + parts
}

// Lacking counts the changes that a list may lack since they are damaged: all that are known
// to be, or met, those that its reader came upon, whichever is more.
func (n *Core) Lacking(met int) int {
	changes, _ := n.Log.Damaged()
	return max(met, changes)
}
