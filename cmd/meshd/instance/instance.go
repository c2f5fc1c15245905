// Package instance is one node with everything around it: its home, its log and state,
// the gateway, and the listeners.
package instance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/cluster"
	"github.com/meshd/meshd/identity/jose"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/descriptors"
	"github.com/meshd/meshd/node/store"
)

// Instance is one node with everything around it, from its home to the faces.
// It has no listener until serve.
type Instance struct {
	Settings *config.Loaded
	Home     *store.Home
	Node     *node.Node
	state    *state.DB
	cluster  *cluster.DB // nil: no other gateway shares the state
	Owner    owner.Owner
	Gateway  *gateway.Gateway
	Handler  http.Handler // of the control socket
	registry *prometheus.Registry
	Log      *slog.Logger
	access   *accessLog // nil: none

	Opening

	Reload func() (live, restart []string, err error) // nil: settings stay as they are
	Check  func(file string) error                    // refuses settings of a file in the place of File; nil: they stay as they are
	File   string                                     // of the settings, "" for none that is changed
	Recent *RecentLog                                 // newest lines of the log; nil: none are kept
	latest atomic.Pointer[config.Loaded]              // settings as they were read last; nil: as Settings

	editing sync.Mutex         // held while a command changes the file of the settings
	stop    context.CancelFunc // ends serve, set by it
	served  sync.Mutex         // guards stop
}

// Opening is what the owner says about a home that is opened.
type Opening struct {
	Conformance bool // serve what the conformance suite of MCP looks for
	Restored    bool // the home is an older copy of itself
	Alone       bool // no peer knows more of it: go on under new keys
	Salvage     bool // write a damaged store anew
	Mining      func(tried uint64, bits int)
}

// Open brings a node up from a locked home, which it takes over.
func Open(ctx context.Context, home *store.Home, cfg *config.Loaded, log *slog.Logger) (*Instance, error) {
	return OpenWith(ctx, home, cfg, log, Opening{})
}

// OpenWith is Open, with what the owner says about the home.
func OpenWith(ctx context.Context, home *store.Home, cfg *config.Loaded, log *slog.Logger, say Opening) (_ *Instance, err error) {
	in := &Instance{Settings: cfg, Home: home, Log: log, Opening: say, registry: prometheus.NewRegistry()}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.Close())
		}
	}()
	if err := checkState(home, cfg.Config.State); err != nil {
		return nil, err
	}
	in.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	in.Node, err = node.Open(ctx, core.Options{
		Home: home, Config: cfg.Config, Chosen: cfg.Chosen, Version: release.Version(), Log: log, Registerer: in.registry,
		Restored: say.Restored, Salvage: say.Salvage, Mining: say.Mining,
	})
	if err != nil {
		return nil, fmt.Errorf("open node: %w", err)
	}
	in.state, err = in.openState(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.share(ctx); err != nil {
		return nil, err
	}
	if in.access, err = openAccessLog(cfg.Config.Log.Access, home.Resolve); err != nil {
		return nil, err
	}
	if say.Alone {
		moved, err := in.Node.GoAlone(ctx)
		if err != nil {
			return nil, fmt.Errorf("go on alone: %w", err)
		}
		log.Info("went on alone", "agents under new keys", moved)
	}
	in.Owner, err = owner.Ensure(ctx, in.Node, in.state, home, rand.Reader)
	if err != nil {
		return nil, err
	}
	in.Node.OnSettled(in.completeOwner)
	if err := in.openGateway(); err != nil {
		return nil, fmt.Errorf("open gateway: %w", err)
	}
	return in, nil
}

// Files is how the files that this process may have open are shared.
func (in *Instance) Files() descriptors.Share {
	return descriptors.Here(in.Settings.Config.P2P.ConnectionsHigh)
}

// completeOwner makes what is missing of the owner's agent once the node has
// learnt of it from a peer.
func (in *Instance) completeOwner(ctx context.Context) {
	if _, err := owner.Ensure(ctx, in.Node, in.state, in.Home, rand.Reader); err != nil {
		in.Log.Error("the owner's agent is not complete", "err", err)
	}
}

func (in *Instance) openGateway() error {
	cursors, err := in.secret("gateway cursors")
	if err != nil {
		return err
	}
	g, l := in.Settings.Config.Gateway, in.Settings.Config.Limits
	roles, order, err := tokens(in.Home, in.Settings.Config.Auth)
	if err != nil {
		return err
	}
	market, err := marketOf(in.Home, in.Settings.Config)
	if err != nil {
		return err
	}
	access, err := oauthOf(in.Home, in.Settings.Config.OAuth)
	if err != nil {
		return err
	}
	rates := limits(l, g.Enabled)
	if in.cluster != nil {
		rates.Pool = in.cluster
	}
	var networkFile func() (string, error)
	if g.PublishNetwork {
		networkFile = node.MeetingsOf(in.Node).NetworkFile
	}
	in.Gateway, err = gateway.New(gateway.Config{
		Listen: g.Listen, AnyPort: !in.Settings.Chosen("gateway.listen"), Public: g.Enabled, PublicURL: g.PublicURL, Welcome: g.Welcome, NetworkFile: networkFile, Market: market, Lobby: in.Settings.Config.Mesh.Lobby,
		Version: release.Version(), AllowedOrigins: g.AllowedOrigins, Toolsets: g.MCPToolsets, TrustedProxies: g.TrustedProxies, Limits: rates, Log: in.Log,
		ConnectionsPerAddress: g.ConnectionsPerAddress, Connections: in.Files().HTTP, DrainDelay: g.DrainDelay, TLS: tlsOf(in.Home, g),
		Replay: in.Settings.Config.Events.Replay, Keep: in.Settings.Config.Events.Keep,
		Metrics: in.registry, Refused: in.Node.Refused, Access: in.access.logger(),
		Conformance: in.Conformance, Service: in.Owner.Agent.DID, Roles: roles, Order: order, OAuth: access,
		Wallets: account.Wallets{Domains: in.Settings.Config.Wallet.Domains, Chain: uint64(in.Settings.Config.Wallet.Chain)},
	}, gateway.Deps{Node: in.Node, State: in.state, CursorKey: cursors[:], Owned: in.Node, Kept: in.Node, Process: process{in}})
	if err != nil {
		return err
	}
	var codes admin.Console
	if c := in.Gateway.Console(); c != nil {
		codes = c
	}
	in.Handler, err = admin.New(admin.Config{
		Node: in.Node, Console: codes, Remedies: in.Node.Remedies(), Blocks: in.Node.Blocks(), Manifests: node.ManifestsOf(in.Node), Meetings: node.MeetingsOf(in.Node), Bootstrap: in.bootstrap, State: in.state, Payments: in.Gateway.Service().Market, Issued: in.Gateway.Service().Capabilities, Purchases: knowledge.NewPurchases(in.Gateway.Service().Knowledge), Faces: in.Gateway.Handler(), Metrics: in.registry, API: in.API, Stop: in.end,
		Reload: func() ([]string, []string, error) { return in.readAgain() }, Log: in.Log,
	})
	return err
}

// tokens are how role tokens are judged, nil when the settings name no keys, and
// which kind of token decides first.
func tokens(home *store.Home, a config.Auth) (*role.Verifier, auth.Order, error) {
	order, err := auth.ParseOrder(a.Order)
	if err != nil || a.JWTKeys == "" {
		return nil, order, err
	}
	set, err := os.ReadFile(home.Resolve(a.JWTKeys))
	if err != nil {
		return nil, order, fmt.Errorf("auth.jwt_keys: %w", err)
	}
	keys, err := jose.ParseKeys(set)
	if err != nil {
		return nil, order, fmt.Errorf("auth.jwt_keys: %w", err)
	}
	v, err := role.NewVerifier(role.Settings{Issuer: a.JWTIssuer, Audience: a.JWTAudience, Keys: keys})
	if err != nil {
		return nil, order, fmt.Errorf("auth: %w", err)
	}
	return v, order, nil
}

// oauthOf are the settings of access tokens, with the keys that lie in files.
func oauthOf(home *store.Home, o config.OAuth) (out oauth.Config, err error) {
	out.Audience, out.AgentClaim = o.Audience, o.AgentClaim
	for n, url := range o.Issuers {
		issuer := oauth.Issuer{URL: url}
		if where := o.KeySets[n]; strings.Contains(where, "://") {
			issuer.KeysURL = where
		} else {
			set, err := os.ReadFile(home.Resolve(where))
			if err != nil {
				return out, fmt.Errorf("oauth.key_sets: %w", err)
			}
			if issuer.Keys, err = jose.ParsePublished(set); err != nil {
				return out, fmt.Errorf("oauth.key_sets: %s: %w", where, err)
			}
		}
		out.Issuers = append(out.Issuers, issuer)
	}
	for _, pair := range o.Scopes {
		theirs, ours, _ := strings.Cut(pair, "=")
		if out.Scopes == nil {
			out.Scopes = map[string]state.Scope{}
		}
		out.Scopes[theirs] = state.Scope(ours)
	}
	return out, nil
}

// limits are the request quantities in the form of the limiter.
func limits(l config.Limits, public bool) limit.Config {
	return limit.Config{Disabled: !l.Applied(public), Buckets: map[limit.Bucket]limit.Quantity{
		limit.Read:       {Agent: l.Read, Anonymous: l.ReadAnonymous},
		limit.Search:     {Agent: l.Search, Anonymous: l.SearchAnonymous},
		limit.Write:      {Agent: l.Write},
		limit.Contribute: {Agent: l.Contribute},
		limit.Register:   {Agent: l.Register, Anonymous: l.RegisterAnonymous},
		limit.Comment:    {Agent: l.Comment},
		limit.Vote:       {Agent: l.Vote},
		limit.Message:    {Agent: l.Message},
		limit.Quickstart: {Agent: l.Quickstart, Anonymous: l.QuickstartAnonymous},
	}}
}

// API is the address of the HTTP listener as programs of this machine see it.
func (in *Instance) API() string {
	if in.Settings.Config.Gateway.TLS != "off" { // by its name, or no certificate would fit
		return in.Gateway.URL()
	}
	addr, ok := in.Gateway.Addr().(*net.TCPAddr)
	if !ok {
		return "http://" + in.Settings.Config.Gateway.Listen
	}
	if addr.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", addr.Port)
	}
	return "http://" + addr.String()
}

// readAgain puts live settings into force, when the instance has a source of them.
func (in *Instance) readAgain() (live, restart []string, err error) {
	if in.Reload == nil {
		return nil, nil, errors.New("the settings of this node are fixed")
	}
	return in.Reload()
}

// Apply puts the live ones of other settings into force, and names the live and the
// restart ones that differ.
func (in *Instance) Apply(next *config.Loaded) (live, restart []string) {
	live, restart = in.Node.Reload(next.Config)
	if err := in.Gateway.ReloadCertificates(); err != nil {
		in.Log.Warn("certificate kept as it was", "err", err)
	}
	if err := in.access.reopen(); err != nil {
		in.Log.Warn("access log kept as it was", "err", err)
	}
	in.latest.Store(next)
	in.Log.Info("settings read again", "live", strings.Join(live, " "), "restart", strings.Join(restart, " "))
	return live, restart
}

// end asks serve to end.
func (in *Instance) end() {
	in.served.Lock()
	defer in.served.Unlock()
	if in.stop != nil {
		in.stop()
	}
}

// Listen opens every listener, so that addresses are known before serve.
func (in *Instance) Listen(ctx context.Context) (*control.Server, error) {
	socket, err := control.Listen(in.Home, in.Handler, control.Config{Log: in.Log})
	if err != nil {
		return nil, err
	}
	err = in.Gateway.Listen(ctx)
	if err == nil {
		err = in.Node.Connect()
	}
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	return socket, nil
}

// Serve runs the node until ctx ends, end is called or a part fails. It returns
// after all parts have.
func (in *Instance) Serve(ctx context.Context, socket *control.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in.served.Lock()
	in.stop = cancel
	in.served.Unlock()
	parts := []struct {
		name  string
		serve func(context.Context) error
	}{
		{"gateway", in.Gateway.Serve},
		{"control socket", socket.Serve},
		{"peers", in.Node.Serve},
		{"admin listener", in.serveAdmin},
	}
	failed := make(chan error, len(parts))
	for _, part := range parts {
		go func() {
			err := part.serve(ctx)
			if err != nil && !errors.Is(err, context.Canceled) {
				err = fmt.Errorf("%s: %w", part.name, err)
				cancel()
			} else {
				err = nil
			}
			failed <- err
		}()
	}
	var errs []error
	for range parts {
		errs = append(errs, <-failed)
	}
	return errors.Join(errs...)
}

// serveAdmin shows metrics and profiles on the address that the owner chose.
func (in *Instance) serveAdmin(ctx context.Context) error {
	if in.Settings.Config.Gateway.AdminListen == "" {
		return nil
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", in.Settings.Config.Gateway.AdminListen)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	admin.Monitor(mux, in.registry)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: adminHeaderTime}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		err := srv.Close()
		<-ended
		return err
	}
}

// Close ends what open has made, in the opposite order.
func (in *Instance) Close() error {
	var errs []error
	if in.Node != nil {
		errs = append(errs, in.Node.Close())
	}
	if in.cluster != nil {
		errs = append(errs, in.cluster.Close())
	}
	if in.state != nil {
		errs = append(errs, in.state.Close(context.Background()))
	}
	return errors.Join(append(errs, in.access.close(), in.Home.Close())...)
}
