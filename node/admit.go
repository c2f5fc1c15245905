package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/admission"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/store"
)

// admits is the admission of this node: package admission decides, and this tells
// it who an author is here.
type admits struct {
	n    *Node
	desk *admission.Desk
	ages *admission.Ages

	leaving atomic.Int64 // let go by the desk, and not yet in the log

	mu   sync.Mutex // guards born
	born map[change.AgentID]birth
}

// birth is when this node heard of an agent.
type birth struct {
	seq     uint64 // local sequence of its genesis
	claimed int64  // ms, by the genesis itself
}

var _ ingest.Admission = (*admits)(nil)

// admissionFile keeps, beside the log, what a restart must not forget.
const admissionFile = "admission"

type admissionState struct {
	Ages  *admission.Ages            `json:"ages"`
	Usage map[string]admission.Usage `json:"usage"`
}

func deskConfig(c config.Admission) admission.Config {
	return admission.Config{
		AuthorPerMinute: c.AuthorPerMinute, TreePerMinute: c.TreePerMinute, GuildPerMinute: c.GuildPerMinute, HomePerMinute: c.HomePerMinute,
		StrangersPerMinute: c.StrangersPerMinute, GiverPerSecond: c.GiverPerSecond, AuthorBodies: c.AuthorBodies, AuthorBytes: int64(c.AuthorBytes),
		TreeBodies: c.TreeBodies, TreeBytes: int64(c.TreeBytes), MaxHeld: c.Held,
	}
}

// openAdmission makes the desk and puts back what was held, before anything is
// read or taken in.
func (n *Node) openAdmission(ctx context.Context) error {
	cfg := deskConfig(n.Config().Admission)
	cfg.Now = n.opt.Now
	desk, err := admission.New(cfg)
	if err != nil {
		return err
	}
	a := &admits{n: n, desk: desk, born: map[change.AgentID]birth{}}
	n.admits = a
	now := n.opt.Now()
	var kept admissionState
	b, err := os.ReadFile(n.opt.Home.Path(store.StoreDir, admissionFile))
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.opt.Log.Warn("what admission remembered is not used", "err", err)
	}
	if err != nil || kept.Ages == nil {
		kept = admissionState{Ages: admission.NewAges(now, n.log.LastSeq())}
	}
	a.ages = kept.Ages
	desk.SetUsage(kept.Usage)
	desk.Away(a.ages.Away(now))
	a.ages.Note(now, n.log.LastSeq())
	ids, err := n.log.HeldIDs(ctx, maxHeldRead)
	if err != nil {
		return fmt.Errorf("read held changes: %w", err)
	}
	for _, id := range ids {
		rec, err := n.log.Get(ctx, id)
		if err == nil && rec.Held == reason.AdmissionRate && rec.State == crdtlog.Present {
			desk.Restore(a.facts(n.writer(rec.Change), rec.Change))
		}
	}
	return nil
}

// writer is the agent that a member was written for.
func (n *Node) writer(c *change.Change) change.AgentID {
	id, err := n.judge.Identity(c, n.log)
	if err != nil {
		return change.AgentID{}
	}
	return id.Agent
}

// Giver asks the bucket of the peer that brings changes, and that of its network.
// The owner's own files and the door, which counts its callers itself, have none.
func (a *admits) Giver(from string, count int) bool {
	id, err := peer.Decode(from)
	if err != nil || a.ages.CatchingUp() {
		return true
	}
	return a.desk.Giver(from, a.prefix(id), count)
}

// prefix is Peers.Prefix, "" without peers.
func (a *admits) prefix(id peer.ID) string {
	if p := a.n.connected(); p != nil {
		return p.Prefix(id)
	}
	return ""
}

// Admit judges a member that is new here.
func (a *admits) Admit(from string, agent change.AgentID, c *change.Change) (held reason.Code, stub bool) {
	if from == ingest.Owner || a.n.local.has(c.Head.Author) {
		return "", false // the owner's own choice, and own agents
	}
	if rec, ok := a.n.views.Agent(agent); ok && a.n.speaksFor(rec) {
		return "", false
	}
	switch a.desk.Judge(a.facts(agent, c)).Verdict {
	case admission.Hold:
		return reason.AdmissionRate, false
	case admission.Stub:
		return reason.AdmissionQuota, true
	}
	return "", false
}

// facts is what admission asks of a change.
func (a *admits) facts(agent change.AgentID, c *change.Change) admission.Change {
	h := c.Head
	out := admission.Change{
		ID: c.ID, Author: agent.String(), Bytes: int(h.Size), Control: change.LaneOf(h.Kind) == change.Control, Past: a.ages.Past(int64(h.HLC >> 10)),
	}
	rec, known := a.n.views.Agent(agent)
	if agent.IsZero() {
		out.Author = h.Author.String()
	}
	if h.Space.Area() == change.AreaTeam {
		out.Guild = string(h.Space) // whoever writes there has a role: the team answers for it
		return out
	}
	if h.Space.Area() == change.AreaGuild && len(h.Proof) > 1 {
		out.Guild = string(h.Space)
	}
	out.Newborn = !known || a.newborn(agent)
	if !known || rec.Sponsor == nil {
		out.Stranger = out.Newborn
		return out
	}
	if host := a.gateway(*rec.Sponsor); host != "" {
		out.Home = host
		return out
	}
	out.Tree = a.n.SponsorRoot(agent)
	out.Stranger = out.Newborn && a.fresh(out.Tree)
	return out
}

// gateway is the host of a gateway of the manifest, by its key.
func (a *admits) gateway(k did.Key) string {
	m, ok := a.n.views.Manifest()
	if !ok {
		return ""
	}
	for _, g := range m.Gateways {
		if g.Key == k || a.n.views.SameLine(g.Key, k) {
			return g.Host
		}
	}
	return ""
}

// fresh reports whether nobody is known who has been here for longer than a
// newborn at the root of a tree.
func (a *admits) fresh(root string) bool {
	if id, err := change.ParseAgentID(root); err == nil {
		return a.newborn(id)
	}
	k, err := did.ParseKey(root)
	if err != nil {
		return true
	}
	rec, ok := a.n.views.AgentByKey(k)
	return !ok || a.newborn(rec.ID)
}

func (a *admits) newborn(agent change.AgentID) bool {
	a.mu.Lock()
	b, ok := a.born[agent]
	a.mu.Unlock()
	if !ok {
		rec, err := a.n.log.Get(context.Background(), a.n.views.Genesis(agent))
		if err != nil {
			return true
		}
		b = birth{rec.Seq, int64(rec.Change.Head.HLC >> 10)}
		a.mu.Lock()
		if len(a.born) >= maxBirths {
			clear(a.born)
		}
		a.born[agent] = b
		a.mu.Unlock()
	}
	return a.ages.Newborn(b.seq, b.claimed, a.n.opt.Now())
}

// serve lets held changes go as the rates allow, until ctx ends.
func (a *admits) serve(ctx context.Context) {
	tick := time.NewTicker(releaseEvery)
	defer tick.Stop()
	room := a.n.opt.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		gone := a.desk.Release(maxReleased)
		a.leaving.Store(int64(len(gone)))
		for _, c := range gone {
			a.release(ctx, change.ID(c.ID))
			a.leaving.Add(-1)
		}
		if now := a.n.opt.Now(); now.Sub(room) >= roomEvery {
			room = now
			a.ages.Note(now, a.n.log.LastSeq())
			a.makeRoom(ctx)
		}
	}
}

// release shows and passes on one that was held.
func (a *admits) release(ctx context.Context, id change.ID) {
	n := a.n
	if err := n.log.Release(ctx, id); err != nil {
		n.opt.Log.Warn("held change not released in the log; it is held again after a restart", "change", id.String(), "err", err)
	}
	rec, err := n.log.Get(ctx, id)
	if err != nil || rec.Change.Body == nil {
		return
	}
	n.release(rec)
	if p := n.connected(); p != nil {
		p.PassOn(rec.Set, []*change.Change{rec.Change})
	}
}

// makeRoom lets the bodies of stubs be asked for for which the quotas have room.
func (a *admits) makeRoom(ctx context.Context) {
	if a.Stubbed() == 0 {
		return
	}
	ids, err := a.n.log.HeldIDs(ctx, maxHeldRead)
	if err != nil {
		a.n.opt.Log.Warn("held changes not read", "err", err)
		return
	}
	for freed := 0; len(ids) > 0 && freed < maxBodies && ctx.Err() == nil; ids = ids[1:] {
		rec, err := a.n.log.Get(ctx, ids[0])
		switch {
		case err != nil:
			continue
		case rec.State == crdtlog.Present && a.waits(ids[0]):
			continue
		case rec.State == crdtlog.Missing && !a.desk.Room(a.facts(a.n.writer(rec.Change), rec.Change)):
			continue
		}
		if err := a.n.log.Release(ctx, ids[0]); err == nil {
			freed++
		}
	}
}

// waits reports whether a change is held and not shown.
func (a *admits) waits(id change.ID) bool { return a.desk.Held(id) }

// Held is how many changes wait for their rate.
func (a *admits) Held() int { return a.desk.Waiting() + int(a.leaving.Load()) }

// Stubbed is how many bodies are left out.
func (a *admits) Stubbed() int { return max(0, int(a.n.log.Counts().Held)-a.Held()) }

// quiet are those of a batch whose news waits until they go. It says of each that
// it is not shown.
func (a *admits) quiet(all []ingest.Arrival) map[change.ID]bool {
	var held map[change.ID]bool
	for _, c := range all {
		if c.Held == "" {
			continue
		}
		if held == nil {
			held = map[change.ID]bool{}
		}
		held[c.Change.ID] = true
		a.n.notShown(c.Change.ID, c.Held)
	}
	return held
}

// save keeps what a restart must not forget.
func (a *admits) save() error {
	a.ages.Note(a.n.opt.Now(), a.n.log.LastSeq())
	b, err := json.Marshal(admissionState{a.ages, a.desk.Usage()})
	if err == nil {
		err = store.AtomicWrite(a.n.opt.Home.Path(store.StoreDir, admissionFile), b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep admission: %w", err)
	}
	return nil
}
