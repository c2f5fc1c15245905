package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/descriptors"
	"github.com/meshd/meshd/node/store"
)

// instance is one node with everything around it, from its home to the faces.
// It has no listener until serve.
type instance struct {
	cfg      *config.Loaded
	home     *store.Home
	node     *node.Node
	state    *state.DB
	owner    owner.Owner
	gateway  *gateway.Gateway
	handler  http.Handler // of the control socket
	registry *prometheus.Registry
	log      *slog.Logger
	access   *accessLog // nil: none

	opening

	reload func() (live, restart []string, err error) // nil: settings stay as they are
	stop   context.CancelFunc                         // ends serve, set by it
	served sync.Mutex                                 // guards stop
}

// opening is what the owner says about a home that is opened.
type opening struct {
	conformance bool // serve what the conformance suite of MCP looks for
	restored    bool // the home is an older copy of itself
	alone       bool // no peer knows more of it: go on under new keys
	salvage     bool // write a damaged store anew
	mining      func(tried uint64, bits int)
}

// open brings a node up from a locked home, which it takes over.
func open(ctx context.Context, home *store.Home, cfg *config.Loaded, log *slog.Logger) (*instance, error) {
	return openWith(ctx, home, cfg, log, opening{})
}

// openWith is open, with what the owner says about the home.
func openWith(ctx context.Context, home *store.Home, cfg *config.Loaded, log *slog.Logger, say opening) (_ *instance, err error) {
	in := &instance{cfg: cfg, home: home, log: log, opening: say, registry: prometheus.NewRegistry()}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.close())
		}
	}()
	if err := checkState(home, cfg.Config.State); err != nil {
		return nil, err
	}
	in.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	in.node, err = node.Open(ctx, node.Options{
		Home: home, Config: cfg.Config, Chosen: cfg.Chosen, Version: version(), Log: log, Registerer: in.registry,
		Restored: say.restored, Salvage: say.salvage, Mining: say.mining,
	})
	if err != nil {
		return nil, fmt.Errorf("open node: %w", err)
	}
	in.state, err = in.openState(ctx)
	if err != nil {
		return nil, err
	}
	if in.access, err = openAccessLog(home.Resolve(cfg.Config.Log.Access)); err != nil {
		return nil, err
	}
	if say.alone {
		moved, err := in.node.GoAlone(ctx)
		if err != nil {
			return nil, fmt.Errorf("go on alone: %w", err)
		}
		log.Info("went on alone", "agents under new keys", moved)
	}
	in.owner, err = owner.Ensure(ctx, in.node, in.state, home, rand.Reader)
	if err != nil {
		return nil, err
	}
	in.node.OnSettled(in.completeOwner)
	if err := in.openGateway(); err != nil {
		return nil, fmt.Errorf("open gateway: %w", err)
	}
	return in, nil
}

// files is how the files that this process may have open are shared.
func (in *instance) files() descriptors.Share {
	return descriptors.Here(in.cfg.Config.P2P.ConnectionsHigh)
}

// completeOwner makes what is missing of the owner's agent once the node has
// learnt of it from a peer.
func (in *instance) completeOwner(ctx context.Context) {
	if _, err := owner.Ensure(ctx, in.node, in.state, in.home, rand.Reader); err != nil {
		in.log.Error("the owner's agent is not complete", "err", err)
	}
}

func (in *instance) openGateway() error {
	cursors, err := in.secret("gateway cursors")
	if err != nil {
		return err
	}
	g, l := in.cfg.Config.Gateway, in.cfg.Config.Limits
	roles, order, err := tokens(in.home, in.cfg.Config.Auth)
	if err != nil {
		return err
	}
	market, err := marketOf(in.home, in.cfg.Config)
	if err != nil {
		return err
	}
	in.gateway, err = gateway.New(gateway.Config{
		Listen: g.Listen, AnyPort: !in.cfg.Chosen("gateway.listen"), Public: g.Enabled, PublicURL: g.PublicURL, Welcome: g.Welcome, Market: market, Lobby: in.cfg.Config.Mesh.Lobby,
		Version: version(), AllowedOrigins: g.AllowedOrigins, TrustedProxies: g.TrustedProxies, Limits: limits(l, g.Enabled), Log: in.log,
		ConnectionsPerAddress: g.ConnectionsPerAddress, Connections: in.files().HTTP, DrainDelay: g.DrainDelay, TLS: tlsOf(in.home, g),
		Replay: in.cfg.Config.Events.Replay, Keep: in.cfg.Config.Events.Keep,
		Metrics: in.registry, Refused: in.node.Refused, Access: in.access.logger(),
		Conformance: in.conformance, Service: in.owner.Agent.DID, Roles: roles, Order: order,
		Wallets: account.Wallets{Domains: in.cfg.Config.Wallet.Domains, Chain: uint64(in.cfg.Config.Wallet.Chain)},
	}, gateway.Deps{Node: in.node, State: in.state, CursorKey: cursors[:]})
	if err != nil {
		return err
	}
	in.handler, err = admin.New(admin.Config{
		Node: in.node, Remedies: in.node.Remedies(), Blocks: in.node.Blocks(), State: in.state, Payments: in.gateway.Service().Market, Issued: in.gateway.Service().Capabilities, Faces: in.gateway.Handler(), Metrics: in.registry, API: in.api, Stop: in.end,
		Reload: func() ([]string, []string, error) { return in.readAgain() }, Log: in.log,
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
	keys, err := role.ParseKeys(set)
	if err != nil {
		return nil, order, fmt.Errorf("auth.jwt_keys: %w", err)
	}
	v, err := role.NewVerifier(role.Settings{Issuer: a.JWTIssuer, Audience: a.JWTAudience, Keys: keys})
	if err != nil {
		return nil, order, fmt.Errorf("auth: %w", err)
	}
	return v, order, nil
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

// api is the address of the HTTP listener as programs of this machine see it.
func (in *instance) api() string {
	if in.cfg.Config.Gateway.TLS != "off" { // by its name, or no certificate would fit
		return in.gateway.URL()
	}
	addr, ok := in.gateway.Addr().(*net.TCPAddr)
	if !ok {
		return "http://" + in.cfg.Config.Gateway.Listen
	}
	if addr.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", addr.Port)
	}
	return "http://" + addr.String()
}

// readAgain puts live settings into force, when the instance has a source of them.
func (in *instance) readAgain() (live, restart []string, err error) {
	if in.reload == nil {
		return nil, nil, errors.New("the settings of this node are fixed")
	}
	return in.reload()
}

// end asks serve to end.
func (in *instance) end() {
	in.served.Lock()
	defer in.served.Unlock()
	if in.stop != nil {
		in.stop()
	}
}

// listen opens every listener, so that addresses are known before serve.
func (in *instance) listen(ctx context.Context) (*control.Server, error) {
	socket, err := control.Listen(in.home, in.handler, control.Config{Log: in.log})
	if err != nil {
		return nil, err
	}
	err = in.gateway.Listen(ctx)
	if err == nil {
		err = in.node.Connect()
	}
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	return socket, nil
}

// serve runs the node until ctx ends, end is called or a part fails. It returns
// after all parts have.
func (in *instance) serve(ctx context.Context, socket *control.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in.served.Lock()
	in.stop = cancel
	in.served.Unlock()
	parts := []struct {
		name  string
		serve func(context.Context) error
	}{
		{"gateway", in.gateway.Serve},
		{"control socket", socket.Serve},
		{"peers", in.node.Serve},
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
func (in *instance) serveAdmin(ctx context.Context) error {
	if in.cfg.Config.Gateway.AdminListen == "" {
		return nil
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", in.cfg.Config.Gateway.AdminListen)
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

// close ends what open has made, in the opposite order.
func (in *instance) close() error {
	var errs []error
	if in.node != nil {
		errs = append(errs, in.node.Close())
	}
	if in.state != nil {
		errs = append(errs, in.state.Close(context.Background()))
	}
	return errors.Join(append(errs, in.access.close(), in.home.Close())...)
}
