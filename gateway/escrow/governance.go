package escrow

import (
	"context"

	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// Governance is a proposal to pay and how the team votes.
type Governance struct {
	ProposalID  string  `json:"proposalId,omitempty"`
	Title       string  `json:"title,omitempty"`
	Description string  `json:"description,omitempty"`
	Threshold   float64 `json:"threshold"`
	Status      string  `json:"status" enum:"pending,approved,rejected"`
	Approve     int     `json:"approve" doc:"weights: owner 3, admin 2, member 1"`
	Reject      int     `json:"reject"`
	Total       int     `json:"total" doc:"weights of all who may vote"`
}

// weights of a vote by the rank of a role.
var weights = map[string]int{role.Owner: 3, role.Admin: 2, role.Member: 1}

// Governance is the newest proposal of a bounty with its votes weighed by the
// roles that voters have now; nil without one.
func (s *Service) Governance(ctx context.Context, b *view.Bounty) *Governance {
	p := b.State.Governance
	if p == nil {
		return nil
	}
	g, err := s.mesh.Guild(ctx, b.Guild)
	if err != nil {
		return nil
	}
	out := &Governance{Threshold: float64(p.Percent) / 100, Status: "pending"}
	for _, m := range g.Members {
		w := weights[m.Role]
		out.Total += w
		if approve, voted := p.Votes[m.ID]; voted && approve {
			out.Approve += w
		} else if voted {
			out.Reject += w
		}
	}
	switch {
	case out.Approve > 0 && out.Approve*100 >= p.Percent*out.Total:
		out.Status = "approved"
	case (out.Total-out.Reject)*100 < p.Percent*out.Total:
		out.Status = "rejected"
	}
	return out
}
