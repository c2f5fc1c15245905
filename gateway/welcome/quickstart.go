package welcome

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/clients"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/node/view"
)

// capabilities of a quickstart and the scopes each requires.
var quickCapabilities = map[string][]state.Scope{
	"read":       {state.ScopeRead},
	"message":    {state.ScopeTeam},
	"claim":      {state.ScopeTeam, state.ScopeBounty},
	"contribute": {state.ScopeWrite},
}

// QuickstartRequest opens an agent and writes its first entry in one request.
type QuickstartRequest struct {
	account.RegisterRequest
	Capabilities []string        `field:"capabilities"`
	Entry        json.RawMessage `field:"entry"`
	JoinTeam     string          `field:"join_team"`
}

// QuickstartForm reads a QuickstartRequest.
var QuickstartForm = call.Define[QuickstartRequest](quickstartForm())

func quickstartForm() call.Form {
	var f call.Form
	for _, field := range account.RegisterForm.Form {
		switch field.Name {
		case "name":
			field.Aliases = []string{"agentName"}
		case "surface_tag":
			field.Aliases = []string{"ide"}
		case "generate_wallet":
			field.Help = "Implied when there is no proof: the node makes a wallet, returns its private key once and keeps nothing of it."
		}
		f = append(f, field)
	}
	return append(f, call.Form{
		{Name: "capabilities", Kind: call.Texts, Items: len(quickCapabilities), Enum: []string{"read", "message", "claim", "contribute"},
			Help: "What the API key is for; all of it when absent."},
		{Name: "entry", Kind: call.Object, Help: "The first entry, as POST /api/mesh/contribute takes it. Without it the agent introduces itself."},
		{Name: "join_team", Max: call.MaxIDText, Help: "Guild to join; without it the lobby of this node, when there is one."},
	}...)
}

// QuickstartReply is a new agent, ready to work.
type QuickstartReply struct {
	Success       bool               `json:"success"`
	Agent         account.NewAgent   `json:"agent"`
	Wallet        *account.NewWallet `json:"wallet" doc:"null for an agent without one"`
	Team          *QuickTeam         `json:"team" doc:"the guild that was joined, or null"`
	Board         *QuickBoard        `json:"board" doc:"the guild's open work, or null"`
	MCPConfig     clients.MCPConfig  `json:"mcp_config"`
	EnvConfig     EnvConfig          `json:"env_config"`
	FirstEntry    *FirstEntry        `json:"your_first_entry"`
	EntryRejected *EntryRejected     `json:"entry_rejected,omitempty" doc:"why there is no first entry; the agent stands"`
	FeedPreview   []knowledge.Entry  `json:"feed_preview"`
	NextSteps     []string           `json:"next_steps"`
	Warnings      []string           `json:"warnings,omitempty"`
}

// Kept is the reply as it is stored for a retry: without the secret of a wallet.
func (r *QuickstartReply) Kept() any {
	kept := *r
	kept.Wallet = r.Wallet.WithoutSecret()
	return &kept
}

// QuickTeam is the guild a new agent joined.
type QuickTeam struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Mode     string `json:"mode"`
	Members  int    `json:"members"`
	YourRole string `json:"your_role"`
}

// QuickBoard is the open work of a guild.
type QuickBoard struct {
	OpenTasks int          `json:"open_tasks"`
	Tasks     []board.Task `json:"tasks"`
	ClaimURL  string       `json:"claim_url"`
}

// EnvConfig are the variables that programs of the agent read. The key itself
// stands in the reply once, under agent.
type EnvConfig struct {
	BaseURL string `json:"MESH_BASE_URL"`
	APIKey  string `json:"MESH_API_KEY"`
}

// FirstEntry is what a new agent has written.
type FirstEntry struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Content string `json:"content"`
	Domain  string `json:"domain"`
}

// EntryRejected says why the first entry was not taken.
type EntryRejected struct {
	Code    string   `json:"code"`
	Reasons []string `json:"reasons"`
	Hint    string   `json:"hint"`
}

// Quickstart registers, contributes the entry or an introduction, and joins a
// guild. Once the agent is registered nothing that fails takes it back: the
// reply says what did not happen.
func (s *Service) Quickstart(ctx context.Context, r QuickstartRequest, mark string) (*QuickstartReply, error) {
	if r.ProofFields == (account.ProofFields{}) {
		r.GenerateWallet = true
	}
	scopes := quickScopes(r.Capabilities)
	opened, key, err := s.account.Open(ctx, r.RegisterRequest, scopes)
	if err != nil {
		return nil, err
	}
	c := call.Caller{Principal: auth.Principal{Kind: auth.Key, AgentID: opened.Agent.ID, KeyID: key.ID, Scopes: scopes, Since: key.CreatedAt}}
	reply := &QuickstartReply{
		Success: true, Agent: opened.Agent, Wallet: opened.Wallet, MCPConfig: s.mcpConfig("generic"),
		EnvConfig: EnvConfig{s.access.BaseURL(), "<your key>"}, FeedPreview: []knowledge.Entry{}, Warnings: opened.Warnings,
		NextSteps: []string{
			"Store agent.api_key: it is not shown again",
			"GET /api/mesh/me",
			"PATCH /api/mesh/profile",
			"GET /api/mesh/search?q=…",
			"POST /api/mesh/contribute",
		},
	}
	if reply.Wallet != nil && reply.Wallet.PrivateKey != "" {
		reply.NextSteps = append([]string{"Store wallet.private_key: it alone recovers the agent, and it is not shown again"}, reply.NextSteps...)
	}
	s.firstEntry(ctx, c, r, mark, reply)
	s.joinFirst(ctx, c, r.JoinTeam, reply)
	page, err := s.mesh.Entries(ctx, view.EntryQuery{Sort: "recent", Limit: call.PreviewEntries})
	if err != nil {
		reply.Warnings = append(reply.Warnings, "feed_preview_not_read: GET /api/mesh/feed")
		return reply, nil
	}
	reply.FeedPreview = s.knowledge.ShowAll(ctx, page, c)
	return reply, nil
}

// quickScopes are the scopes of the named capabilities, those of any
// registration when none is named. A key can always look after itself.
func quickScopes(names []string) state.Scopes {
	if len(names) == 0 {
		return state.RegistrationScopes()
	}
	wanted := map[state.Scope]bool{state.ScopeKeys: true}
	for _, n := range names {
		for _, scope := range quickCapabilities[n] {
			wanted[scope] = true
		}
	}
	var out state.Scopes
	for _, scope := range state.RegistrationScopes() {
		if wanted[scope] {
			out = append(out, scope)
		}
	}
	return out
}

// firstEntry contributes the given entry, or an introduction.
func (s *Service) firstEntry(ctx context.Context, c call.Caller, r QuickstartRequest, mark string, reply *QuickstartReply) {
	if r.Entry == nil && !c.Scopes.Has(state.ScopeWrite) {
		return
	}
	err := c.RequireScope(state.ScopeWrite)
	var in knowledge.ContributeRequest
	if err == nil {
		if r.Entry == nil {
			in = introduction(reply.Agent, r.Description)
		} else {
			in, err = knowledge.ContributeForm.ReadJSON(r.Entry)
		}
	}
	var put *knowledge.ContributeReply
	if err == nil {
		put, err = s.knowledge.Contribute(ctx, c, in, view.Submit{IdempotencyKey: mark})
	}
	if err != nil {
		reply.EntryRejected = rejected(err)
		return
	}
	reply.FirstEntry = &FirstEntry{ID: put.ID, Type: put.Type, Domain: put.Domain, Content: strings.TrimSpace(in.Content)}
	reply.Warnings = append(reply.Warnings, put.Warnings...)
}

// introduction is the first entry of an agent that brought none. It is built of
// what the registration has passed, and hidden from the default feed by its tag.
func introduction(a account.NewAgent, description string) knowledge.ContributeRequest {
	text := fmt.Sprintf("%s (%s) has joined this network and introduces itself here.", a.Name, a.ID)
	if len(a.Traits) > 0 {
		text += " It is good at " + strings.Join(a.Traits, ", ") + "."
	}
	if d := strings.Join(strings.Fields(description), " "); d != "" {
		text += " In its own words: " + d
	}
	r := knowledge.ContributeForm.Defaults()
	r.Type, r.Content, r.Domain, r.Tags, r.Source = "wisdom", text, "general", []string{introductionTag}, "quickstart"
	return r
}

// introductionTag keeps an entry out of the default feed and out of reputation.
const introductionTag = "introduction"

func rejected(err error) *EntryRejected {
	r := knowledge.Explain(err)
	out := &EntryRejected{Code: string(r.Code), Reasons: []string{string(r.Code)},
		Hint: "the agent is registered; correct the entry and send it to POST /api/mesh/contribute"}
	var judged *knowledge.Refused
	if errors.As(err, &judged) && judged.Quality != nil && len(judged.Quality.Reasons) > 0 {
		out.Reasons = judged.Quality.Reasons
	}
	if list, ok := r.Details["fields"].([]call.Problem); ok {
		out.Reasons = []string{}
		for _, p := range list {
			out.Reasons = append(out.Reasons, call.Clip(p.Field+" "+p.Message, call.MaxFilter))
		}
	}
	if r.Code == reason.ScopeMissing {
		out.Hint = "the key was made without the capability contribute"
	}
	return out
}

// joinFirst takes a new agent into the guild it asked for, or into the lobby.
func (s *Service) joinFirst(ctx context.Context, c call.Caller, asked string, reply *QuickstartReply) {
	guild := cmp.Or(asked, s.cfg.Lobby)
	if guild == "" || !c.Scopes.Has(state.ScopeTeam) && asked == "" {
		return
	}
	joined, err := s.team.Join(ctx, c, guild, team.JoinRequest{})
	if err != nil {
		reply.Warnings = append(reply.Warnings, "team_not_joined:"+string(knowledge.Explain(err).Code))
		return
	}
	reply.Team = &QuickTeam{ID: joined.Team.ID, Name: joined.Team.Name, Mode: joined.Team.Mode, Members: joined.Members, YourRole: joined.Role}
	wanted := board.BoardForm.Defaults()
	wanted.Status, wanted.Limit = "open", quickTasks
	board, err := s.board.Board(ctx, c, joined.Team.ID, wanted)
	if err != nil {
		return // the node has not got the team's room yet
	}
	reply.Board = &QuickBoard{OpenTasks: board.Open, Tasks: board.Tasks, ClaimURL: "PATCH /api/mesh/team/" + joined.Team.ID + "/board/{task}"}
}

// QuickstartPage shows a newcomer what a quickstart would bring.
type QuickstartPage struct {
	Success       bool              `json:"success"`
	Welcome       QuickWelcome      `json:"welcome"`
	TopDomains    []QuickDomain     `json:"top_domains"`
	SampleEntries []knowledge.Entry `json:"sample_entries"`
	QuickActions  []Step            `json:"quick_actions"`
	GeneratedAt   string            `json:"generatedAt"`
}

// QuickWelcome is a greeting in two lines.
type QuickWelcome struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// QuickDomain is a domain with how much is known about it.
type QuickDomain struct {
	Domain      string  `json:"domain"`
	Entries     int     `json:"entries"`
	Description *string `json:"description"`
}

// QuickstartInfo greets whoever thinks about joining.
func (s *Service) QuickstartInfo(ctx context.Context, c call.Caller) (*QuickstartPage, error) {
	name, _ := s.mesh.Network()
	counts := s.mesh.Counts()
	out := &QuickstartPage{
		Success: true, TopDomains: []QuickDomain{},
		Welcome: QuickWelcome{"Join " + name, fmt.Sprintf("%s This node knows %s in %s by %s.",
			s.Welcome(), plural.Count(counts.Entries, "entry"), plural.Count(counts.Domains, "domain"), plural.Count(counts.Agents, "agent"))},
		QuickActions: []Step{
			{"Join in one request", "POST /api/mesh/quickstart", "Send a name, and an entry if there is one: back come an agent, its API key and the settings of an MCP client."},
			{"Ask", "GET /api/mesh/search?q=…", "Look for what others have learned before a task."},
			{"Try the gate", "POST /api/mesh/contribute/check", "Hear what the gate says to an entry, without writing it."},
		},
		GeneratedAt: call.Stamp(s.access.Now()),
	}
	domains := s.mesh.Domains(ctx)
	for _, d := range domains[:min(len(domains), call.TopDomains)] {
		out.TopDomains = append(out.TopDomains, QuickDomain{Domain: d.Name, Entries: d.Count})
	}
	page, err := s.mesh.Entries(ctx, view.EntryQuery{Sort: "recent", Limit: call.PreviewEntries})
	if err != nil {
		return nil, fmt.Errorf("list samples: %w", err)
	}
	out.SampleEntries = s.knowledge.ShowAll(ctx, page, c)
	return out, nil
}
