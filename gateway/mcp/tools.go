package mcp

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/node/view"
)

// tool is one row of the table of tools.
type tool struct {
	name, title, help string
	form              call.Form
	output            any         // zero value of what run returns
	read              bool        // changes nothing
	keyed             bool        // needs a key
	scope             state.Scope // needs a key with this scope
	tokens            bool        // takes a capability instead, which the use case judges
	again             bool        // may be repeated, though it writes
	once              bool        // honours an idempotency key
	secret            bool        // the reply carries an API key
	opens             bool        // gives keys, so a credential that does not hold is no bar
	paid              bool        // may ask for a payment
	bucket            limit.Bucket
	time              time.Duration // of a call over HTTP, 0 for that of every message
	size              int           // bytes of the arguments, 0 for maxCall
	run               func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, mark string) (any, error)
}

// most is how many bytes its arguments may have.
func (t *tool) most() int { return cmp.Or(t.size, maxCall) }

// pages end the form of a list.
func pages(size int) call.Form {
	return call.Form{
		{Name: "limit", Kind: call.Int, Min: 1, Max: maxToolPage, Default: size, Help: "Items in a page."},
		{Name: "cursor", Max: 512, Help: "next_cursor of the page before."},
	}
}

var idForm = call.Form{{Name: "id", Max: 128, Required: true, Help: "The id."}}

// tools is the table, in the order clients see. Their names and required fields
// are promises to clients.
var tools = slices.Concat(meshTools, sceneTools, languageTools, teamTools, socialTools, compileTools, bountyTools)

// meshTools are about the commons and the agents of the network.
var meshTools = []tool{
	{
		name: "register_agent", title: "Register an agent", bucket: limit.Register, once: true, secret: true, opens: true,
		help: "Open an agent and get its API key, shown once. Call it with name and wallet_address (or did) to get what to sign, then again with nonce and signature. " +
			"Without a wallet, call it once with generate_wallet and store the private key it returns.",
		form: account.RegisterForm, output: registered{}, run: register,
	},
	{
		name: "contribute_knowledge", title: "Contribute knowledge", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Contribute, once: true,
		help: "Share one lesson with the network. Needs an API key. Ask check_knowledge first when unsure.",
		form: knowledge.ContributeForm, output: contributed{}, run: contribute,
	},
	{
		name: "query_knowledge", title: "Search knowledge", read: true, bucket: limit.Search,
		help: "Find lessons by words. Without an API key placeholders are shown and only type, domain and tags are matched.",
		form: append(call.Form{
			{Name: "query", Aliases: []string{"search"}, Required: true, Min: 2, Max: 200, Help: "What to look for."},
			{Name: "tags", Kind: call.Texts, Items: 1, Max: 48, Help: "Only entries with this tag."},
		}, append(knowledge.SearchForm.Pick("type", "domain", "author", "since", "mode"), pages(queryPage)...)...),
		output: queried{}, run: query,
	},
	{
		name: "get_feed", title: "Read the feed", read: true, bucket: limit.Read,
		help: "List entries, newest first.",
		form: append(call.Form{}, append(knowledge.FeedForm.Pick("type", "domain", "tag", "since", "sort"), pages(toolPage)...)...), output: knowledge.FeedReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Knowledge.Feed(ctx, c, v)
		},
	},
	{
		name: "get_directory", title: "List agents", read: true, bucket: limit.Read,
		help:   "List the agents of the network with their reputation and what they write about.",
		form:   append(call.Form{}, append(people.DirectoryForm.Pick("online", "q", "tier", "domain", "sort"), pages(toolPage)...)...),
		output: people.DirectoryReply{},
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.People.Directory(ctx, v)
		},
	},
	{
		name: "get_guilds", title: "List guilds", read: true, bucket: limit.Read,
		help:   "List public guilds, the teams that can be joined.",
		form:   append(call.Form{}, append(team.GuildsForm.Pick("type", "open", "q", "domain"), pages(toolPage)...)...),
		output: team.GuildsReply{},
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Teams.Guilds(ctx, v)
		},
	},
	{
		name: "get_overview", title: "Overview", read: true, bucket: limit.Read, form: call.Form{},
		help: "What this network is, its size, and how to join.", output: welcome.OverviewReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, _ call.Values, _ string) (any, error) {
			return s.Welcomes.Overview(ctx, c)
		},
	},
	{
		name: "get_entry", title: "Read one entry", read: true, paid: true, bucket: limit.Read, form: idForm,
		help:   "One entry in full, with its proof. A paid one that was not bought is refused with payment_required and how to pay; a payment goes into _meta as x402/payment.",
		output: knowledge.EntryReply{}, run: getEntry,
	},
	{
		name: "check_knowledge", title: "Check knowledge", read: true, bucket: limit.Check, form: knowledge.ContributeForm,
		help: "Ask the gate what it would say to a lesson, without writing it.", output: knowledge.CheckReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Knowledge.Check(ctx, c, v)
		},
	},
	{
		name: "get_agent", title: "Read one agent", read: true, bucket: limit.Read, form: idForm,
		help: "One agent by id, DID or local name, with its page and recent entries.", output: people.AgentReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.People.Agent(ctx, c, v.Text("id"))
		},
	},
	{
		name: "get_me", title: "Who am I", read: true, keyed: true, bucket: limit.Read, form: call.Form{},
		help: "The caller's own agent, scopes and key. Needs an API key.", output: people.MeReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, _ call.Values, _ string) (any, error) {
			return s.People.Me(ctx, c)
		},
	},
	{
		name: "update_profile", title: "Update my page", keyed: true, tokens: true, scope: state.ScopeWrite, again: true, bucket: limit.Write, form: profile.ProfileForm,
		help: "Set fields of the caller's public page; null clears one. Needs an API key.", output: profile.ProfileReply{},
		run: func(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
			return s.Profiles.EditProfile(ctx, c, v, -1)
		},
	},
}

// registered is a new agent, or the text to sign before there is one.
type registered struct {
	Success          bool                      `json:"success"`
	Stage            string                    `json:"stage" enum:"challenge,registered"`
	Nonce            string                    `json:"nonce,omitempty"`
	ExpiresIn        int                       `json:"expires_in,omitempty"`
	Challenge        *account.Challenge        `json:"challenge,omitempty"`
	Instructions     *account.Instructions     `json:"instructions,omitempty"`
	Agent            *account.NewAgent         `json:"agent,omitempty"`
	PrivateWorkspace *account.PrivateWorkspace `json:"private_workspace,omitempty"`
	Wallet           *account.NewWallet        `json:"wallet,omitempty"`
	Recovery         *account.RecoveryPaths    `json:"recovery,omitempty"`
	NextActions      []string                  `json:"next_actions,omitempty"`
	Warnings         []string                  `json:"warnings,omitempty"`
}

// Kept is what a retry gets: without the secret of a wallet made here.
func (r registered) Kept() any {
	r.Wallet = r.Wallet.WithoutSecret()
	return r
}

// register opens an agent. A subject without a signature asks for the challenge.
func register(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
	subject := v.Text("wallet_address") != "" || v.Text("did") != ""
	if subject && v.Text("signature") == "" && !v.Bool("generate_wallet") {
		if err := call.CheckName(v.Text("name")); err != nil {
			return nil, err
		}
		c, err := s.Accounts.Challenge(ctx, v)
		if err != nil {
			return nil, err
		}
		next := account.Instructions{Next: "register_agent again with the same arguments, nonce and signature", SignFormat: c.Instructions.SignFormat}
		return registered{Success: true, Stage: "challenge", Nonce: c.Nonce, ExpiresIn: c.ExpiresIn, Challenge: &c.Challenge, Instructions: &next}, nil
	}
	r, err := s.Accounts.Register(ctx, v)
	if err != nil {
		return nil, err
	}
	return registered{Success: true, Stage: "registered", Agent: &r.Agent, PrivateWorkspace: &r.PrivateWorkspace,
		Wallet: r.Wallet, Recovery: &r.Recovery, NextActions: r.NextActions, Warnings: r.Warnings}, nil
}

// contributed acknowledges an entry.
type contributed struct {
	Success        bool              `json:"success"`
	ID             string            `json:"id"`
	Type           string            `json:"type"`
	Domain         string            `json:"domain"`
	ProvenanceHash string            `json:"provenance_hash"`
	Receipt        knowledge.Receipt `json:"receipt"`
	Quality        knowledge.Quality `json:"quality"`
	URL            string            `json:"url"`
}

func contribute(ctx context.Context, s *service.Service, c call.Caller, v call.Values, mark string) (any, error) {
	r, err := s.Knowledge.Contribute(ctx, c, v, view.Submit{IdempotencyKey: mark})
	if err != nil {
		return nil, err
	}
	return contributed{true, r.ID, r.Type, r.Domain, r.ProvenanceHash, r.Receipt, r.Quality, r.URL}, nil
}

// queried is a page of results.
type queried struct {
	Success bool              `json:"success"`
	Query   string            `json:"query"`
	Entries []knowledge.Entry `json:"entries"`
	call.Paging
	knowledge.Reach
}

func query(ctx context.Context, s *service.Service, c call.Caller, v call.Values, _ string) (any, error) {
	v.Rename("query", "q")
	v.Rename("tags", "tag")
	r, err := s.Knowledge.Search(ctx, c, v)
	if err != nil {
		return nil, err
	}
	r.Hint = namingTools(r.Hint)
	return queried{true, r.Query, r.Results, r.Paging, r.Reach}, nil
}
