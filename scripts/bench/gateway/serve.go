package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/gate/lessons"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// serving is where a started server is, and keys of agents hosted there.
type serving struct {
	Address string   `json:"address"`
	Bare    string   `json:"bare"`
	Keys    []string `json:"keys"`
}

// writers is how many agents of the node have a key.
const writers = 64

// noDocs stands in for the document engine: the benchmark edits no page.
type noDocs struct{ doc.Engine }

func (noDocs) Close() error { return nil }

func open(ctx context.Context, dir string) (*node.Node, *state.DB, func() error, error) {
	home, err := store.Open(dir, store.Options{Command: "bench"})
	if err != nil {
		return nil, nil, nil, err
	}
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Gossip = true, false, false, false
	cfg.P2P.Listen = []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = filepath.Join(dir, "network")
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "bench", Shards: 1, Start: 1767225600000}}.Encode()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := os.WriteFile(cfg.Network.File, []byte(text), 0o600); err != nil {
		return nil, nil, nil, err
	}
	nd, err := node.Open(ctx, core.Options{Home: home, Config: cfg, Version: "bench", Documents: noDocs{}})
	if err != nil {
		return nil, nil, nil, err
	}
	pepper, err := nd.Secret("gateway pepper")
	if err != nil {
		return nil, nil, nil, err
	}
	db, err := state.Open(ctx, home.Path(store.StateFile), state.Config{Pepper: pepper[:], Random: rand.Reader})
	if err != nil {
		return nil, nil, nil, err
	}
	return nd, db, func() error { return errors.Join(nd.Close(), db.Close(ctx), home.Close()) }, nil
}

// write stores n entries of many agents, of whom the first have a place in the
// gateway's state.
func write(ctx context.Context, dir string, n, agents int) error {
	nd, db, shut, err := open(ctx, dir)
	if err != nil {
		return err
	}
	ids := make([]change.AgentID, max(agents, writers))
	if err := each(len(ids), func(i int) error {
		key, _, err := nd.NewActingKey(ctx)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("agent-%03d", i)
		a, _, err := nd.OpenAgent(ctx, view.Genesis{KeyName: key, Name: name})
		if err != nil {
			return err
		}
		ids[i] = a.ID
		if i >= writers {
			return nil
		}
		row := state.Agent{ID: a.ID.String(), Name: name, Subject: "did:example:" + name, ActingKey: key, Custody: state.CustodyGateway, CreatedAt: time.Now()}
		return errors.Join(db.ClaimName(ctx, row, time.Now()), db.ConfirmAgent(ctx, row.ID))
	}); err != nil {
		return err
	}
	if err := each(agents, func(i int) error {
		for k := i; k < n; k += agents {
			e, err := lessons.Entry(k, lessons.Domains[i%len(lessons.Domains)])
			if err != nil {
				return err
			}
			if _, err := nd.Contribute(ctx, ids[i], e, view.Submit{}); err != nil {
				return fmt.Errorf("entry %d: %w", k, err)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return shut()
}

// serve opens the home and serves it until standard input ends, in the public
// role with the rate limits off; and beside it a handler that returns the bytes
// it was given.
func serve(ctx context.Context, dir, prof string) (err error) {
	nd, db, shut, err := open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shut()) }()
	at := serving{}
	page, err := db.Agents(ctx, "", writers)
	if err != nil {
		return err
	}
	for _, a := range page {
		_, secret, err := db.CreateKey(ctx, state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes(), ExpiresAt: time.Now().Add(time.Hour)}, time.Now())
		if err != nil {
			return err
		}
		at.Keys = append(at.Keys, secret.Reveal())
	}
	g, err := gateway.New(gateway.Config{Listen: "127.0.0.1:0", Public: true, Version: "bench", Limits: limit.Config{Disabled: true}},
		gateway.Deps{Node: nd, State: db, CursorKey: make([]byte, 32)})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := g.Listen(ctx); err != nil {
		return err
	}
	if err := nd.Connect(); err != nil {
		return err
	}
	done := make(chan error, 2)
	go func() { done <- g.Serve(ctx) }()
	go func() { done <- nd.Serve(ctx) }() // the search index and the checkpoints
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(plain, &echo{}) }() // ends with the process
	at.Address, at.Bare = g.Addr().String(), plain.Addr().String()
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return err
	}
	if prof != "" {
		f, err := os.Create(prof)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer func() { pprof.StopCPUProfile(); _ = f.Close() }()
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until the one who asks ends
	cancel()
	for range 2 {
		if ended := <-done; ended != nil && !errors.Is(ended, context.Canceled) {
			err = errors.Join(err, ended)
		}
	}
	return err
}

// echo answers every GET with what was posted last.
type echo struct{ reply atomic.Pointer[echoed] }

type echoed struct {
	status int
	body   []byte
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		status, _ := strconv.Atoi(r.URL.Query().Get("status"))
		if err == nil {
			e.reply.Store(&echoed{status, body})
		}
		return
	}
	reply := e.reply.Load()
	w.Header().Set("Content-Type", "application/json")
	if reply.status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(len(reply.body)))
	}
	w.WriteHeader(reply.status)
	_, _ = w.Write(reply.body)
}

func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
