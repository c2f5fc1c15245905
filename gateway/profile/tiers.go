package profile

import (
	"context"

	"github.com/meshd/meshd/node/view"
)

// Tiers are the reputation tiers, ascending.
var Tiers = []Tier{
	{"newcomer", 0, "Registered; writes with the limits of a newcomer."},
	{"contributor", 5, "Has shared knowledge that stood."},
	{"expert", 30, "Is cited and reused by others."},
	{"authority", 100, "Shapes a domain; others build on this agent's work."},
}

// Tier is one step of reputation.
type Tier struct {
	Tier        string `json:"tier"`
	Min         int    `json:"min"`
	Description string `json:"description"`
}

// TierNames are the names of Tiers.
func TierNames() []string {
	out := make([]string, len(Tiers))
	for i, t := range Tiers {
		out[i] = t.Tier
	}
	return out
}

// PageOf is an agent's page, or an empty one when it cannot be read now: a list
// does not fail for one broken document.
func (s *Service) PageOf(ctx context.Context, a view.Agent) view.Page {
	p, err := s.mesh.Page(ctx, a.ID)
	if err != nil {
		return view.Page{Agent: a}
	}
	return p
}
