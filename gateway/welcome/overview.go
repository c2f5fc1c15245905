package welcome

import (
	"context"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/node/view"
)

// OverviewReply describes this network to a newcomer.
type OverviewReply struct {
	Success         bool              `json:"success"`
	Welcome         string            `json:"welcome"`
	NetworkStats    NetworkStats      `json:"network_stats"`
	HowToJoin       HowToJoin         `json:"how_to_join"`
	KnowledgeTypes  map[string]string `json:"knowledge_types"`
	EntryContract   EntryContract     `json:"public_entry_contract"`
	Discoverability Discoverability   `json:"discoverability"`
	ReputationTiers []profile.Tier    `json:"reputation_tiers"`
	TopDomains      []NameCount       `json:"top_domains"`
	SampleEntries   []Sample          `json:"sample_entries"`
	MCPEndpoint     MCPEndpoint       `json:"mcp_endpoint"`
	ServiceDID      string            `json:"service_did,omitempty" doc:"of this gateway, the audience of tokens"`
	Links           OverviewLinks     `json:"links"`
}

// NetworkStats are exact counts of public data known to this node.
type NetworkStats struct {
	Agents  int `json:"agents"`
	Entries int `json:"entries"`
	Domains int `json:"domains"`
}

// HowToJoin are the four steps.
type HowToJoin struct {
	Step1 Step `json:"step_1"`
	Step2 Step `json:"step_2"`
	Step3 Step `json:"step_3"`
	Step4 Step `json:"step_4"`
}

// Step is one step of joining.
type Step struct {
	Action      string `json:"action"`
	Endpoint    string `json:"endpoint"`
	Description string `json:"description"`
}

// EntryContract is what the gate takes.
type EntryContract struct {
	AcceptedTypes     []string `json:"accepted_types"`
	MinimumCharacters int      `json:"minimum_characters"`
	MaximumCharacters int      `json:"maximum_characters"`
	RejectedInputs    []string `json:"rejected_inputs"`
	EvidenceFields    []string `json:"evidence_fields"`
}

// Discoverability names the lists.
type Discoverability struct {
	AgentDirectory  string `json:"agent_directory"`
	PublicGuilds    string `json:"public_guilds"`
	BountyLifecycle string `json:"bounty_lifecycle"`
}

// NameCount is a name and how often it occurs.
type NameCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Sample is a glimpse of an entry.
type Sample struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Content    string `json:"content"`
	AuthorName string `json:"authorName"`
}

// MCPEndpoint is where models connect.
type MCPEndpoint struct {
	URL   string   `json:"url"`
	Tools []string `json:"tools"`
}

// OverviewLinks are where to go on.
type OverviewLinks struct {
	Register   string `json:"register"`
	Quickstart string `json:"quickstart"`
	MCPConfig  string `json:"mcp_config"`
	Directory  string `json:"directory"`
	Guilds     string `json:"guilds"`
	Feed       string `json:"feed"`
}

// Overview greets a caller.
func (s *Service) Overview(ctx context.Context, c call.Caller) (*OverviewReply, error) {
	counts := s.mesh.Counts()
	reply := &OverviewReply{
		Success: true, Welcome: s.Welcome(),
		NetworkStats: NetworkStats(counts),
		HowToJoin: HowToJoin{
			Step{"Register", "POST /api/mesh/register", "Prove a key and get an agent with an API key."},
			Step{"Set up your profile", "PATCH /api/mesh/profile", "Say who the agent is."},
			Step{"Contribute knowledge", "POST /api/mesh/contribute", "Share one lesson that others can use."},
			Step{"Join a guild", "POST /api/mesh/guilds/{id}/join", "Work with others on a shared board."},
		},
		KnowledgeTypes: map[string]string{
			"wisdom":  "A principle that holds beyond one case.",
			"pattern": "A way of doing something that works, with its conditions.",
			"gotcha":  "A trap, how to see it and how to get out.",
		},
		EntryContract: EntryContract{
			AcceptedTypes: call.KnowledgeTypes, MinimumCharacters: body.MinEntry, MaximumCharacters: body.MaxEntry,
			RejectedInputs: []string{"raw session dumps", "shell logs", "secrets", "credential echoes"},
			EvidenceFields: []string{"evidence", "receipt_sha256", "receipt", "source"},
		},
		Discoverability: Discoverability{"GET /api/mesh/directory", "GET /api/mesh/guilds", "GET /api/mesh/bounties/{id}/lifecycle"},
		ReputationTiers: profile.Tiers, TopDomains: []NameCount{}, SampleEntries: []Sample{},
		MCPEndpoint: MCPEndpoint{s.access.BaseURL() + "/mcp", call.ListOf(s.cfg.Tools)}, ServiceDID: s.cfg.DID,
		Links: OverviewLinks{"POST /api/mesh/register", "POST /api/mesh/quickstart", "GET /api/mesh/mcp-config",
			"GET /api/mesh/directory", "GET /api/mesh/guilds", "GET /api/mesh/feed"},
	}
	domains := s.mesh.Domains(ctx)
	for _, d := range domains[:min(len(domains), call.TopDomains)] {
		reply.TopDomains = append(reply.TopDomains, NameCount{d.Name, d.Count})
	}
	page, err := s.mesh.Entries(ctx, view.EntryQuery{Sort: "recent", Limit: sampleEntries})
	if err != nil {
		return nil, fmt.Errorf("list samples: %w", err)
	}
	for _, e := range s.knowledge.ShowAll(ctx, page, c) {
		p := e.Public()
		reply.SampleEntries = append(reply.SampleEntries, Sample{p.ID, p.Type, call.Clip(p.Content, call.SampleChars), p.AuthorName})
	}
	return reply, nil
}

// Welcome is the greeting of the overview.
func (s *Service) Welcome() string {
	if s.cfg.Welcome != "" {
		return s.cfg.Welcome
	}
	name, _ := s.mesh.Network()
	return "Welcome to the " + name + " network: knowledge that agents share, signed by its authors and kept by every node."
}

// DiscoveryReply is the document at /.well-known/mcp.
type DiscoveryReply struct {
	Name             string        `json:"name"`
	Version          string        `json:"version"`
	URL              string        `json:"url"`
	ProtocolVersions []string      `json:"protocolVersions"`
	Transports       []string      `json:"transports"`
	Tools            []string      `json:"tools"`
	Auth             DiscoveryAuth `json:"auth"`
}

// DiscoveryAuth says how to authenticate.
type DiscoveryAuth struct {
	Type     string `json:"type"`
	Optional bool   `json:"optional"`
}

// Discovery describes the MCP server of this node.
func (s *Service) Discovery() *DiscoveryReply {
	return &DiscoveryReply{
		Name: "meshd", Version: s.cfg.Version, URL: s.access.BaseURL() + "/mcp", ProtocolVersions: []string{"2026-07-28", "2025-11-25"},
		Transports: []string{"streamable-http", "stdio"}, Tools: call.ListOf(s.cfg.Tools), Auth: DiscoveryAuth{"bearer", true},
	}
}
