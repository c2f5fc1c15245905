package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/automerge"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/disk"
	"github.com/meshd/meshd/node/eventlog"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/givers"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/judged"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/near"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/host"
)

// Node is an open node. All methods are safe for concurrent use.
type Node struct {
	opt     Options
	cfg     atomic.Pointer[config.Config]
	judge   *rules.Judge
	peerID  peer.ID
	boot    []string // from the network file
	started time.Time

	vault      *vault.Vault
	engine     crdtlog.Engine
	log        *crdtlog.Log
	views      *fold.Views
	lineage    *lineage.Book
	ingest     *ingest.Ingest
	gate       *gate.Gate
	search     *searcher
	bus        *events.Bus
	docs       *documents
	copies     *copies
	near       *near.Index
	givers     *givers.Book
	blocks     *block.Book
	drafts     *drafts
	judged     *judged.Book
	unjudged   *judged.Queue
	esteems    esteems
	admits     *admits
	local      *homed
	teams      *teams
	traits     traits
	speech     sync.RWMutex  // write-held while a cut is made and becomes durable
	mining     chan struct{} // holds one while a ticket is ground
	service    sync.Mutex    // held while the service agent is found or opened
	signatures signatures
	viewers    sync.Mutex // held while message rights of viewers are settled
	steps      sync.Mutex // one step of a task of ours at a time, so that it fits the state it was judged by
	touched    *touches
	boxes      boxes
	nodeDID    did.Key // of the key by which peers know this node
	agents     agentCache
	meter      *metrics
	broken     *incident.Book

	keeper   *repair.Keeper
	salvaged *crdtlog.Rewritten // what became of the store at this start; nil: it was sound
	logNow   atomic.Pointer[crdtlog.Log]

	net      atomic.Pointer[network] // nil without peers
	peers    atomic.Pointer[Peers]   // the same for those who only write and judge
	release  func(crdtlog.Record)    // shows what admission held
	joinDoor atomic.Pointer[JoinDoor]
	settled  atomic.Pointer[func(context.Context)]
	stop     context.CancelFunc // of the committer and the indexer
	work     sync.WaitGroup

	clockWarned atomic.Int64 // ms of the last warning about the clock

	disk    atomic.Pointer[disk.State] // nil before the first look
	stopped atomic.Bool                // store.readonly was published last

	savedVerdicts atomic.Int64 // how many were in the file last

	saved atomic.Uint64 // local sequence of the last checkpoint
	stale atomic.Uint64 // raised whenever that checkpoint no longer holds
}

// Open opens the node in a locked home: keys, store, checkpoint, views, index.
// The node then reads and writes; Serve connects it. Close it before the home.
func Open(ctx context.Context, opt Options) (*Node, error) {
	if err := opt.defaults(); err != nil {
		return nil, err
	}
	n := &Node{opt: opt, started: opt.Now(), copies: newCopies(), drafts: newDrafts(), mining: make(chan struct{}, 1), unjudged: judged.NewQueue(), touched: newTouches()}
	n.broken = incident.New(opt.Now, opt.Log)
	n.release = n.released
	n.cfg.Store(&opt.Config)
	if err := n.open(ctx); err != nil {
		return nil, errors.Join(err, n.closeParts())
	}
	return n, nil
}

func (n *Node) open(ctx context.Context) error {
	genesis, boot, err := n.opt.genesis()
	if err != nil {
		return err
	}
	n.boot = boot
	if n.judge, err = rules.NewJudge(genesis); err != nil {
		return err
	}
	if err := n.openVault(); err != nil {
		return err
	}
	if n.gate, err = gate.New(gate.Config{}); err != nil {
		return fmt.Errorf("load the gate: %w", err)
	}
	n.bus = events.New(events.Config{Now: func() int64 { return n.opt.Now().UnixMilli() }})
	n.broken.Tell(func(i incident.Incident) { n.bus.Publish(i.News()) })
	n.meter = newMetrics(n.opt.Registerer)
	if err := n.openDocuments(); err != nil {
		return err
	}
	if err := n.openStore(ctx); err != nil {
		return err
	}
	if err := n.openLineage(); err != nil {
		return err
	}
	n.logNow.Store(n.log)
	if err := n.openGivers(); err != nil {
		return err
	}
	if n.blocks, err = block.Open(n.opt.Home.Path(blocksFile)); err != nil {
		return err
	}
	n.loadVerdicts()
	if err := n.openAdmission(ctx); err != nil {
		return err
	}
	n.newKeeper()
	if n.search, err = openSearch(n); err != nil {
		return err
	}
	n.start()
	return nil
}

func (n *Node) openVault() error {
	unlock, err := n.opt.unlock()
	if err != nil {
		return err
	}
	if n.vault, err = vault.Open(n.opt.Home.Path(store.KeysDir), unlock, n.opt.Rand); err != nil {
		return fmt.Errorf("open vault: %w", err)
	}
	if _, err := n.vault.Create(nodeKey, vault.Node); err != nil && !errors.Is(err, vault.ErrExists) {
		return fmt.Errorf("make node key: %w", err)
	}
	seed, err := n.nodeSeed()
	if err != nil {
		return err
	}
	if n.peerID, err = host.PeerID(seed); err != nil {
		return fmt.Errorf("derive peer id: %w", err)
	}
	if n.nodeDID, err = keyOf(n.peerID); err != nil {
		return fmt.Errorf("derive the node's DID: %w", err)
	}
	if n.local, err = openHomed(n.vault); err != nil {
		return err
	}
	return n.loadTeams()
}

// nodeSeed is that of the key by which this node's connections are secured.
func (n *Node) nodeSeed() ([32]byte, error) {
	_, seed, err := n.vault.Export(nodeKey)
	if err != nil {
		return seed, fmt.Errorf("read node key: %w", err)
	}
	return seed, nil
}

func (n *Node) openDocuments() error {
	eng := n.opt.Documents
	if eng == nil {
		argv := n.opt.Worker
		if argv == nil {
			exe, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find the document worker: %w", err)
			}
			argv = []string{exe, "doc-worker"}
		}
		worker, err := automerge.New(argv, automerge.Config{})
		switch {
		case errors.Is(err, automerge.ErrUnsupported):
			n.opt.Log.Warn("pages are off: this build has no document engine")
		case err != nil:
			return fmt.Errorf("open document engine: %w", err)
		default:
			eng = worker
		}
	}
	n.docs = newDocuments(eng)
	return nil
}

// start runs what a node needs even without peers.
func (n *Node) start() {
	n.ingest = ingest.New(ingest.Config{
		Judge: n.judge, Log: n.log, Views: n.views, Now: n.opt.Now, May: n.lineage.May, Applied: n.applied, Refused: n.turnedAway, Admission: n.admits, Logger: n.opt.Log,
	})
	ctx, cancel := context.WithCancel(context.Background())
	n.stop = cancel
	n.work.Go(func() {
		if err := n.ingest.Serve(ctx); err != nil {
			n.opt.Log.Error("committer ended", "err", err)
		}
	})
	listening := make(chan struct{})
	n.work.Go(func() { eventlog.Serve(ctx, n.bus, n.opt.Log, func() { close(listening) }) })
	<-listening
	n.work.Go(func() { n.search.serve(ctx) })
	n.work.Go(func() { n.keepCheckpoints(ctx) })
	n.work.Go(func() { n.watchDisk(ctx) })
	n.work.Go(func() { n.keepJudging(ctx) })
	n.work.Go(func() { n.keepEsteem(ctx) })
	n.work.Go(func() { n.admits.serve(ctx) })
	n.work.Go(func() { n.keepLeases(ctx) })
	n.work.Go(func() { n.watchTiers(ctx) })
	n.work.Go(func() { n.watchParts(ctx) })
	n.work.Go(func() { n.keeper.Serve(ctx) })
	n.work.Go(func() { n.sweepMarks(ctx) })
}

// Close ends a node that does not serve: the last batch is durable, a
// checkpoint is written, every file is closed. The home stays open.
func (n *Node) Close() error {
	if err := n.checkpoint(context.Background()); err != nil {
		n.opt.Log.Warn("checkpoint not written; the next start replays the log", "err", err)
	}
	n.stop()
	n.bus.Close()
	n.work.Wait()
	n.saveVerdicts()
	if err := n.lineage.Reached(n.log.LastSeq()); err != nil {
		n.opt.Log.Warn("not noted how far the log has come", "err", err)
	}
	if err := n.admits.save(); err != nil {
		n.opt.Log.Warn("what admission knows is lost", "err", err)
	}
	return n.closeParts()
}

func (n *Node) closeParts() error {
	var errs []error
	if n.search != nil {
		errs = append(errs, n.search.close())
	}
	if n.docs != nil {
		errs = append(errs, n.docs.close())
	}
	if n.givers != nil {
		errs = append(errs, n.givers.Close())
	}
	if n.engine != nil {
		errs = append(errs, n.engine.Close())
	}
	return errors.Join(errs...)
}

// Config is the configuration in force.
func (n *Node) Config() config.Config { return *n.cfg.Load() }

// Reload puts the live keys of next into force and returns those that need a
// restart.
func (n *Node) Reload(next config.Config) (live, restart []string) {
	old := n.cfg.Load()
	live, restart = config.Diff(old, &next)
	merged := *old
	merged.Admission, merged.Storage.MinFreeDisk = next.Admission, next.Storage.MinFreeDisk
	merged.Moderation = next.Moderation
	n.cfg.Store(&merged)
	if err := n.admits.desk.Set(deskConfig(merged.Admission)); err != nil {
		n.opt.Log.Error("limits of admission not changed", "err", err)
	}
	if net := n.net.Load(); net != nil {
		net.host.Guard().SetMessageRate(merged.Admission.PeerPerSecond)
	}
	n.bus.Publish(events.Event{Kind: events.ConfigReloaded})
	return live, restart
}

// Events is the bus of this node.
func (n *Node) Events() *events.Bus { return n.bus }

// Secret derives a secret of this node for a purpose, such as the pepper of the
// gateway's API keys. It is the same at every start and reveals nothing of the
// node key.
func (n *Node) Secret(purpose string) ([32]byte, error) { return SecretOf(n.vault, purpose) }

// Vault is the node's key store, for commands that manage keys.
func (n *Node) Vault() *vault.Vault { return n.vault }

// Network names the network.
func (n *Node) Network() (name string, id change.NetID) {
	return n.judge.Genesis().Name, n.judge.Net()
}

// applied is called by the committer for every batch that is durable and folded.
func (n *Node) applied(a ingest.Applied) {
	n.agents.gen.Add(1)
	n.meter.appended.Add(float64(len(a.Changes)))
	var own []uint64
	for _, c := range a.Changes {
		runtime.Gosched() // requests go before what follows from changes
		if c.Local {
			own = append(own, c.Seq)
		}
		if c.Seq <= n.saved.Load() {
			n.forgetCheckpoint()
		}
		n.noteGiver(c)
		n.copies.note(c.Change)
		n.noteNear(c.Change)
		if c.Held == "" {
			n.arrived(c.Change, c.Local)
		}
		n.bus.Publish(events.Event{Kind: events.ChangeAppended, Space: string(c.Change.Head.Space), Object: c.Change.ID.Text(change.PrefixChange)})
		if net := n.net.Load(); net != nil && c.Local {
			net.Publish(c.Set, c.Change)
		}
	}
	if net := n.net.Load(); net != nil {
		net.spread(a.Changes)
	}
	seq, quiet := n.log.LastSeq(), n.admits.quiet(a.Changes)
	for i, d := range a.Deltas {
		if quiet[a.Causes[i]] {
			continue
		}
		n.announce(d, a.Causes[i], seq)
	}
	n.bus.Publish(events.Event{Kind: events.LogTold, Log: seq})
	n.search.wake(own)
}

var _ doc.Engine = (*automerge.Engine)(nil)
