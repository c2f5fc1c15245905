package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/simnet"
)

// machine is one computer: a home on a disk, an address, a clock, and a node
// while it runs.
type machine struct {
	world *World
	index int
	dir   string
	place simnet.Place
	skew  atomic.Int64 // nanoseconds that its clock is ahead
	boot  []string
	set   func(*config.Config)  // what its owner set; nil: nothing
	meter prometheus.Registerer // of its first life; nil: none

	mu     sync.Mutex // guards what follows
	node   *node.Node // nil while it is down
	life   int        // raised by every power cut, stop and start
	disk   *Disk
	home   *store.Home
	cancel context.CancelFunc
	served chan error

	damaged bool // files were damaged since the store was last opened
	agent   view.Agent
	born    bool
	joined  bool // takes part; before it joins and after it leaves it does not
}

// now is the machine's own time. A bubble's clock begins before any network does.
func (m *machine) now() time.Time {
	return time.Now().AddDate(27, 0, 0).Add(time.Duration(m.skew.Load()))
}

// alive is the node and which of its lives it lives; nil when it is down.
func (m *machine) alive() (*node.Node, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.node, m.life
}

// lives reports whether the life that began as number life goes on, so that what
// the node answered was answered by a machine under power.
func (m *machine) lives(life int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.node != nil && m.life == life
}

// What follows, to stop, is called by the world's own goroutine alone. No lock is
// held meanwhile: who waits for one would keep virtual time from passing.

// start opens the node and runs it.
func (m *machine) start() error {
	if n, _ := m.alive(); n != nil {
		return nil
	}
	home, err := store.Open(m.dir, store.Options{Command: "world", Now: m.now})
	if err != nil {
		return fmt.Errorf("open home of %d: %w", m.index, err)
	}
	cfg, err := m.config(home)
	if err != nil {
		return errors.Join(err, home.Close())
	}
	_, life := m.alive()
	disk := NewDisk(simnet.Rand(m.world.Plan.Seed, fmt.Sprintf("disk/%d/%d", m.index, life)))
	n, err := node.Open(context.Background(), core.Options{
		Home: home, Config: cfg, Version: "world", Now: m.now, Documents: nowhere{}, Disk: disk,
		Simulation: m.place.Options, Salvage: m.damaged, Registerer: m.meter,
	})
	if err != nil {
		return errors.Join(fmt.Errorf("open node %d: %w", m.index, err), home.Close())
	}
	if err := n.Connect(); err != nil {
		return errors.Join(fmt.Errorf("connect node %d: %w", m.index, err), n.Close(), home.Close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	m.mu.Lock()
	m.life++
	m.node, m.home, m.disk, m.cancel, m.served = n, home, disk, cancel, served
	m.mu.Unlock()
	go func() { served <- n.Serve(ctx) }()
	return m.world.follow(m)
}

// config is that of a node at the machine's place.
func (m *machine) config(home *store.Home) (config.Config, error) {
	cfg := config.Default()
	cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Gossip = false, false, m.world.Plan.Gossip
	cfg.P2P.Listen = []string{m.place.Listen}
	cfg.Storage.CacheSize, cfg.Storage.MinFreeDisk = 1<<20, 1
	cfg.Network.File = home.Path("network")
	cfg.Network.Bootstrap = m.boot
	if m.set != nil {
		m.set(&cfg)
	}
	text, err := change.NetworkFile{Genesis: m.world.genesis}.Encode()
	if err == nil {
		err = os.WriteFile(cfg.Network.File, []byte(text), 0o600)
	}
	return cfg, err
}

// down takes the node out of use; nil when there is none.
func (m *machine) down() *node.Node {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.node
	if n != nil {
		m.node = nil
		m.life++
	}
	return n
}

// kill cuts the power: nothing that was not synced survives, and nothing that the
// process does from here on reaches a file or a peer.
func (m *machine) kill() error {
	n := m.down()
	if n == nil {
		return nil
	}
	m.world.net.Partition(m.place.Index)
	aside := m.dir + ".off"
	err := m.disk.Cut(m.dir, aside)
	m.cancel()
	<-m.served
	m.roomy()
	_ = n.Close() // of a process that is gone: its errors are nobody's
	_ = m.home.Close()
	err = errors.Join(err, m.world.net.Unplug(m.place.Index), os.RemoveAll(m.dir), os.Rename(aside, m.dir))
	m.world.cutAgain()
	return err
}

// stop ends the node as a service manager does.
func (m *machine) stop() error {
	n := m.down()
	if n == nil {
		return nil
	}
	m.cancel()
	var errs []error
	if err := <-m.served; !errors.Is(err, context.Canceled) {
		errs = append(errs, err)
	}
	m.roomy()
	return errors.Join(append(errs, n.Close(), m.home.Close(), m.world.net.Unplug(m.place.Index))...)
}

// roomy gives a full disk room, and the store time to see it, also where it had room
// again only a moment ago: until then Close would leave the store's goroutines behind,
// which no bubble allows.
func (m *machine) roomy() {
	const seen = 2 * time.Second
	m.disk.SetFull(false)
	if time.Since(m.disk.Eased()) < seen {
		time.Sleep(seen)
	}
}

// addr is where peers find the node once it has been open.
func (m *machine) addr() string {
	n, _ := m.alive()
	if n == nil {
		return ""
	}
	return m.place.Listen + "/p2p/" + n.PeerID().String()
}

// birth gives the machine its agent.
func (m *machine) birth(ctx context.Context) error {
	n, _ := m.alive()
	key, _, err := n.NewActingKey(ctx)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	m.agent, _, err = n.OpenAgent(ctx, view.Genesis{KeyName: key, Name: fmt.Sprintf("Agent %d", m.index), Custody: "self"})
	m.born = err == nil
	return err
}

// files are the paths of the machine's store that match pattern.
func (m *machine) files(pattern string) []string {
	out, _ := filepath.Glob(filepath.Join(m.dir, store.StoreDir, pattern))
	return out
}

// nowhere is the document engine of nodes that show no pages: a worker process
// cannot live in a bubble.
type nowhere struct{}

var errNowhere = errors.New("no documents here")

func (nowhere) Materialise(context.Context, [][]byte) (doc.State, error) {
	return doc.State{}, errNowhere
}

func (nowhere) Edit(context.Context, doc.EditRequest) ([]byte, error) { return nil, errNowhere }

func (nowhere) Close() error { return nil }
