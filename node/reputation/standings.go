package reputation

import (
	"cmp"
	"context"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// Leaders ranks the agents that wrote public entries since a time, introductions
// left out: by reputation, by how many entries, or by how many others build on
// those.
func (n *Ranks) Leaders(_ context.Context, q view.LeaderQuery) ([]view.Leader, error) {
	since := uint64(0)
	if !q.Since.IsZero() {
		since = uint64(max(0, q.Since.UnixMilli())) << 10
	}
	by := map[change.AgentID]*view.Leader{}
	n.core.Views.Newest(fold.Filter{Since: since, Until: n.core.VisibleUntil()}, 0, change.ID{}, func(e fold.Entry) bool {
		if n.core.Admits.Waits(e.ID) {
			return true
		}
		l := by[e.Agent]
		if l == nil {
			l = &view.Leader{}
			by[e.Agent] = l
		}
		l.Contributions++
		l.Reuses += e.Reuses
		return true
	})
	all := make([]view.Leader, 0, len(by))
	for id, l := range by {
		if s, ok := n.directory.AgentCache.Find(n.directory, id); ok {
			l.Agent, l.Reputation = n.core.Ref(s), core.ReputationOf(s.Reputation)
			all = append(all, *l)
		}
	}
	figure := func(l view.Leader) int64 {
		switch q.Metric {
		case "contributions":
			return int64(l.Contributions)
		case "reuse":
			return int64(l.Reuses)
		}
		return l.Reputation.Score
	}
	slices.SortFunc(all, func(a, b view.Leader) int {
		return cmp.Or(cmp.Compare(figure(b), figure(a)), cmp.Compare(b.Reputation.Score, a.Reputation.Score), change.ID(a.Agent.ID).Compare(change.ID(b.Agent.ID)))
	})
	return all[:min(len(all), q.Limit)], nil
}
