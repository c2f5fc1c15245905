package running

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
)

func cmdDevnet(s *session.Session) *cobra.Command {
	var base int
	var noGossip bool
	c := &cobra.Command{
		Use: "devnet N", Short: "Start N nodes on loopback in a network of their own", Args: session.One("number of nodes"),
		Long: "Start N nodes in one process, on loopback, in a new network. They know each other. Their homes lie in a\n" +
			"temporary folder, which is removed at the end, or in --home, which is kept. Ctrl-C ends all.",
		RunE: func(c *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 || n > maxDevnet {
				return session.Usage("devnet needs a number from 1 to %d, not %q", maxDevnet, args[0])
			}
			if base < 1 || base+devnetPorts+n > 65535 {
				return session.Usage("--base-port %d leaves no room for the ports of %d nodes", base, n)
			}
			return runDevnet(c.Context(), s, devnet{count: n, base: base, gossip: !noGossip})
		},
	}
	c.Flags().IntVar(&base, "base-port", 18420, "node i serves its API on this port + i and peers on it + 100 + i")
	c.Flags().BoolVar(&noGossip, "no-gossip", false, "compare with peers only")
	return c
}

// devnet is several nodes in one process.
type devnet struct {
	count  int
	base   int
	gossip bool
	dir    string
}

func runDevnet(ctx context.Context, s *session.Session, d devnet) (err error) {
	if s.Home != "" {
		if d.dir, err = filepath.Abs(s.Home); err != nil {
			return err
		}
	} else {
		if d.dir, err = os.MkdirTemp("", "meshd-devnet-"); err != nil {
			return fmt.Errorf("make a folder: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(d.dir)) }()
	}
	instance.QuietLibraries()
	text, err := d.network()
	if err != nil {
		return err
	}
	if err := d.introduce(text); err != nil {
		return err
	}
	s.Say("network %s", text)
	late := lateAfter(ctx, slog.New(slog.NewTextHandler(s.Err, nil)))
	defer late()
	return serveAll(ctx, s, d)
}

// network is the network file of the folder, made the first time.
func (d devnet) network() (string, error) {
	path := filepath.Join(d.dir, store.NetworkFile)
	if text, err := os.ReadFile(path); err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return "", fmt.Errorf("make a folder: %w", err)
	}
	file := change.NetworkFile{Genesis: change.Genesis{Name: "devnet", Shards: 1, Start: time.Now().UnixMilli()}}
	text, err := file.Encode()
	if err != nil {
		return "", err
	}
	return text, store.AtomicWrite(path, []byte(text+"\n"), 0o600)
}

func (d devnet) home(i int) string { return filepath.Join(d.dir, fmt.Sprintf("node-%d", i)) }

func (d devnet) peerAddr(i int) string {
	return fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", d.base+devnetPorts+i)
}

// introduce gives each node its keys and then a configuration that names all
// the others.
func (d devnet) introduce(network string) error {
	addrs := make([]string, d.count)
	for i := range d.count {
		id, err := d.identify(i, network)
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		addrs[i] = d.peerAddr(i) + "/p2p/" + id
	}
	for i := range d.count {
		var others []string
		for j, a := range addrs {
			if j != i {
				others = append(others, a)
			}
		}
		text, err := config.Sample(map[string]string{
			"node.profile": "test", "node.name": fmt.Sprintf("node-%d", i), "network.file": store.NetworkFile,
			"network.bootstrap": strings.Join(others, ","), "p2p.loopback": "true", "p2p.gossip": strconv.FormatBool(d.gossip),
			"p2p.listen": d.peerAddr(i), "gateway.listen": fmt.Sprintf("127.0.0.1:%d", d.base+i),
		})
		if err == nil {
			err = store.AtomicWrite(filepath.Join(d.home(i), store.ConfigFile), text, 0o600)
		}
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return nil
}

// identify makes the home and the key of a node and returns its peer id.
func (d devnet) identify(i int, network string) (string, error) {
	home, err := store.Open(d.home(i), store.Options{Command: session.CommandLine()})
	if err != nil {
		return "", err
	}
	defer home.Close() // the next step takes the lock again, and says so when it cannot
	if err := store.AtomicWrite(home.Path(store.NetworkFile), []byte(network+"\n"), 0o600); err != nil {
		return "", err
	}
	id, err := core.Identify(home, config.Vault{}, rand.Reader)
	return id.String(), err
}

// serveAll runs every node until ctx ends or one fails.
func serveAll(ctx context.Context, s *session.Session, d devnet) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all []*instance.Instance
	var sockets []*control.Server
	shut := func(from int) error {
		var errs []error
		for i, in := range all {
			if i >= from {
				if i < len(sockets) {
					errs = append(errs, sockets[i].Close())
				}
				errs = append(errs, in.Close())
			}
		}
		return errors.Join(errs...)
	}
	for i := range d.count {
		in, err := openMember(ctx, s, d, i)
		if err != nil {
			return errors.Join(fmt.Errorf("node %d: %w", i, err), shut(0))
		}
		all = append(all, in)
		socket, err := in.Listen(ctx)
		if err != nil {
			return errors.Join(fmt.Errorf("node %d: %w", i, err), shut(0))
		}
		sockets = append(sockets, socket)
	}
	for i, in := range all {
		if err := presentMember(s, i, in); err != nil {
			return errors.Join(err, shut(0))
		}
	}
	if !s.JSON {
		fmt.Fprintln(s.Out, "ready")
	}
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	for i, in := range all {
		wg.Go(func() {
			defer cancel()
			if err := errors.Join(in.Serve(ctx, sockets[i]), in.Close()); err != nil {
				errs[i] = fmt.Errorf("node %d: %w", i, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func openMember(ctx context.Context, s *session.Session, d devnet, i int) (*instance.Instance, error) {
	cfg, err := config.Load(config.Sources{File: filepath.Join(d.home(i), store.ConfigFile), Env: s.Env, Flags: s.GlobalFlags()})
	if err != nil {
		return nil, err
	}
	home, err := store.Open(d.home(i), store.Options{Command: session.CommandLine()})
	if err != nil {
		return nil, err
	}
	return instance.Open(ctx, home, cfg, instance.NewLog(s.Err, cfg.Config.Log, slog.LevelWarn).With("node", i))
}

// presentMember prints the line of one node.
func presentMember(s *session.Session, i int, in *instance.Instance) error {
	a, err := announcementOf(in)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(a)
	}
	_, err = fmt.Fprintf(s.Out, "node-%d  %s  %s  home %s  key %s\n", i, a.API, a.Node, a.Home, a.APIKeyFile)
	return err
}
