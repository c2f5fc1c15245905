package auth

import (
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan"
)

// Owners tells whose a resource is now: the keys and wallets in force of which
// any may originate a capability for it. Methods are safe for concurrent use.
type Owners interface {
	// OwnersOf returns the owners of a resource, nil when nobody owns it.
	OwnersOf(resource string) []did.DID
}

// Agents is what FoldOwners reads. *fold.Views is one.
type Agents interface {
	Agent(id change.AgentID) (fold.Agent, bool)
}

var _ Agents = (*fold.Views)(nil)

// FoldOwners answers from a fold (protocols §1.6): what is an agent's belongs to
// its acting key and to its controllers; the commons belong to the roots of the
// network; everything else, and "mesh://*", to nobody.
type FoldOwners struct {
	Network change.NetID
	Roots   []did.Key
	Agents  Agents
}

var _ Owners = FoldOwners{}

// OwnersOf finds the space that a resource lies in and returns whose it is.
func (o FoldOwners) OwnersOf(resource string) []did.DID {
	path, ok := strings.CutPrefix(resource, "mesh://"+o.Network.String()+"/")
	if !ok || !ucan.Contains(ucan.Everywhere, resource) {
		return nil
	}
	parts := strings.SplitN(path, "/", 3)
	if len(parts) < 2 {
		return nil
	}
	space, err := change.ParseSpace(parts[0] + "/" + parts[1])
	if err != nil {
		return nil
	}
	if id, ok := space.Agent(); ok {
		return o.ofAgent(id)
	}
	if space.Area() != change.AreaCommons {
		return nil
	}
	owners := make([]did.DID, len(o.Roots))
	for i, k := range o.Roots {
		owners[i] = did.OfKey(k)
	}
	return owners
}

func (o FoldOwners) ofAgent(id change.AgentID) []did.DID {
	a, ok := o.Agents.Agent(id)
	if !ok || a.Key.IsZero() {
		return nil
	}
	owners := []did.DID{did.OfKey(a.Key)}
	for _, c := range a.Controllers {
		if d, err := did.ParseController(c); err == nil {
			owners = append(owners, d)
		}
	}
	return owners
}
