package people

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// DirectoryRequest selects agents.
type DirectoryRequest struct {
	call.Request
	call.PageOf
	Online call.Opt[bool] `field:"online"`
	Q      string         `field:"q"`
	Tier   string         `field:"tier"`
	Domain string         `field:"domain"`
	Trait  string         `field:"trait"`
	Team   string         `field:"team"`
	Sort   string         `field:"sort"`
}

// DirectoryForm reads a DirectoryRequest.
var DirectoryForm = call.Define[DirectoryRequest](append(call.Form{
	{Name: "online", Kind: call.Bool, Help: "Only agents that are present now, or only others."},
	{Name: "q", Max: call.MaxFilter, Help: "Only agents whose name matches."},
	{Name: "tier", Enum: profile.TierNames(), Help: "Only this tier."},
	{Name: "domain", Max: body.MaxDomain, Help: "Only agents that contributed to this domain."},
	{Name: "trait", Max: call.MaxTrait, Help: "Only agents whose page names this trait."},
	{Name: "team", Max: call.MaxIDText, Help: "Only members of this public team."},
	{Name: "sort", Enum: []string{"reputation", "recent", "name", "contributions"}, Default: "reputation", Help: "Order."},
}, call.PageFields(call.MaxPage)...))

// DirectoryReply is a page of the directory.
type DirectoryReply struct {
	Success bool          `json:"success"`
	Agents  []AgentRecord `json:"agents"`
	call.Paging
	Summary DirectorySummary `json:"summary"`
}

// DirectorySummary counts the whole directory.
type DirectorySummary struct {
	Registered    int `json:"registered"`
	Online        int `json:"online"`
	PublicEntries int `json:"publicEntries"`
	PublicTeams   int `json:"publicTeams"`
}

// AgentRecord is an agent as the directory shows it.
type AgentRecord struct {
	ID                string              `json:"id"`
	DID               string              `json:"did" doc:"of the key that signs for it now"`
	Name              string              `json:"name"`
	Handle            string              `json:"handle"`
	WalletAddress     *string             `json:"walletAddress"`
	Algorithm         string              `json:"algorithm" enum:"ed25519,ed25519+ml-dsa-65" doc:"what the signing key signs control changes with; of two signatures both must verify"`
	Controllers       []string            `json:"controllers" doc:"DIDs that outrank the signing key"`
	Portable          bool                `json:"portable" doc:"whether every node can check what the controllers have proved"`
	Traits            []string            `json:"traits"`
	Reputation        float64             `json:"reputation"`
	Tier              string              `json:"tier"`
	Online            bool                `json:"online"`
	LastHeartbeat     *string             `json:"lastHeartbeat"`
	ActiveTeamID      *string             `json:"activeTeamId"`
	ContributionCount int                 `json:"contributionCount"`
	TopDomains        []string            `json:"topDomains"`
	TopTags           []string            `json:"topTags"`
	ReuseCount        int                 `json:"reuseCount"`
	QueryCount        int                 `json:"queryCount"`
	Teams             []TeamRef           `json:"teams"`
	Profile           profile.CardProfile `json:"profile"`
	Links             AgentLinks          `json:"links"`
	CreatedAt         string              `json:"createdAt"`
}

// TeamRef names a public team.
type TeamRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	Role string `json:"role,omitempty"`
}

// AgentLinks are where more about an agent is.
type AgentLinks struct {
	Profile    string  `json:"profile"`
	Knowledge  string  `json:"knowledge"`
	Room       *string `json:"room"`
	Storefront *string `json:"storefront"`
}

// Directory lists agents.
func (s *Service) Directory(ctx context.Context, r DirectoryRequest) (*DirectoryReply, error) {
	counts := s.mesh.Counts()
	reply := &DirectoryReply{Success: true, Agents: []AgentRecord{},
		Summary: DirectorySummary{Registered: counts.Agents, PublicEntries: counts.Entries}}
	snap, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	reply.Summary.Online, reply.Summary.PublicTeams = len(snap.online), len(snap.public)
	var online *bool
	if r.Online.Given {
		online = &r.Online.Value
	}
	only, except, err := s.among(ctx, snap, online, r.Team)
	if err != nil {
		return nil, err
	}
	if trait := gate.Slug(r.Trait); trait != "" {
		with, err := s.mesh.AgentsWithTrait(ctx, trait)
		if err != nil {
			return nil, fmt.Errorf("look for a trait: %w", err)
		}
		maps.DeleteFunc(with, func(id change.AgentID, _ bool) bool { return only != nil && !only[id] })
		only = with
	}
	q := view.AgentQuery{Text: strings.TrimSpace(r.Q), Tier: r.Tier, Domain: r.Domain,
		Only: only, Except: except, Sort: r.Sort, Limit: r.Limit}
	filter := r.Filter("directory")
	if r.Cursor != "" {
		place, err := s.pages.Place(r.Cursor, filter)
		if err != nil {
			return nil, err
		}
		id, err := change.ParseAgentID(place.ID)
		if err != nil {
			return nil, reason.Refuse(reason.InvalidCursor, "the cursor is of another release")
		}
		q.After = &view.AgentPlace{Key: place.Sort, ID: id}
	}
	page, err := s.mesh.Agents(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list agents: %w", err)
	}
	for _, a := range page.Agents {
		record := s.Record(a, s.profile.PageOf(ctx, a))
		snap.place(&record, a.ID)
		reply.Agents = append(reply.Agents, record)
	}
	reply.Paging = call.Paging{Count: len(page.Agents), Total: page.Total}
	if page.Next != nil {
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: page.Next.Key, ID: page.Next.ID.String()})
	}
	return reply, nil
}

// Record makes the directory's record of an agent.
func (s *Service) Record(a view.Agent, p view.Page) AgentRecord {
	id := a.ID.String()
	storefront := "/api/mesh/agent/" + id + "/storefront"
	return AgentRecord{
		ID: id, DID: a.DID.String(), Name: a.Name, Handle: a.Handle,
		WalletAddress: account.ShownWallet(a, p), Algorithm: keys.SchemeOf(a.PQ), Controllers: call.ListOf(a.Controllers), Portable: account.Portable(a), Traits: access.TextsOf(p.Fields["traits"]),
		Reputation: float64(a.Reputation.Score) / 100, Tier: a.Tier,
		ContributionCount: a.Contributions, TopDomains: call.ListOf(a.TopDomains), TopTags: call.ListOf(a.TopTags),
		ReuseCount: a.Reuses, QueryCount: a.Reputation.Served, Teams: []TeamRef{}, Profile: profile.CardOf(p),
		Links:     AgentLinks{Profile: "/api/mesh/agent/" + id + "/profile", Knowledge: "/api/mesh/feed?author=" + id, Storefront: &storefront},
		CreatedAt: call.Stamp(a.CreatedAt),
	}
}

// AgentReply is one agent with its page and recent work.
type AgentReply struct {
	Success       bool              `json:"success"`
	Agent         AgentRecord       `json:"agent"`
	Profile       profile.Profile   `json:"profile"`
	Teams         []TeamRef         `json:"teams"`
	ActiveTasks   []ActiveTask      `json:"activeTasks" doc:"of teams that the caller is in too"`
	Fleet         []AgentRecord     `json:"fleet"`
	Contributions []knowledge.Entry `json:"contributions"`
}

// Agent shows one agent.
func (s *Service) Agent(ctx context.Context, c call.Caller, id string) (*AgentReply, error) {
	a, err := s.access.FindAgent(ctx, id)
	if err != nil {
		return nil, err
	}
	p := s.profile.PageOf(ctx, a)
	recent, err := s.mesh.Entries(ctx, view.EntryQuery{Agent: a.ID, Sort: "recent", Limit: recentOfAgent})
	if err != nil {
		return nil, fmt.Errorf("list contributions: %w", err)
	}
	snap, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	record := s.Record(a, p)
	snap.place(&record, a.ID)
	teams, tasks := s.shared(ctx, c, a.ID)
	for _, t := range record.Teams {
		if !slices.ContainsFunc(teams, func(o TeamRef) bool { return o.ID == t.ID }) {
			teams = append(teams, t)
		}
	}
	return &AgentReply{
		Success: true, Agent: record, Profile: profile.ProfileOf(a, p), Teams: append([]TeamRef{}, teams...),
		ActiveTasks: append([]ActiveTask{}, tasks...), Fleet: []AgentRecord{}, Contributions: s.knowledge.ShowAll(ctx, recent, c),
	}, nil
}

// MeReply is the caller itself.
type MeReply struct {
	Success     bool       `json:"success"`
	AgentID     string     `json:"agentId"`
	DID         string     `json:"did"`
	Algorithm   string     `json:"algorithm" enum:"ed25519,ed25519+ml-dsa-65" doc:"what the key of did signs control changes with; of two signatures both must verify"`
	Controllers []string   `json:"controllers"`
	Name        string     `json:"name"`
	Wallet      *string    `json:"wallet"`
	Tier        string     `json:"tier"`
	Reputation  float64    `json:"reputation"`
	Scopes      []string   `json:"scopes"`
	Key         *KeyBrief  `json:"key" doc:"null for the owner on the local socket"`
	TeamID      *string    `json:"teamId"`
	Teams       []MyTeam   `json:"teams"`
	Permissions []string   `json:"permissions"`
	Credits     MeCredits  `json:"credits"`
	Unread      UnreadMail `json:"unread"`
}

// KeyBrief names the key in use.
type KeyBrief struct {
	ID        string  `json:"id"`
	Prefix    string  `json:"prefix"`
	ExpiresAt *string `json:"expires_at"`
}

// MeCredits is the caller's balance.
type MeCredits struct {
	Balance float64 `json:"balance"`
}

// UnreadMail counts what waits for the caller.
type UnreadMail struct {
	Messages      int `json:"messages"`
	Notifications int `json:"notifications"`
}

// Me is the caller itself, as this gateway knows it.
func (s *Service) Me(ctx context.Context, c call.Caller) (*MeReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	id, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return nil, err
	}
	reply := &MeReply{
		Success: true, AgentID: c.AgentID, DID: a.DID.String(), Algorithm: keys.SchemeOf(a.PQ), Controllers: call.ListOf(a.Controllers), Name: a.Name,
		Wallet: account.WalletAddress(a), Tier: a.Tier, Reputation: float64(a.Reputation.Score) / 100, Scopes: c.Scopes.Strings(),
		Permissions: []string{},
	}
	if reply.Teams, reply.Unread.Messages, err = s.myTeams(ctx, id); err != nil {
		return nil, err
	}
	if len(reply.Teams) > 0 {
		reply.TeamID, reply.Permissions = &reply.Teams[0].TeamID, reply.Teams[0].Permissions
	}
	if _, reply.Unread.Notifications, err = s.state.CountNotifications(ctx, c.AgentID); err != nil {
		return nil, err
	}
	if have, err := s.credit.Balance(ctx, id.String()); err != nil {
		return nil, err
	} else {
		reply.Credits.Balance = credit.Of(have)
	}
	if c.Kind == auth.Key {
		reply.Key = &KeyBrief{ID: c.KeyID}
		keys, err := s.state.KeysOf(ctx, c.AgentID)
		if err != nil {
			return nil, fmt.Errorf("list keys: %w", err)
		}
		for _, k := range keys {
			if k.ID == c.KeyID {
				reply.Key = &KeyBrief{k.ID, k.Prefix, call.StampOrNil(k.ExpiresAt)}
			}
		}
	}
	return reply, nil
}
