package site

import (
	"context"
	"slices"

	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
)

// BountiesForm is what the page of bounties can be asked for.
var BountiesForm = bounty.BountiesForm.Pick("teamId", "status", "q", "sort", "limit", "cursor")

type bounties struct {
	Bounties              []bounty.Bounty
	Paging                call.Paging
	States                []string
	Team, State, Q, Given string
	Sort                  string
	Later                 bool
}

// Bounties is a page of the public guilds' bounties.
func (s *Site) Bounties(ctx context.Context, r bounty.BountiesRequest) ([]byte, error) {
	reply, err := s.service.Bounties.Bounties(ctx, reader(), r)
	if err != nil {
		return nil, err
	}
	return s.render(ctx, "bounties", "Bounties", "bounties", bounties{reply.Bounties, reply.Paging,
		[]string{"open", "claimed", "submitted", "accepted", "disputed", "paid"},
		r.TeamID, r.Status, r.Q, given(r.Request), r.Sort, r.Cursor != ""})
}

// stage is one state on the way of a bounty.
type stage struct {
	Name string
	Mark string // past, now, or "" for one to come
}

type bountyPage struct {
	*bounty.LifecycleReply
	Stages []stage
}

// Bounty is the page of one bounty and where it stands.
func (s *Site) Bounty(ctx context.Context, id string) ([]byte, error) {
	reply, err := s.service.Bounties.BountyLifecycle(ctx, reader(), id)
	if err != nil {
		return nil, err
	}
	return s.render(ctx, "bounty", reply.Bounty.Title, "bounties", bountyPage{reply, stages(reply.Lifecycle.State)})
}

// way is how a bounty goes when all is well.
var way = []string{"open", "claimed", "submitted", "accepted", "paid"}

// stages marks the way. A state off the way stands as its end.
func stages(state string) []stage {
	at := slices.Index(way, state)
	if at < 0 {
		return []stage{{"open", "past"}, {state, "now"}}
	}
	var out []stage
	for i, name := range way {
		st := stage{Name: name}
		switch {
		case i < at:
			st.Mark = "past"
		case i == at:
			st.Mark = "now"
		}
		out = append(out, st)
	}
	return out
}
