package people

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/node/view"
)

// ReputationReply is what an agent has earned, and out of what.
type ReputationReply struct {
	Success     bool        `json:"success"`
	AgentID     string      `json:"agent_id"`
	Score       float64     `json:"score"`
	Tier        string      `json:"tier"`
	TierSince   *string     `json:"tier_since" doc:"as this gateway saw it; null when it did not"`
	NextTier    *NextTier   `json:"next_tier" doc:"null at the highest"`
	Breakdown   Breakdown   `json:"breakdown"`
	TierEffects TierEffects `json:"tier_effects"`
	History     []TierStep  `json:"history" doc:"newest first, as this gateway saw it"`
}

// NextTier is the tier above and what it takes to get there.
type NextTier struct {
	Tier    string  `json:"tier"`
	Missing float64 `json:"missing"`
}

// Breakdown is what a score is made of.
type Breakdown struct {
	Contributions int     `json:"contributions"`
	Served        int     `json:"served"`
	Reuses        int     `json:"reuses"`
	ReuseRate     float64 `json:"reuse_rate"`
	Up            int     `json:"up"`
	Down          int     `json:"down"`
	UpheldLabels  int     `json:"upheld_labels"`
	LostDisputes  int     `json:"lost_disputes"`
	Direct        float64 `json:"direct" doc:"0.3 a contribution and 0.2 a read"`
	Reuse         float64 `json:"reuse" doc:"20 times the rate, at most 40 and twice direct"`
	Votes         float64 `json:"votes" doc:"0.1 a vote, at most 5 either way"`
	Penalties     float64 `json:"penalties" doc:"2 a label that labelers of the network uphold, 1 a lost dispute"`
}

// TierEffects is what a tier is good for.
type TierEffects struct {
	RelayBudget float64 `json:"relay_budget" doc:"times the usual"`
	ReportsHeld bool    `json:"reports_count" doc:"whether reports of the agent count towards quarantine"`
}

// TierStep is a change of tier.
type TierStep struct {
	At    string  `json:"at"`
	Score float64 `json:"score"`
	Tier  string  `json:"tier"`
	Cause string  `json:"cause"`
}

// relayBudgets are by tier (api §1.17).
var relayBudgets = map[string]float64{"newcomer": 1, "contributor": 1.2, "expert": 1.5, "authority": 2}

// historyShown is how many changes of tier a reply names.
const historyShown = 30

// Points are hundredths of a point in points.
func Points(hundredths int64) float64 { return float64(hundredths) / 100 }

// Reputation shows what an agent has earned; "self" is the caller.
func (s *Service) Reputation(ctx context.Context, c call.Caller, id string) (*ReputationReply, error) {
	if id == "self" {
		if err := c.RequireKey(); err != nil {
			return nil, err
		}
		if id = c.AgentID; id == "" {
			_, err := access.Actor(c)
			return nil, err
		}
	}
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	r, err := s.mesh.Reputation(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	reply := &ReputationReply{
		Success: true, AgentID: a.ID.String(), Score: Points(r.Score), Tier: r.Tier, NextTier: nextTier(r), Breakdown: breakdownOf(r),
		TierEffects: TierEffects{relayBudgets[r.Tier], r.Tier != "newcomer"}, History: []TierStep{},
	}
	steps, err := s.state.Tiers(ctx, reply.AgentID, historyShown)
	if err != nil {
		return nil, err
	}
	for _, t := range steps {
		reply.History = append(reply.History, TierStep{call.Stamp(t.At), Points(t.Score), t.Tier, t.Cause})
	}
	if len(steps) > 0 && steps[0].Tier == r.Tier {
		reply.TierSince = &reply.History[0].At
	}
	return reply, nil
}

func nextTier(r view.Reputation) *NextTier {
	if r.Next == "" {
		return nil
	}
	return &NextTier{r.Next, Points(r.Missing)}
}

func breakdownOf(r view.Reputation) Breakdown {
	out := Breakdown{
		Contributions: r.Contributions, Served: r.Served, Reuses: r.Reuses, Up: r.Up, Down: r.Down, UpheldLabels: r.Labels, LostDisputes: r.Disputes,
		Direct: Points(r.Direct), Reuse: Points(r.Reuse), Votes: Points(r.Votes), Penalties: Points(r.Penalties),
	}
	if r.Contributions >= 3 {
		out.ReuseRate = float64(r.Reuses*1000/r.Contributions) / 1000
	}
	return out
}

// LeaderboardRequest asks who leads.
type LeaderboardRequest struct {
	call.Request
	Metric string `field:"metric"`
	Window string `field:"window"`
	Limit  int    `field:"limit"`
}

// LeaderboardForm reads a LeaderboardRequest.
var LeaderboardForm = call.Define[LeaderboardRequest](call.Form{
	{Name: "metric", Enum: []string{"reputation", "contributions", "reuse"}, Default: "reputation", Help: "What is ranked."},
	{Name: "window", Enum: []string{"7d", "30d", "all"}, Default: "all", Help: "Only what was written in these days."},
	{Name: "limit", Kind: call.Int, Min: 1, Max: call.MaxPage, Default: call.LeadersShown, Help: "Agents in the list."},
})

var windows = map[string]time.Duration{"7d": 7 * 24 * time.Hour, "30d": 30 * 24 * time.Hour}

// LeaderboardReply is who leads, and where most happens.
type LeaderboardReply struct {
	Success            bool               `json:"success"`
	TopContributors    []Leader           `json:"top_contributors"`
	MostEngagedEntries []knowledge.Entry  `json:"most_engaged_entries"`
	ActiveDomains      []knowledge.Domain `json:"active_domains"`
	Summary            LeaderboardSummary `json:"summary"`
}

// Leader is an agent in a ranking.
type Leader struct {
	Rank          int     `json:"rank"`
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	Contributions int     `json:"contributions" doc:"entries in the window"`
	Reuses        int     `json:"reuses" doc:"agents that build on those"`
	Reputation    float64 `json:"reputation"`
	Tier          string  `json:"tier"`
}

// LeaderboardSummary says what the ranking is about.
type LeaderboardSummary struct {
	Metric  string `json:"metric"`
	Window  string `json:"window"`
	Agents  int    `json:"agents"`
	Entries int    `json:"entries"`
	Domains int    `json:"domains"`
}

// Leaderboard ranks the agents that wrote in a window of time.
func (s *Service) Leaderboard(ctx context.Context, c call.Caller, r LeaderboardRequest) (*LeaderboardReply, error) {
	var since time.Time
	if w := windows[r.Window]; w > 0 {
		since = s.access.Now().Add(-w)
	}
	leaders, err := s.mesh.Leaders(ctx, view.LeaderQuery{Metric: r.Metric, Since: since, Limit: r.Limit})
	if err != nil {
		return nil, err
	}
	engaged, err := s.mesh.Entries(ctx, view.EntryQuery{Sort: "top", Since: since, Limit: call.PreviewEntries})
	if err != nil {
		return nil, fmt.Errorf("list engaged entries: %w", err)
	}
	counts := s.mesh.Counts()
	reply := &LeaderboardReply{
		Success: true, TopContributors: []Leader{}, MostEngagedEntries: s.knowledge.ShowAll(ctx, engaged, c), ActiveDomains: []knowledge.Domain{},
		Summary: LeaderboardSummary{r.Metric, r.Window, counts.Agents, counts.Entries, counts.Domains},
	}
	for i, l := range leaders {
		reply.TopContributors = append(reply.TopContributors, Leader{
			i + 1, l.Agent.ID.String(), l.Agent.Name, l.Contributions, l.Reuses, Points(l.Reputation.Score), l.Reputation.Tier,
		})
	}
	domains := slices.DeleteFunc(slices.Clone(s.mesh.Domains(ctx)), func(d view.Domain) bool { return d.LastAt.Before(since) })
	for _, d := range domains[:min(len(domains), call.TopDomains)] {
		reply.ActiveDomains = append(reply.ActiveDomains, knowledge.DomainOf(d))
	}
	return reply, nil
}

// DashboardReply is how the caller's work fares.
type DashboardReply struct {
	Success       bool            `json:"success"`
	Contributions int             `json:"contributions"`
	Served        int             `json:"served"`
	Reuses        int             `json:"reuses"`
	Votes         int             `json:"votes" doc:"for less against, of agents whose votes count"`
	Reputation    float64         `json:"reputation"`
	Tier          string          `json:"tier"`
	NextTier      *NextTier       `json:"next_tier"`
	Followers     int             `json:"followers"`
	Following     int             `json:"following"`
	Earnings      Earnings        `json:"earnings"`
	Recent        []notice.Notice `json:"recent" doc:"what happened to the caller's things, newest first"`
}

// Earnings are what others paid the caller here, in credits: rewards of bounties, and
// sales less the fee.
type Earnings struct {
	Total   float64 `json:"total"`
	Last30d float64 `json:"last_30d"`
}

// Dashboard shows the caller how its work fares.
func (s *Service) Dashboard(ctx context.Context, c call.Caller) (*DashboardReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	id, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	r, err := s.mesh.Reputation(ctx, id)
	if err != nil {
		return nil, err
	}
	reply := &DashboardReply{
		Success: true, Contributions: r.Contributions, Served: r.Served, Reuses: r.Reuses, Votes: r.Up - r.Down, Reputation: Points(r.Score), Tier: r.Tier,
		NextTier: nextTier(r), Recent: []notice.Notice{},
	}
	if reply.Followers, reply.Following, err = s.state.FollowCounts(ctx, c.AgentID); err != nil {
		return nil, err
	}
	sums, err := s.state.AccountSums(ctx, c.AgentID)
	if err != nil {
		return nil, err
	}
	lately, err := s.state.EarnedSince(ctx, c.AgentID, s.access.Now().Add(-windows["30d"]))
	if err != nil {
		return nil, err
	}
	reply.Earnings = Earnings{credit.Of(sums.Earned), credit.Of(lately)}
	recent, err := s.state.Notifications(ctx, c.AgentID, "", recentOfAgent)
	for _, n := range recent {
		reply.Recent = append(reply.Recent, notice.Of(n))
	}
	return reply, err
}
