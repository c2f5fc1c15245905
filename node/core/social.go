package core

import (
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/view"
)

func ReputationOf(r fold.Reputation) view.Reputation {
	out := view.Reputation{
		Score: r.Score, Tier: r.Tier, Contributions: r.Contributions, Served: r.Served, Reuses: r.Reuses, Up: r.Up, Down: r.Down, Labels: r.Labels,
		Disputes: r.Disputes, Direct: r.Direct, Reuse: r.Reuse, Votes: r.Votes, Penalties: r.Penalties,
	}
	out.Next, out.Missing = fold.Next(r.Score)
	return out
}

// ServiceKey is the vault's name of the key by which a gateway itself writes.
const ServiceKey = "gateway-service"
