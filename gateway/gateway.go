// Package gateway puts the faces of a node together: the use cases
// (gateway/service) over the node and the gateway's own state, the HTTP face
// (gateway/rest), the face for models (gateway/mcp), and the listener that
// carries both.
//
// Start with New. Handler serves callers who prove themselves by a key;
// OwnerHandler serves the owner on the control socket; ServeStdio serves a
// program the owner started; Serve listens on TCP until its context ends.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/edge"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
)

// Config tunes a Gateway. The zero value with a Listen address is the local
// role.
type Config struct {
	Service did.Key        // key whose DID is the audience of tokens; zero: none are taken
	Roles   *role.Verifier // judges role tokens; nil: none are taken
	Order   auth.Order     // which kind of token decides first
	Listen  string         // IP:PORT
	// AnyPort takes a free port when the one in Listen is in use, for an address
	// that nobody chose.
	AnyPort        bool
	Public         bool   // serve strangers: limits, cross-origin rules
	PublicURL      string // "": made of the address that is listened on
	Welcome        string
	Lobby          string                 // guild that a quickstart joins; "" for none
	NetworkFile    func() (string, error) // given to whoever asks; nil: not published
	Version        string
	AllowedOrigins []string
	TrustedProxies []string
	// ConnectionsPerAddress bounds those of one address in the public role; 0: 128.
	ConnectionsPerAddress int
	// Connections bounds those of all addresses; 0: 12,288. Those to which more than
	// that are asked wait in the kernel.
	Connections int
	// DrainDelay is how long a stopping gateway still takes requests while it
	// already says that it is not ready.
	DrainDelay time.Duration
	TLS        TLS
	// OAuth says whose access tokens are taken beside API keys; without issuers none are.
	OAuth oauth.Config
	// Toolsets are the names of those whose tools MCP lists to a client that chooses none;
	// empty: network and account.
	Toolsets []string
	// Conformance serves what the conformance suite of MCP looks for. For tests.
	Conformance bool
	Limits      limit.Config
	// Replay and Keep bound what readers of events who come back can get, by
	// number and by age; 0: as journal says.
	Replay  int
	Keep    time.Duration
	Wallets account.Wallets
	Market  market.Market
	Log     *slog.Logger          // nil: nothing is logged
	Access  *slog.Logger          // one line for each HTTP request; nil: none
	Metrics prometheus.Registerer // nil: nothing is counted
	// Refused counts a refusal by the gate it came from; nil: nothing is counted.
	Refused func(code reason.Code, gate string)
	Now     func() time.Time // nil: time.Now
}

// Validate returns every problem of c.
func (c Config) Validate() error {
	var faults []error
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		faults = append(faults, fmt.Errorf("listen address: %w", err))
	}
	if _, err := limit.ParseProxies(c.TrustedProxies); err != nil {
		faults = append(faults, fmt.Errorf("trusted proxies: %w", err))
	}
	if err := c.Limits.Validate(); err != nil {
		faults = append(faults, fmt.Errorf("limits: %w", err))
	}
	if err := c.validateTLS(); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Node is what a gateway needs of its node.
type Node interface {
	service.Node
	// OnJoin sets who decides about agents of other nodes that want into a team kept
	// here.
	OnJoin(admit func(ctx context.Context, agent change.AgentID, guild change.ID, code string) (role string, err error))
}

// Deps are what a Gateway stands on. It closes none of them.
type Deps struct {
	Node      Node
	State     *state.DB
	CursorKey []byte // secret of the node, at least 32 bytes
	Kept      console.Keeper
	Process   console.Process
	Owned     console.Node // what the owner's console shows of the node, in the local role; nil: there is no console
}

// Gateway is the faces of one node.
type Gateway struct {
	cfg      Config
	service  *service.Service
	rest     *rest.Handler
	mcp      *mcp.Server
	console  *console.Console // nil: none
	listener atomic.Pointer[net.Listener]
	certs    atomic.Pointer[edge.Certificates] // set by Serve with TLS
	draining atomic.Bool
	database *database
	meter    *metrics
}

// New puts a gateway together. It starts nothing.
func New(cfg Config, deps Deps) (*Gateway, error) {
	if deps.Node == nil || deps.State == nil {
		return nil, errors.New("a gateway needs a node and a state")
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	g := &Gateway{cfg: cfg, database: &database{ping: deps.State.Ping}}
	g.meter = newMetrics(cfg.Metrics, g.database, g.draining.Load)
	cursors, err := cursor.New(deps.CursorKey)
	if err != nil {
		return nil, fmt.Errorf("make cursors: %w", err)
	}
	limits, err := limit.New(cfg.Limits)
	if err != nil {
		return nil, fmt.Errorf("make limits: %w", err)
	}
	proxies, err := limit.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("read trusted proxies: %w", err)
	}
	g.service, err = service.New(deps.Node, deps.State, cursors, limits, service.Config{
		Log:     cfg.Log,
		Version: cfg.Version, DID: didOf(cfg.Service), Welcome: cfg.Welcome, Lobby: cfg.Lobby, NetworkFile: cfg.NetworkFile, Tools: mcp.Tools(), BaseURL: g.URL, SellsAt: trimSlash(cfg.PublicURL), Wallets: cfg.Wallets, Market: cfg.Market, Now: cfg.Now, Checks: g.checks,
		Journal: journal.Config{Node: cfg.Service.String(), Keep: cfg.Replay, Term: cfg.Keep, Log: cfg.Log}})
	if err != nil {
		return nil, fmt.Errorf("make use cases: %w", err)
	}
	countOwed(cfg.Metrics, g.service.Owed())
	reportHealth(cfg.Metrics, g.service.Status, deps.Node.Incidents())
	deps.Node.OnJoin(g.service.Teams.Admit)
	var access *oauth.Verifier
	if len(cfg.OAuth.Issuers) > 0 {
		access, err = oauth.New(cfg.OAuth, func() string { return g.URL() + mcp.Path }, incidentsOf(deps.Node), cfg.Log)
		if err != nil {
			return nil, fmt.Errorf("take %w", err)
		}
	}
	if g.mcp, err = mcp.New(g.service, mcp.Config{
		Version: cfg.Version, Toolsets: cfg.Toolsets, OAuth: access, Conformance: cfg.Conformance, Refused: cfg.Refused, Log: cfg.Log}); err != nil {
		return nil, fmt.Errorf("make MCP server: %w", err)
	}
	who := auth.New(deps.State)
	if !cfg.Service.IsZero() {
		_, network := deps.Node.Network()
		who, err = who.AcceptTokens(auth.TokenConfig{
			Service: cfg.Service, Network: network, Trust: deps.Node, Replays: deps.State, Roles: cfg.Roles, Order: cfg.Order,
		})
		if err != nil {
			return nil, fmt.Errorf("take tokens: %w", err)
		}
	}
	if access != nil {
		who = who.AcceptAccess(access, deps.State)
	}
	if deps.Owned != nil && !cfg.Public {
		if g.console, err = console.New(console.Config{Service: g.service, Node: deps.Owned, Keeper: deps.Kept, Process: deps.Process, Log: cfg.Log, Now: cfg.Now}); err != nil {
			return nil, fmt.Errorf("make console: %w", err)
		}
	}
	var guests *console.Guests
	if cfg.Public {
		if guests, err = console.NewGuests(console.Config{Service: g.service, Log: cfg.Log, Now: cfg.Now}); err != nil {
			return nil, fmt.Errorf("make pages of people: %w", err)
		}
	}
	g.rest, err = rest.New(g.service, who, g.mcp, rest.Config{
		Public: cfg.Public, AllowedOrigins: cfg.AllowedOrigins, Streams: cfg.Conformance, Proxies: proxies, Log: cfg.Log, Access: cfg.Access,
		Console: g.console, Guests: guests, Keep: cfg.Public, Metrics: cfg.Metrics, Refused: cfg.Refused})
	if err != nil {
		return nil, fmt.Errorf("make HTTP face: %w", err)
	}
	return g, nil
}

// didOf is the DID of a key, "" for none.
func didOf(k did.Key) string {
	if k.IsZero() {
		return ""
	}
	return k.String()
}

// incidentsOf is the book of a node, nil when it has none.
func incidentsOf(n Node) oauth.Incidents {
	if book := n.Incidents(); book != nil {
		return book
	}
	return nil
}

// Service are the use cases behind the faces.
func (g *Gateway) Service() *service.Service { return g.service }

// Console is the owner's console, nil in the public role.
func (g *Gateway) Console() *console.Console { return g.console }

// Handler is the HTTP face for callers who prove themselves by a key.
func (g *Gateway) Handler() http.Handler { return g.strictly(g.rest) }

// OwnerHandler is the same face with the owner of the node as caller, acting as
// the agent that agent names at the time ("" for none yet). It must be mounted
// only where nobody but the owner can come in, such as the control socket.
func (g *Gateway) OwnerHandler(agent func() string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.rest.ServeHTTP(w, r.WithContext(auth.WithOwner(r.Context(), agent())))
	})
}

// ServeStdio answers MCP over pipes for a program that the owner started,
// acting as agent and shown the named toolsets, until in ends or ctx does. No names: those
// of the configuration.
func (g *Gateway) ServeStdio(ctx context.Context, agent string, toolsets []string, in io.Reader, out io.Writer) error {
	owner := auth.Principal{Kind: auth.Owner, AgentID: agent, Scopes: state.Scopes{state.ScopeAll}}
	return g.mcp.ServeStdio(ctx, call.Caller{Principal: owner}, toolsets, in, out)
}

// Listen binds the address, so that Addr and URL are known before Serve.
func (g *Gateway) Listen(ctx context.Context) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", g.cfg.Listen)
	if errors.Is(err, syscall.EADDRINUSE) && g.cfg.AnyPort {
		host, _, _ := net.SplitHostPort(g.cfg.Listen) // checked by Validate
		ln, err = lc.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return fmt.Errorf("listen for HTTP: %w", err)
	}
	if !g.listener.CompareAndSwap(nil, &ln) {
		return errors.Join(errors.New("listen for HTTP: already listening"), ln.Close())
	}
	return nil
}

// Addr is the address that is listened on, nil before Listen.
func (g *Gateway) Addr() net.Addr {
	if ln := g.listener.Load(); ln != nil {
		return (*ln).Addr()
	}
	return nil
}

// URL is where others reach this gateway, without a final slash.
func (g *Gateway) URL() string {
	if g.cfg.PublicURL != "" {
		return trimSlash(g.cfg.PublicURL)
	}
	if addr := g.Addr(); addr != nil {
		return g.scheme() + addr.String()
	}
	return g.scheme() + g.cfg.Listen
}

func (g *Gateway) scheme() string {
	if g.cfg.TLS.on() {
		return "https://"
	}
	return "http://"
}

func trimSlash(s string) string {
	for len(s) > 0 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	return s
}

// Serve answers requests until ctx ends, then lets running ones finish and
// cuts what takes longer. Registrations that the last process left open are
// settled first. A Gateway serves once.
func (g *Gateway) Serve(ctx context.Context) error {
	if err := g.service.Accounts.SettleAll(ctx); err != nil {
		err = errors.Join(fmt.Errorf("settle registrations: %w", err), g.closeListener())
		if ctx.Err() != nil {
			return nil // asked to end before it began
		}
		return err
	}
	if g.Addr() == nil {
		if err := g.Listen(ctx); err != nil {
			return err
		}
	}
	stopPublishing, err := g.publishEvents(ctx)
	if err != nil {
		return errors.Join(err, g.closeListener())
	}
	keeping, stopKeeping := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		var bounties sync.WaitGroup
		bounties.Go(func() { g.service.Escrows.KeepBounties(keeping, g.keepFailed) })
		bounties.Go(func() { g.service.Market.KeepPayments(keeping, g.cfg.Log) })
		g.keepHouse(keeping)
		bounties.Wait()
	}()
	attended, attend := make(chan struct{}), g.service.Notices.Attending()
	go func() {
		defer close(attended)
		attend(keeping, g.cfg.Log)
	}()
	err = g.answer(ctx)
	stopPublishing()
	stopKeeping()
	<-kept
	<-attended
	return err
}

func (g *Gateway) closeListener() error {
	if ln := g.listener.Load(); ln != nil {
		return (*ln).Close()
	}
	return nil
}

// keepFailed logs a bounty that was not kept up to date; it is tried again.
func (g *Gateway) keepFailed(err error) { g.cfg.Log.Warn("bounty not kept up to date", "error", err) }

// keepHouse runs housekeeping until ctx ends. A fault is logged and tried again.
func (g *Gateway) keepHouse(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	// The gateway's own agent is there from the first start on.
	if err := g.service.Knowledge.SettleServed(ctx); err != nil && ctx.Err() == nil {
		g.cfg.Log.Warn("what was served is not settled", "error", err)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := g.service.Housekeeping(ctx); err != nil && ctx.Err() == nil {
				g.cfg.Log.Warn("housekeeping failed", "error", err)
			}
		}
	}
}
