package team

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/call"
)

// TeamLeaderboardRequest asks which public teams lead.
type TeamLeaderboardRequest struct {
	call.Request
	Metric string `field:"metric"`
	Limit  int    `field:"limit"`
}

// TeamLeaderboardForm reads a TeamLeaderboardRequest.
var TeamLeaderboardForm = call.Define[TeamLeaderboardRequest](call.Form{
	{Name: "metric", Enum: []string{"tasks", "knowledge", "revenue"}, Default: "tasks", Help: "What is ranked."},
	{Name: "limit", Kind: call.Int, Min: 1, Max: call.MaxPage, Default: call.LeadersShown, Help: "Teams in the list."},
})

// TeamLeaderboardReply ranks public teams.
type TeamLeaderboardReply struct {
	Success bool         `json:"success"`
	Metric  string       `json:"metric" enum:"tasks,knowledge,revenue"`
	Total   int          `json:"total" doc:"public teams that are ranked"`
	Entries []TeamLeader `json:"entries"`
}

// TeamLeader is a team in a ranking. Its board and its knowledge are counted where
// this node has them, and never shown.
type TeamLeader struct {
	Rank                 int    `json:"rank"`
	TeamID               string `json:"teamId"`
	TeamName             string `json:"teamName"`
	TasksCompleted       int    `json:"tasksCompleted"`
	KnowledgeContributed int    `json:"knowledgeContributed"`
	RevenueEarnedCents   int64  `json:"revenueEarnedCents" doc:"rewards of its bounties that were paid, in cents of a USD"`
	MemberCount          int    `json:"memberCount"`
	Score                int64  `json:"score" doc:"the figure that is ranked"`
}

// TeamLeaderboard ranks the public teams that are open, by what was done in them.
// Of equal ones that with fewer members comes first, then by id.
func (s *Service) TeamLeaderboard(ctx context.Context, r TeamLeaderboardRequest) (*TeamLeaderboardReply, error) {
	reply := &TeamLeaderboardReply{Success: true, Metric: r.Metric, Entries: []TeamLeader{}}
	for _, listed := range s.mesh.Guilds(ctx) {
		g, _, err := s.access.GuildAlive(ctx, listed.ID)
		if err != nil {
			continue // closed, or not readable now
		}
		l := TeamLeader{TeamID: g.ID.Text(change.PrefixGuild), TeamName: g.Name, MemberCount: len(g.Members),
			KnowledgeContributed: s.mesh.TeamKnowledge(ctx, g.ID), RevenueEarnedCents: s.earnedIn(ctx, g.ID)}
		if b, err := s.mesh.Board(ctx, g.ID); err == nil {
			for i := range b.Tasks {
				if b.Tasks[i].State.Status == board.Done {
					l.TasksCompleted++
				}
			}
		}
		switch reply.Metric {
		case "knowledge":
			l.Score = int64(l.KnowledgeContributed)
		case "revenue":
			l.Score = l.RevenueEarnedCents
		default:
			l.Score = int64(l.TasksCompleted)
		}
		reply.Entries = append(reply.Entries, l)
	}
	slices.SortFunc(reply.Entries, func(a, b TeamLeader) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.MemberCount, b.MemberCount), strings.Compare(a.TeamID, b.TeamID))
	})
	reply.Total = len(reply.Entries)
	reply.Entries = reply.Entries[:min(r.Limit, reply.Total)]
	for i := range reply.Entries {
		reply.Entries[i].Rank = i + 1
	}
	return reply, nil
}

// microPerCent is how many micro-USD a cent is.
const microPerCent = 10_000

// earnedIn sums the rewards that were paid in a guild, in whole cents. Of a split
// reward only what the claimant got counts.
func (s *Service) earnedIn(ctx context.Context, guild change.ID) int64 {
	var sum int64
	for _, b := range s.mesh.Bounties(ctx, guild) {
		if b.Status == bounty.Paid {
			sum += b.Amount / 100 * int64(b.Share)
		}
	}
	return sum / microPerCent
}
