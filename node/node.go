package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/automerge"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/board"
	"github.com/meshd/meshd/node/bounty"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/eventlog"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/givers"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/judging"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/mail"
	"github.com/meshd/meshd/node/meeting"
	"github.com/meshd/meshd/node/news"
	"github.com/meshd/meshd/node/passport"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/repair"
	"github.com/meshd/meshd/node/reputation"
	"github.com/meshd/meshd/node/right"
	"github.com/meshd/meshd/node/scene"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/team"
	"github.com/meshd/meshd/node/transfer"
	"github.com/meshd/meshd/node/writing"
	"github.com/meshd/meshd/p2p/host"
)

// Node is an open node: its parts put together, with what opens, saves, mends and closes
// them. All methods are safe for concurrent use.
type Node struct {
	*core.Core
	*directory.Directory
	*right.Rights
	*writing.Writer
	*document.Editor
	*account.Accounts
	*account.Lending
	*account.Succession
	*passport.Passports
	*team.Teams
	*mail.Mail
	*board.Boards
	*social.Social
	*reputation.Ranks
	*judging.Judging
	*scene.Scenes
	*bounty.Rewards
	*knowledge.Library
	*peering.Peering
	*news.Reporter
	*transfer.Transfer
	*health.Health

	meetings *meeting.Meetings
	givers   *givers.Book
	keeper   *repair.Keeper
	salvaged *crdtlog.Rewritten // what became of the store at this start; nil: it was sound

	working context.Context // ends with the node's own work, set by start

	saved atomic.Uint64 // local sequence of the last checkpoint
	stale atomic.Uint64 // raised whenever that checkpoint is no longer valid
}

// assemble puts the parts of a node together.
func assemble(opt core.Options) *Node {
	n := &Node{}
	n.Core = core.New(opt, n.released)
	n.Directory = directory.New(n.Core)
	n.Rights = right.New(n.Core)
	n.Writer = writing.New(n.Core, n.Directory, n.Rights)
	n.Editor = document.New(n.Core, n.Directory, n.Writer)
	n.Accounts = account.New(n.Core, n.Directory, n.Writer)
	n.Lending = account.NewLending(n.Core, n.Accounts, n.Rights)
	n.Succession = account.NewSuccession(n.Core, n.Accounts)
	n.Passports = passport.New(n.Core)
	n.Teams = team.New(n.Core, n.Directory, n.Rights, n.Writer, n.Editor, n.Accounts)
	n.Mail = mail.New(n.Core, n.Directory, n.Writer)
	n.Boards = board.New(n.Core, n.Directory, n.Writer, n.Editor)
	n.Social = social.New(n.Core, n.Directory, n.Writer)
	n.Ranks = reputation.New(n.Core, n.Directory, n.Social, n.Writer)
	n.Judging = judging.New(n.Core, n.Directory, n.Social, n.Teams)
	n.Scenes = scene.New(n.Core, n.Directory, n.Editor)
	n.Rewards = bounty.New(n.Core, n.Directory, n.Writer, n.Social)
	n.Library = knowledge.New(n.Core, n.Directory, n.Writer, n.Social, n.Judging)
	n.Peering = peering.New(n.Core, n.Accounts, n.Social, n.Teams, n.Judging)
	n.Reporter = news.New(n.Core, n.Accounts, n.Rewards, n.Teams, n.Ranks)
	n.Transfer = transfer.New(n.Core, n.Writer, n.Library, n.Peering, n.Social, n.Judging)
	n.Health = health.New(n.Core, n.Editor, n.Accounts, n.Library, n.Peering)
	return n
}

// Open opens the node in a locked home: keys, store, checkpoint, views, index.
// The node then reads and writes; Serve connects it. Close it before the home.
func Open(ctx context.Context, opt core.Options) (*Node, error) {
	if err := opt.Defaults(); err != nil {
		return nil, err
	}
	n := assemble(opt)
	if err := n.open(ctx); err != nil {
		return nil, errors.Join(err, n.closeParts())
	}
	return n, nil
}

func (n *Node) open(ctx context.Context) error {
	genesis, boot, err := n.Opt.Genesis()
	if err != nil {
		return err
	}
	n.Boot = boot
	if n.Judge, err = rules.NewJudge(genesis); err != nil {
		return err
	}
	if err := n.openVault(); err != nil {
		return err
	}
	if n.Gate, err = gate.New(gate.Config{}); err != nil {
		return fmt.Errorf("load the gate: %w", err)
	}
	n.Bus = events.New(events.Config{Now: func() int64 { return n.Opt.Now().UnixMilli() }})
	n.Broken.OnChange(func(i incident.Incident) { n.Bus.Publish(i.News()) })
	n.Meter = core.NewMetrics(n.Opt.Registerer)
	if err := n.openDocuments(); err != nil {
		return err
	}
	if err := n.openStore(ctx); err != nil {
		return err
	}
	if err := n.OpenLineage(); err != nil {
		return err
	}
	n.LogNow.Store(n.Log)
	if err := n.openGivers(); err != nil {
		return err
	}
	if n.BlockBook, err = block.Open(n.Opt.Home.Path(social.BlocksFile)); err != nil {
		return err
	}
	if n.meetings, err = meeting.Open(n.Core, n.Peering); err != nil {
		return err
	}
	n.LoadVerdicts()
	if err := n.OpenAdmission(ctx); err != nil {
		return err
	}
	n.newKeeper()
	if n.Search, err = knowledge.OpenSearch(n.Library); err != nil {
		return err
	}
	n.start()
	return nil
}

func (n *Node) openVault() error {
	unlock, err := n.Opt.Unlock()
	if err != nil {
		return err
	}
	if n.Keys, err = vault.Open(n.Opt.Home.Path(store.KeysDir), unlock, n.Opt.Rand); err != nil {
		return fmt.Errorf("open vault: %w", err)
	}
	if _, err := n.Keys.Create(core.NodeKey, vault.Node); err != nil && !errors.Is(err, vault.ErrExists) {
		return fmt.Errorf("make node key: %w", err)
	}
	seed, err := n.NodeSeed()
	if err != nil {
		return err
	}
	if n.SelfID, err = host.PeerID(seed); err != nil {
		return fmt.Errorf("derive peer id: %w", err)
	}
	if n.NodeDID, err = team.KeyOf(n.SelfID); err != nil {
		return fmt.Errorf("derive the node's DID: %w", err)
	}
	if n.Local, err = core.OpenKeyring(n.Keys); err != nil {
		return err
	}
	return n.LoadTeams()
}

func (n *Node) openDocuments() error {
	eng := n.Opt.Documents
	if eng == nil {
		argv := n.Opt.Worker
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
			n.Opt.Log.Warn("pages are off: this build has no document engine")
		case err != nil:
			return fmt.Errorf("open document engine: %w", err)
		default:
			eng = worker
		}
	}
	n.Docs = document.NewDocuments(eng)
	return nil
}

// start runs what a node needs even without peers.
func (n *Node) start() {
	n.Ingest = ingest.New(ingest.Config{
		Judge: n.Judge, Log: n.Log, Views: n.Views, Now: n.Opt.Now, May: n.Lineage.May, Applied: n.applied, Refused: n.TurnedAway, Admission: n.Admits, Logger: n.Opt.Log,
	})
	ctx, cancel := context.WithCancel(context.Background())
	n.StopWork, n.working = cancel, ctx
	n.Work.Go(func() {
		if err := n.Ingest.Serve(ctx); err != nil {
			n.Opt.Log.Error("committer ended", "err", err)
		}
	})
	listening := make(chan struct{})
	n.Work.Go(func() { eventlog.Serve(ctx, n.Bus, n.Opt.Log, func() { close(listening) }) })
	<-listening
	n.Work.Go(func() { n.Search.Serve(ctx) })
	n.Work.Go(func() { n.keepCheckpoints(ctx) })
	n.Work.Go(func() { n.WatchDisk(ctx) })
	n.Work.Go(func() { n.KeepJudging(ctx) })
	n.Work.Go(func() { n.KeepEsteem(ctx) })
	n.Work.Go(func() { n.Admits.Serve(ctx) })
	n.Work.Go(func() { n.keepLeases(ctx) })
	n.Work.Go(func() { n.WatchTiers(ctx) })
	n.Work.Go(func() { n.WatchParts(ctx) })
	n.Work.Go(func() { n.keeper.Serve(ctx) })
	n.Work.Go(func() { n.sweepMarks(ctx) })
}

// Close ends a node that does not serve: the last batch is durable, a
// checkpoint is written, every file is closed. The home stays open.
func (n *Node) Close() error {
	if err := n.checkpoint(context.Background()); err != nil {
		n.Opt.Log.Warn("checkpoint not written; the next start replays the log", "err", err)
	}
	n.StopWork()
	n.Bus.Close()
	n.Work.Wait()
	n.SaveVerdicts()
	if err := n.Lineage.Reached(n.Log.LastSeq()); err != nil {
		n.Opt.Log.Warn("not noted how far the log has come", "err", err)
	}
	if err := n.Admits.Save(); err != nil {
		n.Opt.Log.Warn("what admission knows is lost", "err", err)
	}
	return n.closeParts()
}

func (n *Node) closeParts() error {
	var errs []error
	if n.Search != nil {
		errs = append(errs, n.Search.Close())
	}
	if n.Docs != nil {
		errs = append(errs, n.Docs.Close())
	}
	if n.givers != nil {
		errs = append(errs, n.givers.Close())
	}
	if n.Engine != nil {
		errs = append(errs, n.Engine.Close())
	}
	return errors.Join(errs...)
}

// Reload puts the live keys of next into force and returns those that need a
// restart.
func (n *Node) Reload(next config.Config) (live, restart []string) {
	old := n.Cfg.Load()
	live, restart = config.Diff(old, &next)
	merged := *old
	merged.Admission, merged.Storage.MinFreeDisk = next.Admission, next.Storage.MinFreeDisk
	merged.Moderation, merged.Network.Bootstrap = next.Moderation, next.Network.Bootstrap
	n.Cfg.Store(&merged)
	if err := n.Rebootstrap(); err != nil {
		n.Opt.Log.Error("peers to ask first not changed", "err", err)
	}
	if err := n.Admits.Desk.Set(core.DeskConfig(merged.Admission)); err != nil {
		n.Opt.Log.Error("limits of admission not changed", "err", err)
	}
	if net := n.Net.Load(); net != nil {
		net.Host.Guard().SetMessageRate(merged.Admission.PeerPerSecond)
	}
	n.Bus.Publish(events.Event{Kind: events.ConfigReloaded})
	return live, restart
}

// MeetingsOf are the invitations of a node, and what its owner does with single peers.
func MeetingsOf(n *Node) *meeting.Meetings { return n.meetings }

// Events is the bus of this node.
func (n *Node) Events() *events.Bus { return n.Bus }

// Secret derives a secret of this node for a purpose, such as the pepper of the
// gateway's API keys. It is the same at every start and reveals nothing of the
// node key.
func (n *Node) Secret(purpose string) ([32]byte, error) { return core.SecretOf(n.Keys, purpose) }

// Vault is the node's key store, for commands that manage keys.
func (n *Node) Vault() *vault.Vault { return n.Keys }

// Network names the network.
func (n *Node) Network() (name string, id change.NetID) {
	return n.Judge.Genesis().Name, n.Judge.Net()
}

// applied is called by the committer for every batch that is durable and folded.
func (n *Node) applied(a ingest.Applied) {
	n.AgentCache.Gen.Add(1)
	n.Meter.Appended.Add(float64(len(a.Changes)))
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
		n.Copies.Note(c.Change)
		n.NoteNear(c.Change)
		if c.Held == "" {
			n.Arrived(c.Change, c.Local)
		}
		n.Bus.Publish(events.Event{Kind: events.ChangeAppended, Space: string(c.Change.Head.Space), Object: c.Change.ID.Text(change.PrefixChange)})
		if net := n.Net.Load(); net != nil && c.Local {
			net.Publish(c.Set, c.Change)
		}
	}
	if net := n.Net.Load(); net != nil {
		net.Spread(a.Changes)
	}
	seq, quiet := n.Log.LastSeq(), n.Admits.Quiet(a.Changes)
	for i, d := range a.Deltas {
		if quiet[a.Causes[i]] {
			continue
		}
		n.Announce(d, a.Causes[i], seq)
	}
	n.Bus.Publish(events.Event{Kind: events.LogPublished, Log: seq})
	n.Search.Wake(own)
}

var _ doc.Engine = (*automerge.Engine)(nil)
