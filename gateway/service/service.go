package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/runtime"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/workshop"
)

// Config tunes a Service. Zero values are sensible but for Version.
type Config struct {
	Version string
	Welcome string   // "" : one line naming the network
	Lobby   string   // guild that a quickstart joins when it names none; "" for none
	Tools   []string // names of the live MCP tools, in their order
	// BaseURL is the address others reach this gateway by, without a final
	// slash. It is asked for each reply, because a listener may take its port
	// late. Nil: replies name paths alone.
	BaseURL func() string
	Wallets Wallets
	Market  Market
	Journal journal.Config // of the stream of events; its clock is Now
	// Random is the source of wallets made here, crypto/rand.Reader when nil.
	Random io.Reader
	// Now is the clock, time.Now when nil.
	Now func() time.Time
	// Log hears of what failed and is tried again; nil: nothing is logged.
	Log *slog.Logger
	// Checks are conditions of readiness that the node does not know; nil: none.
	Checks func() map[string]bool
}

// Service answers every use case. It is safe for concurrent use.
type Service struct {
	mesh    Mesh
	state   *state.DB
	pages   call.Pages
	limits  *limit.Limiter
	journal *journal.Journal
	reads   *reads
	cfg     Config
	where   whereabouts
	joins   sync.Mutex             // one agent at a time joins a team, so that no place is taken twice
	homes   sync.Mutex             // one step of a bounty whose home is here at a time
	issuing sync.RWMutex           // read by who issues a capability, written by who ends what was issued
	refused map[change.ID]struct{} // steps known to be refused for good; homes guards it

	owed *owed.Keeper

	Scenes *scene.Service   // sources: what they mean, compiled and drawn
	Runs   *runtime.Service // programs that run
}

// New returns a service over a node and the gateway's own state. It keeps no
// goroutine; Housekeeping is the caller's to run.
func New(mesh Mesh, st *state.DB, cursors *cursor.Codec, limits *limit.Limiter, cfg Config) (*Service, error) {
	if mesh == nil || st == nil || cursors == nil || limits == nil {
		return nil, errors.New("service needs a mesh, a state, cursors and limits")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.BaseURL == nil {
		cfg.BaseURL = func() string { return "" }
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	cfg.Wallets.fill()
	cfg.Journal.Now = cfg.Now
	stream, err := journal.New(mesh, st, cfg.Journal)
	if err != nil {
		return nil, err
	}
	work := workshop.New(workshop.Config{})
	s := &Service{mesh: mesh, state: st, pages: call.NewPages(cursors, cfg.Now), limits: limits, journal: stream, reads: newReads(), cfg: cfg,
		Runs: runtime.New(work, st, cfg.Now)}
	s.Scenes = scene.New(work, cfg.Now, s.BaseURL)
	s.owed = owed.New(st, cfg.Now, cfg.Log, map[string]owed.Act{state.OwedSale: s.tellSale, state.OwedAnchor: s.anchorTrail, state.OwedIssued: s.takeBackOwed})
	return s, nil
}

// Owed is what this gateway still has to do for what is written already.
func (s *Service) Owed() *owed.Keeper { return s.owed }

// Allow takes one request of the caller from a bucket. The owner is never
// slowed down.
func (s *Service) Allow(b limit.Bucket, c call.Caller) limit.Decision {
	if c.Kind == auth.Owner {
		return limit.Decision{OK: true}
	}
	return s.limits.Allow(b, limit.Principal{Agent: c.Acts(), Since: s.since(c), Sponsor: s.sponsorOf(c), Addr: c.Addr}, s.cfg.Now())
}

// since is when the agent was made that a caller is or acts for. A key says so
// itself; of who presents a token the record of the agent does.
func (s *Service) since(c call.Caller) time.Time {
	if !c.Since.IsZero() || c.Acts() == "" {
		return c.Since
	}
	return s.bornAt(context.Background(), c.Acts())
}

// bornAt is when an agent was made: here, or where its record says. One that is
// not known is as new as can be.
func (s *Service) bornAt(ctx context.Context, agent string) time.Time {
	if homed, err := s.state.AgentByID(ctx, agent); err == nil {
		return homed.CreatedAt
	}
	if id, err := change.ParseAgentID(agent); err == nil {
		if who, err := s.mesh.Agent(ctx, id); err == nil {
			return who.CreatedAt
		}
	}
	return s.cfg.Now()
}

// Now is the service's clock.
func (s *Service) Now() time.Time { return s.cfg.Now() }

// BaseURL is the address of this gateway, or "".
func (s *Service) BaseURL() string { return call.Clip(s.cfg.BaseURL(), maxPublicURL) }

// writer checks that the caller may write as an agent, and returns which: by an
// API key with a scope, or by a token that holds the ability for the agent's own
// space. A token that acts is used up by it, and the agent must have lent its
// voice to this node.
func (s *Service) writer(ctx context.Context, c call.Caller, need state.Scope, ability string) (change.AgentID, error) {
	if !c.ByToken() {
		if err := c.RequireScope(need); err != nil {
			return change.AgentID{}, err
		}
		return actor(c)
	}
	agent, err := parseActor(c.Acts())
	if err != nil {
		return agent, call.Hinted(reason.CapabilityDenied, "the token names no single agent to act for", "ask for a capability for mesh://<network>/agent/<id>")
	}
	_, network := s.mesh.Network()
	if err := c.May(agent.Space().Resource(network), ability, nil, s.cfg.Now()); err != nil {
		return agent, err
	}
	a, err := s.mesh.Agent(ctx, agent)
	if err != nil {
		return agent, err
	}
	if !a.Local {
		return agent, call.Hinted(reason.Forbidden, "this node holds no key of that agent",
			"lend its voice to a key of this node: meshd id device there, meshd cap issue --to at home")
	}
	return agent, c.Use(ctx, s.cfg.Now())
}

// actor is the agent the caller acts as.
func actor(c call.Caller) (change.AgentID, error) { return parseActor(c.AgentID) }

func parseActor(agent string) (change.AgentID, error) {
	if agent == "" {
		return change.AgentID{}, call.Hinted(reason.AgentNotFound, "the owner of this node has no agent yet",
			"register one: POST /api/mesh/register")
	}
	id, err := change.ParseAgentID(agent)
	if err != nil {
		return change.AgentID{}, fmt.Errorf("read the caller's agent: %w", err)
	}
	return id, nil
}

// WaitFor holds a read until the views have reached seq, for a bounded time.
func (s *Service) WaitFor(ctx context.Context, seq uint64) error {
	ctx, cancel := context.WithTimeout(ctx, minSeqWait)
	defer cancel()
	if err := s.mesh.WaitSeq(ctx, seq); err != nil {
		return reason.Refuse(reason.ViewBehind, "the view is at %d, not yet at %d", s.mesh.Seq(), seq).
			With(map[string]any{"seq": s.mesh.Seq(), "retry_after": 1})
	}
	return nil
}

// Seq is the local sequence the views have reached.
func (s *Service) Seq() uint64 { return s.mesh.Seq() }

// Lag is the age of the views that answer reads.
func (s *Service) Lag() time.Duration { return s.mesh.Lag() }

// Replicas reads the ?wait= of a write: durable, or peers:n.
func Replicas(wait string) (int, error) {
	switch {
	case wait == "" || wait == "durable":
		return 0, nil
	case len(wait) == len("peers:n") && strings.HasPrefix(wait, "peers:"):
		if n := int(wait[6] - '0'); n >= 1 && n <= maxPeers {
			return n, nil
		}
	}
	return 0, call.BadParam("wait", "must be durable or peers:1 to peers:3")
}
