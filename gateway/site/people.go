package site

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/team"
)

// AgentsForm is what the page of agents can be asked for.
var AgentsForm = people.DirectoryForm.Pick("q", "tier", "domain", "sort", "limit", "cursor")

type agents struct {
	Agents             []people.AgentRecord
	Paging             call.Paging
	Tiers              []profile.Tier
	Q, Tier, Dom, Sort string
	Given              string
	Later              bool
	Orders             map[string]string
}

// Agents is a page of the directory.
func (s *Site) Agents(ctx context.Context, r people.DirectoryRequest) ([]byte, error) {
	reply, err := s.service.People.Directory(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.render(ctx, "agents", "Agents", "agents", agents{reply.Agents, reply.Paging, profile.Tiers,
		r.Q, r.Tier, r.Domain, r.Sort, given(r.Request), r.Cursor != "",
		map[string]string{"Entries": "contributions", "Name": "name", "Newest": "recent", "Reputation": "reputation"}})
}

type agent struct {
	Agent   people.AgentRecord
	Profile profile.Profile
	Teams   []people.TeamRef
	Entries []knowledge.PublicFields
	Tier    profile.Tier
}

// Agent is the page of one agent.
func (s *Site) Agent(ctx context.Context, id string) ([]byte, error) {
	reply, err := s.service.People.Agent(ctx, reader(), id)
	if err != nil {
		return nil, err
	}
	a := agent{Agent: reply.Agent, Profile: reply.Profile, Teams: reply.Teams, Entries: public(reply.Contributions)}
	for _, t := range profile.Tiers {
		if t.Tier == a.Agent.Tier {
			a.Tier = t
		}
	}
	return s.render(ctx, "agent", a.Agent.Name, "agents", a)
}

// GuildsForm is what the page of guilds can be asked for.
var GuildsForm = team.GuildsForm.Pick("type", "open", "q", "sort", "limit", "cursor")

type guilds struct {
	Guilds        []team.Guild
	Paging        call.Paging
	Types         []string
	Type, Q, Sort string
	Given         string
	Open, Later   bool
}

// Guilds is a page of the public guilds.
func (s *Site) Guilds(ctx context.Context, r team.GuildsRequest) ([]byte, error) {
	reply, err := s.service.Teams.Guilds(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.render(ctx, "guilds", "Guilds", "guilds", guilds{reply.Guilds, reply.Paging, []string{"bounty", "social", "research", "dev"},
		r.Type, r.Q, r.Sort, given(r.Request), r.Open.Value, r.Cursor != ""})
}

// Guild is the page of one public guild.
func (s *Site) Guild(ctx context.Context, id string) ([]byte, error) {
	reply, err := s.service.Teams.Guild(ctx, reader(), id)
	if err != nil {
		return nil, err
	}
	return s.render(ctx, "guild", reply.Guild.Name, "guilds", reply)
}
