package reputation

import (
	"context"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// SpeaksForGuests reports whether the network takes notes that an agent writes for
// guests.
func (n *Ranks) SpeaksForGuests(id change.AgentID) bool { return n.core.Views.SpeaksForGuests(id) }

// Related reports whether two agents share a proven wallet or a sponsor, or are
// one.
func (n *Ranks) Related(a, b change.AgentID) bool { return a == b || n.core.Views.Related(a, b) }

// Serves reports whether what an agent says that it served counts.
func (n *Ranks) Serves(id change.AgentID) bool {
	m, ok := n.core.Views.Manifest()
	a, known := n.core.Views.Agent(id)
	return ok && known && slices.ContainsFunc(m.Gateways, func(g body.Gateway) bool { return slices.Contains(a.Keys, g.Key) })
}

// WriteServed writes what a gateway served on a day, in as many changes as it
// takes.
func (n *Ranks) WriteServed(ctx context.Context, gateway change.AgentID, day int64, rows []view.ServedRow) error {
	for part := range slices.Chunk(rows, body.MaxServed) {
		s := body.Served{Day: day}
		for _, r := range part {
			s.Rows = append(s.Rows, body.ServedRow(r))
		}
		enc, err := s.Encode()
		if err != nil {
			return fmt.Errorf("encode what was served: %w", err)
		}
		if _, err := n.writing.Write(ctx, gateway, ingest.Write{Space: gateway.Space(), Kind: change.KindServed, Body: enc}); err != nil {
			return err
		}
	}
	return nil
}

// Reputation is the fold for one agent, or agent_not_found.
func (n *Ranks) Reputation(_ context.Context, id change.AgentID) (view.Reputation, error) {
	s, ok := n.directory.AgentCache.Find(n.directory, id)
	if !ok {
		return view.Reputation{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return core.ReputationOf(s.Reputation), nil
}
