package directory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// AgentCache keeps the figures of all agents until a batch changes them: a
// directory page sorts everyone, and a feed page names many authors.
type AgentCache struct {
	Gen   atomic.Uint64 // raised by every batch
	mu    sync.Mutex
	valid uint64 // gen the rest stands for, plus one
	all   []fold.AgentStats
	by    map[change.AgentID]int

	few    map[change.AgentID]fold.AgentStats // asked for one by one
	fewGen uint64                             // gen they stand for, plus one
}

func (c *AgentCache) load(n *Directory) ([]fold.AgentStats, map[change.AgentID]int) {
	gen := c.Gen.Load() + 1
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.valid != gen {
		c.all = n.core.Views.Agents()
		c.by = make(map[change.AgentID]int, len(c.all))
		for i, a := range c.all {
			c.by[a.ID] = i
		}
		c.valid = gen
	}
	return c.all, c.by
}

// Find returns the figures of one agent. Unless those of all are at hand it works
// out that one's alone: after each write somebody asks for its author, and the
// figures of all are as dear as all entries.
func (c *AgentCache) Find(n *Directory, id change.AgentID) (fold.AgentStats, bool) {
	gen := c.Gen.Load() + 1
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.valid == gen {
		i, ok := c.by[id]
		if !ok {
			return fold.AgentStats{}, false
		}
		return c.all[i], true
	}
	if c.fewGen != gen {
		c.few, c.fewGen = make(map[change.AgentID]fold.AgentStats), gen
	}
	s, ok := c.few[id]
	if !ok {
		if s, ok = n.core.Views.Stats(id); ok {
			c.few[id] = s
		}
	}
	return s, ok
}

// Agent returns the public record of an agent, or agent_not_found.
func (n *Directory) Agent(_ context.Context, id change.AgentID) (view.Agent, error) {
	s, ok := n.core.Views.Stats(id)
	if !ok {
		return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
	}
	return n.agent(s), nil
}

// FindAgent finds an agent by its id or the beginning of it, by a DID it signs with
// or is controlled by, by its name when it is hosted here, or by name@home or name#id.
func (n *Directory) FindAgent(ctx context.Context, s string) (view.Agent, error) {
	if id, err := change.ParseAgentID(s); err == nil {
		return n.Agent(ctx, id)
	}
	if strings.HasPrefix(s, "did:") {
		if k, err := did.ParseKey(s); err == nil {
			if a, ok := n.core.Views.AgentByKey(k); ok {
				return n.Agent(ctx, a.ID)
			}
		}
		all, _ := n.AgentCache.load(n)
		for _, a := range all {
			if slices.Contains(a.Proven, s) {
				return n.Agent(ctx, a.ID)
			}
		}
	} else {
		return n.byText(ctx, s)
	}
	return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}

func (n *Directory) agent(s fold.AgentStats) view.Agent {
	a := view.Agent{
		AgentRef: n.core.Ref(s), DID: s.Key, PQ: s.PQ, Controllers: s.Controllers, Proven: s.Proven, Home: s.Home, Local: n.core.SpeaksFor(s.Agent),
		CreatedAt: time.UnixMilli(int64(s.CreatedHLC >> 10)).UTC(), Contributions: s.Live, Reuses: s.Reputation.Reuses,
		Reputation: core.ReputationOf(s.Reputation),
	}
	domains, tags, seen := map[string]int{}, map[string]int{}, 0
	n.core.Views.Newest(fold.Filter{Agent: s.ID, Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
		domains[e.Domain]++
		for _, t := range e.Tags {
			tags[t]++
		}
		seen++
		return seen < 200
	})
	a.TopDomains, a.TopTags = mostUsed(domains, 5), mostUsed(tags, 8)
	return a
}

// mostUsed are the words with the highest counts, ties by name.
func mostUsed(counts map[string]int, most int) []string {
	words := make([]string, 0, len(counts))
	for w := range counts {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return words[:min(most, len(words))]
}

// Agents lists the agents that a query selects, in its order, a page at a time. Total counts
// those of all pages.
func (n *Directory) Agents(_ context.Context, q view.AgentQuery) (view.AgentPage, error) {
	all, _ := n.AgentCache.load(n)
	type keyed struct {
		key string
		s   fold.AgentStats
	}
	var sel []keyed
	for _, s := range all {
		if n.selects(&q, s) {
			sel = append(sel, keyed{agentSortKey(q.Sort, s), s})
		}
	}
	slices.SortFunc(sel, func(a, b keyed) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return change.ID(a.s.ID).Compare(change.ID(b.s.ID))
	})
	page := view.AgentPage{Total: len(sel)}
	for _, k := range sel {
		if a := q.After; a != nil && (k.key < a.Key || k.key == a.Key && change.ID(k.s.ID).Compare(change.ID(a.ID)) <= 0) {
			continue
		}
		if len(page.Agents) == q.Limit {
			last := page.Agents[q.Limit-1]
			page.Next.ID = last.ID
			return page, nil
		}
		page.Agents = append(page.Agents, n.agent(k.s))
		page.Next = &view.AgentPlace{Key: k.key, ID: k.s.ID}
	}
	page.Next = nil
	return page, nil
}

func (n *Directory) selects(q *view.AgentQuery, s fold.AgentStats) bool {
	if q.Tier != "" && s.Reputation.Tier != q.Tier || q.Only != nil && !q.Only[s.ID] || q.Except[s.ID] {
		return false
	}
	if q.Text != "" && !strings.Contains(strings.ToLower(s.Name), strings.ToLower(q.Text)) {
		return false
	}
	return q.Domain == "" || n.core.Views.Count(fold.Filter{Agent: s.ID, Domains: []string{q.Domain}, Intro: true}) > 0
}

// agentSortKey orders by rising text what the API orders by falling number.
func agentSortKey(sort string, s fold.AgentStats) string {
	const most = 1 << 62
	switch sort {
	case "name":
		return strings.ToLower(s.Name)
	case "recent":
		return fmt.Sprintf("%020d", uint64(most)-s.CreatedHLC)
	case "contributions":
		return fmt.Sprintf("%020d", most-int64(s.Live))
	default:
		return fmt.Sprintf("%020d", most-s.Reputation.Score)
	}
}

// AnnounceKey publishes what happened to an API key of an agent hosted here.
// The kind is one of events.KeyCreated, KeyRevoked and KeyRecovered.
func (n *Directory) AnnounceKey(kind events.Kind, agent change.AgentID, key events.APIKey) {
	n.core.Bus.Publish(events.Event{Kind: kind, Object: agent.String(), Data: key})
}

// Homes reports whether a guild's founder is an agent of this node.
func (n *Directory) Homes(g fold.Guild) bool {
	rec, ok := n.core.Views.Agent(g.Founder)
	return ok && n.core.SpeaksFor(rec)
}

// Tends reports whether a guild's founder is an agent for whom this node does what runs by
// itself.
func (n *Directory) Tends(g fold.Guild) bool {
	rec, ok := n.core.Views.Agent(g.Founder)
	return ok && n.core.Sharing.Tends(rec)
}

// AgentRef names an agent in a list; one that is not known here has only its id.
func (n *Directory) AgentRef(id change.AgentID) view.AgentRef {
	if s, ok := n.AgentCache.Find(n, id); ok {
		return n.core.Ref(s)
	}
	return view.AgentRef{ID: id}
}
