package core

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

// Admits is the admission of this node: package admission decides, and this says
// who an author is here.
type Admits struct {
	n    *Core
	Desk *admission.Desk // rates and quotas
	Ages *admission.Ages // when this node was here, and so who is new

	leaving atomic.Int64 // let go by the desk, and not yet in the log

	mu   sync.Mutex // guards born
	born map[change.AgentID]birth
}

// birth is when this node first received a change of an agent.
type birth struct {
	seq     uint64 // local sequence of its genesis
	claimed int64  // ms, by the genesis itself
}

var _ ingest.Admission = (*Admits)(nil)

// admissionFile keeps, beside the log, what a restart must not forget.
const admissionFile = "admission"

type admissionState struct {
	Ages  *admission.Ages            `json:"ages"`
	Usage map[string]admission.Usage `json:"usage"`
}

// DeskConfig is what the desk of admission is made with, by the settings of a node. The
// clock is not in it.
func DeskConfig(c config.Admission) admission.Config {
	return admission.Config{
		AuthorPerMinute: c.AuthorPerMinute, TreePerMinute: c.TreePerMinute, GuildPerMinute: c.GuildPerMinute, HomePerMinute: c.HomePerMinute,
		StrangersPerMinute: c.StrangersPerMinute, GiverPerSecond: c.GiverPerSecond, AuthorBodies: c.AuthorBodies, AuthorBytes: int64(c.AuthorBytes),
		TreeBodies: c.TreeBodies, TreeBytes: int64(c.TreeBytes), MaxHeld: c.Held,
	}
}

// OpenAdmission makes the desk and restores what was held, before anything is
// read or taken in.
func (n *Core) OpenAdmission(ctx context.Context) error {
	cfg := DeskConfig(n.Config().Admission)
	cfg.Now = n.Opt.Now
	desk, err := admission.New(cfg)
	if err != nil {
		return err
	}
	a := &Admits{n: n, Desk: desk, born: map[change.AgentID]birth{}}
	n.Admits = a
	now := n.Opt.Now()
	var kept admissionState
	b, err := os.ReadFile(n.Opt.Home.Path(store.StoreDir, admissionFile))
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.Opt.Log.Warn("what admission remembered is not used", "err", err)
	}
	if err != nil || kept.Ages == nil {
		kept = admissionState{Ages: admission.NewAges(now, n.Log.LastSeq())}
	}
	a.Ages = kept.Ages
	desk.SetUsage(kept.Usage)
	desk.Away(a.Ages.Away(now))
	a.Ages.Note(now, n.Log.LastSeq())
	ids, err := n.Log.HeldIDs(ctx, maxHeldRead)
	if err != nil {
		return fmt.Errorf("read held changes: %w", err)
	}
	for _, id := range ids {
		rec, err := n.Log.Get(ctx, id)
		if err == nil && rec.Held == reason.AdmissionRate && rec.State == crdtlog.Present {
			desk.Restore(a.facts(writer(n, rec.Change), rec.Change))
		}
	}
	return nil
}

// writer is the agent that a member was written for.
func writer(n *Core, c *change.Change) change.AgentID {
	id, err := n.Judge.Identity(c, n.Log)
	if err != nil {
		return change.AgentID{}
	}
	return id.Agent
}

// Giver asks the bucket of the peer that brings changes, and that of its network.
// The owner's own files and the API, which counts its callers itself, have none.
func (a *Admits) Giver(from string, count int) bool {
	id, err := peer.Decode(from)
	if err != nil || a.Ages.CatchingUp() {
		return true
	}
	return a.Desk.Giver(from, a.prefix(id), count)
}

// prefix is Peers.Prefix, "" without peers.
func (a *Admits) prefix(id peer.ID) string {
	if p := a.n.Connected(); p != nil {
		return p.Prefix(id)
	}
	return ""
}

// Admit judges a member that is new here.
func (a *Admits) Admit(from string, agent change.AgentID, c *change.Change) (held reason.Code, stub bool) {
	if from == ingest.Owner || a.n.Local.Has(c.Head.Author) {
		return "", false // the owner's own choice, and own agents
	}
	if rec, ok := a.n.Views.Agent(agent); ok && a.n.SpeaksFor(rec) {
		return "", false
	}
	switch a.Desk.Judge(a.facts(agent, c)).Verdict {
	case admission.Hold:
		return reason.AdmissionRate, false
	case admission.Stub:
		return reason.AdmissionQuota, true
	}
	return "", false
}

// facts is what admission judges a change by.
func (a *Admits) facts(agent change.AgentID, c *change.Change) admission.Change {
	h := c.Head
	out := admission.Change{
		ID: c.ID, Author: agent.String(), Bytes: int(h.Size), Control: change.LaneOf(h.Kind) == change.Control, Past: a.Ages.Past(int64(h.HLC >> 10)),
	}
	rec, known := a.n.Views.Agent(agent)
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
	if host := a.n.Views.GatewayHost(*rec.Sponsor); host != "" {
		out.Home = host
		return out
	}
	out.Tree = a.n.SponsorRoot(agent)
	out.Stranger = out.Newborn && a.fresh(out.Tree)
	return out
}

// fresh reports whether nobody is known who has been here for longer than a
// newborn at the root of a tree.
func (a *Admits) fresh(root string) bool {
	if id, err := change.ParseAgentID(root); err == nil {
		return a.newborn(id)
	}
	k, err := did.ParseKey(root)
	if err != nil {
		return true
	}
	rec, ok := a.n.Views.AgentByKey(k)
	return !ok || a.newborn(rec.ID)
}

func (a *Admits) newborn(agent change.AgentID) bool {
	a.mu.Lock()
	b, ok := a.born[agent]
	a.mu.Unlock()
	if !ok {
		rec, err := a.n.Log.Get(context.Background(), a.n.Views.Genesis(agent))
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
	return a.Ages.Newborn(b.seq, b.claimed, a.n.Opt.Now())
}

// Serve lets held changes go as the rates allow, until ctx ends.
func (a *Admits) Serve(ctx context.Context) {
	tick := time.NewTicker(releaseEvery)
	defer tick.Stop()
	room := a.n.Opt.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		gone := a.Desk.Release(maxReleased)
		a.leaving.Store(int64(len(gone)))
		for _, c := range gone {
			a.release(ctx, change.ID(c.ID))
			a.leaving.Add(-1)
		}
		if now := a.n.Opt.Now(); now.Sub(room) >= roomEvery {
			room = now
			a.Ages.Note(now, a.n.Log.LastSeq())
			a.makeRoom(ctx)
		}
	}
}

// release shows and passes on one that was held.
func (a *Admits) release(ctx context.Context, id change.ID) {
	n := a.n
	if err := n.Log.Release(ctx, id); err != nil {
		n.Opt.Log.Warn("held change not released in the log; it is held again after a restart", "change", id.String(), "err", err)
	}
	rec, err := n.Log.Get(ctx, id)
	if err != nil || rec.Change.Body == nil {
		return
	}
	n.release(rec)
	if p := n.Connected(); p != nil {
		p.PassOn(rec.Set, []*change.Change{rec.Change})
	}
}

// makeRoom lets the bodies of stubs be asked for for which the quotas have room.
func (a *Admits) makeRoom(ctx context.Context) {
	if a.Stubbed() == 0 {
		return
	}
	ids, err := a.n.Log.HeldIDs(ctx, maxHeldRead)
	if err != nil {
		a.n.Opt.Log.Warn("held changes not read", "err", err)
		return
	}
	for freed := 0; len(ids) > 0 && freed < MaxBodies && ctx.Err() == nil; ids = ids[1:] {
		rec, err := a.n.Log.Get(ctx, ids[0])
		switch {
		case err != nil:
			continue
		case rec.State == crdtlog.Present && a.Waits(ids[0]):
			continue
		case rec.State == crdtlog.Missing && !a.Desk.Room(a.facts(writer(a.n, rec.Change), rec.Change)):
			continue
		}
		if err := a.n.Log.Release(ctx, ids[0]); err == nil {
			freed++
		}
	}
}

// Waits reports whether a change is held and not shown.
func (a *Admits) Waits(id change.ID) bool { return a.Desk.Held(id) }

// Held is how many changes wait for their rate.
func (a *Admits) Held() int { return a.Desk.Waiting() + int(a.leaving.Load()) }

// Stubbed is how many bodies are left out.
func (a *Admits) Stubbed() int { return max(0, int(a.n.Log.Counts().Held)-a.Held()) }

// Quiet are those of a batch whose news waits until they go. It says of each that
// it is not shown.
func (a *Admits) Quiet(all []ingest.Arrival) map[change.ID]bool {
	var held map[change.ID]bool
	for _, c := range all {
		if c.Held == "" {
			continue
		}
		if held == nil {
			held = map[change.ID]bool{}
		}
		held[c.Change.ID] = true
		a.n.NotShown(c.Change.ID, c.Held)
	}
	return held
}

// Save keeps what a restart must not forget.
func (a *Admits) Save() error {
	a.Ages.Note(a.n.Opt.Now(), a.n.Log.LastSeq())
	b, err := json.Marshal(admissionState{a.Ages, a.Desk.Usage()})
	if err == nil {
		err = store.AtomicWrite(a.n.Opt.Home.Path(store.StoreDir, admissionFile), b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep admission: %w", err)
	}
	return nil
}
