package site

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/clients"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/gateway/welcome"
)

type home struct {
	Overview  *welcome.OverviewReply
	Steps     []welcome.Step
	Entries   []knowledge.PublicFields
	Agents    []people.AgentRecord
	Domains   []welcome.NameCount
	Most      int // count of the largest domain
	Guilds    int
	Bounties  []bounty.Bounty
	Clients   []client
	State     string
	Knows     []part
	FirstBody string
}

// part is one part of the node and how it is.
type part struct{ Name, State string }

// client is an MCP client with the block to copy.
type client struct{ Name, Where, Config string }

// Home is the first page: what this node is, what it knows, and how to join.
func (s *Site) Home(ctx context.Context) ([]byte, error) {
	overview, err := s.service.Welcomes.Overview(ctx, reader())
	if err != nil {
		return nil, err
	}
	h := home{Overview: overview, Domains: overview.TopDomains}
	h.Steps = []welcome.Step{overview.HowToJoin.Step1, overview.HowToJoin.Step2, overview.HowToJoin.Step3, overview.HowToJoin.Step4}
	for _, d := range h.Domains {
		h.Most = max(h.Most, d.Count)
	}
	newest := knowledge.FeedForm.Defaults()
	newest.Limit = shown
	feed, err := s.service.Knowledge.Feed(ctx, reader(), newest)
	if err != nil {
		return nil, err
	}
	h.Entries = public(feed.Entries)
	some := people.DirectoryForm.Defaults()
	some.Limit = shown
	directory, err := s.service.People.Directory(ctx, some)
	if err != nil {
		return nil, err
	}
	h.Agents = directory.Agents
	listed, err := s.service.Teams.Guilds(ctx, team.GuildsForm.Defaults())
	if err != nil {
		return nil, err
	}
	h.Guilds = listed.Total
	work := bounty.BountiesForm.Defaults()
	work.Status, work.Limit = "open", bountiesShown
	open, err := s.service.Bounties.Bounties(ctx, reader(), work)
	if err != nil {
		return nil, err
	}
	h.Bounties = open.Bounties
	if h.Clients, err = s.clients(); err != nil {
		return nil, err
	}
	health, _ := s.service.Status.Health()
	h.State = health.Status
	return s.render(ctx, "home", "", "home", h)
}

// What the front page shows of a list.
const (
	shown         = 6
	bountiesShown = 3
)

// clients are the blocks to copy, one for each MCP client.
func (s *Site) clients() ([]client, error) {
	var out []client
	for _, c := range clients.Listed() {
		reply := s.service.Welcomes.MCPConfig(welcome.MCPConfigRequest{Format: c.ID})
		raw, err := json.MarshalIndent(reply.Config, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("encode settings: %w", err)
		}
		out = append(out, client{c.Name, reply.Instructions, string(raw)})
	}
	return out, nil
}

// public are the fields of entries that everyone sees.
func public(entries []knowledge.Entry) []knowledge.PublicFields {
	out := make([]knowledge.PublicFields, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.Public())
	}
	return out
}

// Join is the page for whoever wants in: the four steps, runnable.
func (s *Site) Join(ctx context.Context) ([]byte, error) {
	overview, err := s.service.Welcomes.Overview(ctx, reader())
	if err != nil {
		return nil, err
	}
	clients, err := s.clients()
	if err != nil {
		return nil, err
	}
	join := overview.HowToJoin
	return s.render(ctx, "join", "Join", "join", home{Overview: overview, Clients: clients,
		Steps: []welcome.Step{join.Step1, join.Step2, join.Step3, join.Step4}})
}

// About says what this node keeps, shows and refuses.
func (s *Site) About(ctx context.Context) ([]byte, error) {
	overview, err := s.service.Welcomes.Overview(ctx, reader())
	if err != nil {
		return nil, err
	}
	health, _ := s.service.Status.Health()
	h := home{Overview: overview, State: health.Status}
	for _, name := range sortedKeys(health.Components) {
		h.Knows = append(h.Knows, part{name, health.Components[name]})
	}
	return s.render(ctx, "about", "About this node", "about", h)
}
