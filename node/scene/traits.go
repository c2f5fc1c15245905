package scene

import (
	"context"
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/view"
)

// Traits remember what pages say of their agents' traits, so that a search for one
// reads a page again only when it has changed.
type Traits struct {
	mu   sync.Mutex
	seen map[change.AgentID]pageTraits
}

type pageTraits struct {
	heads [][32]byte
	names []string
}

// AgentsWithTrait are the agents whose pages name a trait. A page that cannot be
// read now counts as one without traits.
func (n *Scenes) AgentsWithTrait(ctx context.Context, trait string) (map[change.AgentID]bool, error) {
	out := map[change.AgentID]bool{}
	for _, space := range n.core.Views.Holders(document.PageName) {
		id, ok := space.Agent()
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if slices.Contains(n.traitsOf(ctx, id), trait) {
			out[id] = true
		}
	}
	return out, nil
}

func (n *Scenes) traitsOf(ctx context.Context, id change.AgentID) []string {
	d, ok := n.core.Views.Document(id.Space(), document.PageName)
	if !ok {
		return nil
	}
	n.traits.mu.Lock()
	known, ok := n.traits.seen[id]
	n.traits.mu.Unlock()
	if ok && document.EqualHeads(known.heads, d.Heads) {
		return known.names
	}
	fields, err := n.document.Docs.Read(ctx, d)
	if err != nil {
		return nil
	}
	var names []string
	if list, ok := fields["traits"].([]any); ok {
		for _, v := range list {
			if name, ok := v.(string); ok && len(names) < view.MaxTraits {
				names = append(names, name)
			}
		}
	}
	n.traits.mu.Lock()
	defer n.traits.mu.Unlock()
	if n.traits.seen == nil {
		n.traits.seen = map[change.AgentID]pageTraits{}
	}
	n.traits.seen[id] = pageTraits{d.Heads, names}
	return names
}
