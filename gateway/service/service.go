// Package service puts the use cases of a gateway together: one room a domain, free of any
// protocol, which the HTTP face (gateway/rest) and the MCP face (gateway/mcp) both call, so
// that a rule stands in one place and both faces answer the same.
//
// Callers pass who asks (a call.Caller) and a request read by one of the Forms of a room,
// and get back objects that encode to the bodies of the API. Each room says in its Node what
// it needs of the node behind. Start with New.
package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/changes"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/guestbook"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/moderation"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/runtime"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/gateway/stream"
	"github.com/meshd/meshd/gateway/team"
	"github.com/meshd/meshd/gateway/trail"
	"github.com/meshd/meshd/gateway/visit"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/gateway/workshop"
)

// Config tunes a Service. Zero values are sensible but for Version.
type Config struct {
	Version string
	DID     string   // of this gateway, the audience of tokens; "" when it takes none
	Welcome string   // "" : one line naming the network
	Lobby   string   // guild that a quickstart joins when it names none; "" for none
	Tools   []string // names of the live MCP tools, in their order
	// NetworkFile is what newcomers are given to join the network; nil: it is not published.
	NetworkFile func() (string, error)
	// BaseURL is the address others reach this gateway by, without a final
	// slash. It is asked for each reply, because a listener may take its port
	// late. Nil: replies name paths alone.
	BaseURL func() string
	// SellsAt is the public address that paid entries name as the place where they are
	// bought; "" for a gateway that others cannot reach by a name.
	SellsAt string
	Wallets account.Wallets
	Market  market.Market
	Journal journal.Config // of the stream of events; its clock is Now
	// Random is the source of wallets made here, crypto/rand.Reader when nil.
	Random io.Reader
	// Now is the clock, time.Now when nil.
	Now func() time.Time
	// Log records what failed and is tried again; nil: nothing is logged.
	Log *slog.Logger
	// Checks are conditions of readiness that the node does not know; nil: none.
	Checks func() map[string]bool
}

// Service has the rooms of the use cases. It is safe for concurrent use.
type Service struct {
	Access       *access.Service
	Accounts     *account.Service
	Capabilities *capability.Service
	Boards       *board.Service
	Bounties     *bounty.Service
	Comments     *comment.Service
	Changes      *changes.Service
	Credits      *credit.Service
	Guestbooks   *guestbook.Service
	Escrows      *escrow.Service
	Knowledge    *knowledge.Service
	Market       *market.Service
	Memory       *memory.Service
	Moderation   *moderation.Service
	Notices      *notice.Service
	People       *people.Service
	Profiles     *profile.Service
	Runs         *runtime.Service // programs that run
	Scenes       *scene.Service   // sources: what they mean, compiled and drawn
	Status       *status.Service
	Streams      *stream.Service
	Teams        *team.Service
	Trails       *trail.Service
	Visits       *visit.Service
	Welcomes     *welcome.Service

	state *state.DB
	now   func() time.Time
	owed  *owed.Keeper
}

// New returns the rooms over a node and the gateway's own state. It keeps no
// goroutine; Housekeeping is the caller's to run.
func New(node Node, st *state.DB, cursors *cursor.Codec, limits *limit.Limiter, cfg Config) (*Service, error) {
	if node == nil || st == nil || cursors == nil || limits == nil {
		return nil, errors.New("service needs a node, a state, cursors and limits")
	}
	cfg.fill()
	events, err := journal.New(node, st, cfg.Journal)
	if err != nil {
		return nil, err
	}
	s := &Service{state: st, now: cfg.Now}
	s.owed = owed.New(st, cfg.Now, cfg.Log, map[string]owed.Act{
		state.OwedSale:   func(ctx context.Context, o state.Owed) error { return s.Market.NotifySale(ctx, o) },
		state.OwedAnchor: func(ctx context.Context, o state.Owed) error { return s.Trails.Anchor(ctx, o) },
		state.OwedIssued: func(ctx context.Context, o state.Owed) error { return s.Capabilities.RevokeOwed(ctx, o) },
	})
	work, pages := workshop.New(workshop.Config{}), call.NewPages(cursors, cfg.Now)
	a := access.New(node, st, limits, access.Config{Now: cfg.Now, DID: cfg.DID, BaseURL: cfg.BaseURL})
	s.Access = a
	s.Scenes = scene.New(work, cfg.Now, a.BaseURL)
	s.Runs = runtime.New(work, st, cfg.Now)
	s.Trails = trail.New(node, a, st, pages, s.owed)
	s.Notices = notice.New(node, a, st, pages)
	s.Status = status.New(node, a, events, status.Config{Version: cfg.Version, DID: cfg.DID, Tools: cfg.Tools, Checks: cfg.Checks, Facilitator: cfg.Market.Facilitator != nil})
	s.Profiles = profile.New(node, a)
	s.Visits = visit.New(node, a, s.Profiles, s.Scenes)
	s.Memory = memory.New(node, a, s.Visits, pages)
	s.Changes = changes.New(node, a, s.Memory, limits)
	s.Capabilities = capability.New(node, a, st, cfg.Log)
	s.Accounts = account.New(node, a, s.Capabilities, s.Profiles, st, account.Config{Wallets: cfg.Wallets, Service: cfg.DID, Random: cfg.Random})
	s.Credits = credit.New(node, a, st, pages, cfg.Market.StartingCredits)
	s.Boards = board.New(node, a, st, pages)
	s.Escrows = escrow.New(node, a, st)
	s.Bounties = bounty.New(node, a, s.Boards, s.Credits, s.Escrows, st, pages)
	s.Teams = team.New(node, a, s.Capabilities, s.Escrows, s.Profiles, st, pages)
	s.Streams = stream.New(node, a, s.Bounties, s.Memory, s.Teams, st, events)
	s.Comments = comment.New(node, a, pages)
	s.Knowledge = knowledge.New(node, a, s.Comments, st, pages, cfg.SellsAt)
	s.Moderation = moderation.New(node, a, s.Capabilities, s.Comments, st, pages)
	s.Guestbooks = guestbook.New(node, a, s.Comments, s.Notices, st, pages, guestbook.Config{Random: cfg.Random, Log: cfg.Log})
	s.People = people.New(node, a, s.Boards, s.Credits, s.Knowledge, s.Profiles, s.Runs, st, pages, cfg.Version)
	s.Market = market.New(node, a, s.Credits, s.Knowledge, s.Notices, s.People, s.Profiles, st, pages, s.owed, market.Config{Market: cfg.Market, Random: cfg.Random})
	s.Welcomes = welcome.New(node, a, s.Accounts, s.Boards, s.Knowledge, s.Teams,
		welcome.Config{Version: cfg.Version, DID: cfg.DID, Welcome: cfg.Welcome, Lobby: cfg.Lobby, Tools: cfg.Tools, NetworkFile: cfg.NetworkFile})
	return s, nil
}

// fill replaces what is not set.
func (cfg *Config) fill() {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.BaseURL == nil {
		cfg.BaseURL = func() string { return "" }
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	cfg.Journal.Now = cfg.Now
}

// Owed is what this gateway still has to do for what is written already.
func (s *Service) Owed() *owed.Keeper { return s.owed }

// Housekeeping settles registrations that broke off and forgets what is past
// its time. Call it at start and about once a minute.
func (s *Service) Housekeeping(ctx context.Context) error {
	now := s.now()
	claims, err := s.state.Claims(ctx)
	if err != nil {
		return fmt.Errorf("list claims: %w", err)
	}
	var faults []error
	for _, c := range claims {
		if c.Until.Before(now) {
			faults = append(faults, s.Accounts.SettleClaim(ctx, c))
		}
	}
	swept, err := s.state.Sweep(ctx, now)
	faults = append(faults, err)
	for _, name := range swept.ActingKeys {
		faults = append(faults, s.Accounts.DropKey(ctx, name))
	}
	faults = append(faults, s.owed.Work(ctx))
	return errors.Join(append(faults, s.Knowledge.SettleServed(ctx))...)
}
