package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/p2p/sync"
)

// openLineage asks whether this home goes on from everything its keys have signed.
func (n *Node) openLineage() (err error) {
	s := n.Config().Storage
	cfg := lineage.Config{
		Home: n.opt.Home, Volatile: n.opt.Engine == nil && s.Engine == "memory", Keys: n.local.all(), Seq: n.log.LastSeq(), Now: n.opt.Now,
	}
	if n.opt.Engine == nil && !cfg.Volatile {
		cfg.Store = n.opt.Home.Resolve(s.Dir)
	}
	if n.lineage, err = lineage.Open(cfg); err != nil {
		return fmt.Errorf("ask where this home comes from: %w", err)
	}
	if n.opt.Restored {
		err = n.lineage.Suspect(lineage.Restored, n.local.all())
	}
	if d, ok := n.lineage.Doubt(); ok && n.comparing() {
		n.opt.Log.Warn("this home "+d.Why.Text()+": nothing is signed with its keys until a peer that knows them was compared with", "why", d.Why, "since", d.Since, "alone", "meshd run --alone")
	}
	return err
}

// uncompared are the keys of this vault that would speak here now and whose
// public chains may go on elsewhere, and the team sets of which that is so.
func (n *Node) uncompared() (keys, teams []string) {
	if _, ok := n.lineage.Doubt(); !ok {
		return nil, nil
	}
	all := slices.DeleteFunc(n.local.all(), func(k did.Key) bool { return !n.speaksNow(k) })
	for _, k := range all {
		if n.lineage.Unsure(k, change.SpaceNet) {
			keys = append(keys, k.String())
		}
	}
	for _, name := range n.teamSets() {
		if slices.ContainsFunc(all, func(k did.Key) bool {
			return n.lineage.Unsure(k, change.Space(name)) && n.speaksIn(k, change.Space(name))
		}) {
			teams = append(teams, name)
		}
	}
	slices.Sort(keys)
	return keys, teams
}

// comparing reports whether chains of this node wait for a peer.
func (n *Node) comparing() bool {
	keys, teams := n.uncompared()
	return len(keys)+len(teams) > 0
}

// speaksNow reports whether an agent is spoken for by that key now, or may be for
// all this node knows: the log has nothing of the owner's first key.
func (n *Node) speaksNow(k did.Key) bool {
	if rec, ok := n.views.AgentByKey(k); ok {
		return rec.Key == k
	}
	if slices.ContainsFunc(n.views.GrantsTo(k), n.inTerm) {
		return true
	}
	owner, ok := n.local.named(OwnerKey)
	return ok && owner == k
}

// speaksIn reports whether that key speaks for a member of a team.
func (n *Node) speaksIn(k did.Key, team change.Space) bool {
	id, _ := team.Guild()
	if rec, ok := n.views.AgentByKey(k); ok && rec.Key == k {
		return n.isMember(id, rec.ID)
	}
	return slices.ContainsFunc(n.views.GrantsTo(k), func(g fold.Grant) bool {
		agent, ok := g.Space.Agent()
		return ok && n.inTerm(g) && n.isMember(id, agent)
	})
}

// Unsure is the refusal of what agents here would write while the node does not
// know how far their public chains go, nil when it does.
func (n *Node) Unsure() error {
	if d, ok := n.lineage.Doubt(); ok {
		if keys, _ := n.uncompared(); len(keys) > 0 {
			return lineage.Refusal(d.Why, change.SpaceNet)
		}
	}
	return nil
}

// OnSettled sets what is called after chains of this node were compared with those
// that a peer knows. Call it once, before Serve.
func (n *Node) OnSettled(f func(context.Context)) { n.settled.Store(&f) }

// compareChains compares the chains of this node with what its peers know of them,
// as long as that is in doubt.
func (net *network) compareChains(ctx context.Context) error {
	n := net.n
	for pause := comparePause; ; pause = min(pause*2, maxComparePause) {
		d, ok := n.lineage.Doubt()
		switch {
		case !ok:
			<-ctx.Done() // a service that returns is started again
			return nil
		case n.comparing():
			reports, err := net.sync.SyncNow(ctx)
			if err == nil {
				n.compared(ctx, net, reports)
			}
			if len(reports) == 0 {
				pause = comparePause
			}
		case !d.Alone.IsZero():
			n.readmit(ctx)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// compared settles what these passes have shown: each has brought all that its
// peer has, so that a peer that knows a key has told how far its chains go.
func (n *Node) compared(ctx context.Context, net *network, reports []sync.PassReport) {
	for _, r := range reports {
		if !r.Complete {
			continue
		}
		ks := n.knownTo(ctx, net, r.Peer)
		var teams []string
		for _, s := range r.Sets {
			if private(s.Set) && s.Complete && n.knowsTeam(ctx, net, r.Peer, s.Set) {
				teams = append(teams, s.Set)
			}
		}
		news, err := n.lineage.Settle(ks, teams)
		if err != nil {
			n.opt.Log.Error("not noted that chains were compared", "err", err)
			continue
		}
		if !news {
			continue
		}
		n.opt.Log.Info("own chains compared with a peer", "peer", r.Peer.String(), "keys", len(ks), "teams", len(teams))
		if f := n.settled.Load(); f != nil {
			(*f)(ctx)
		}
	}
}

// knownTo are the keys in doubt that a peer knows by what it did not get from this
// node, which hands out nothing of them meanwhile.
func (n *Node) knownTo(ctx context.Context, net *network, p peer.ID) (out []did.Key) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	records := map[change.ID]did.Key{}
	for _, k := range n.local.all() {
		if !n.lineage.Unsure(k, change.SpaceNet) {
			continue
		}
		if rec, ok := n.views.AgentByKey(k); ok {
			records[rec.Binding] = k
		}
		for _, g := range n.views.GrantsTo(k) {
			records[g.ID] = k
		}
	}
	for id, k := range records {
		cs, err := net.sync.FetchChanges(ctx, p, change.SetAuth, []change.ID{id})
		if err == nil && len(cs) > 0 && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// knowsTeam reports whether a peer has what the keys of this node wrote in a team,
// or this node has nothing of theirs there.
func (n *Node) knowsTeam(ctx context.Context, net *network, p peer.ID, set string) bool {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	for _, k := range n.local.all() {
		for _, ch := range n.views.Chains(k) {
			if string(ch.Space) != set || !n.lineage.Unsure(k, ch.Space) {
				continue
			}
			first, err := n.log.At(ctx, ch, 1)
			if err != nil || len(first) == 0 {
				continue
			}
			if cs, err := net.sync.FetchChanges(ctx, p, set, first); err != nil || len(cs) == 0 {
				return false
			}
		}
	}
	return true
}

// withheld reports whether a change is not handed out now: while the chains of a
// key are compared, what peers know of it must not come from here. Of a key that
// was given up everything is handed out.
func (n *Node) withheld(c *change.Change) bool {
	d, ok := n.lineage.Doubt()
	return ok && d.Alone.IsZero() && n.lineage.Unsure(c.Head.Author, c.Head.Space) && n.speaksNow(c.Head.Author)
}

// GoAlone is the owner's word that no peer will tell more of this home's chains.
// Each agent whose key is in doubt is taken over to a new key of this vault; the
// old ones sign nothing any more, so that what they signed elsewhere cannot be
// forked. Of an owner's key that the log knows nothing of, only the name is kept
// free for a new one. It returns how many agents have a new key.
func (n *Node) GoAlone(ctx context.Context) (moved int, err error) {
	for _, k := range n.local.all() {
		if !n.lineage.Unsure(k, change.SpaceNet) && !slices.ContainsFunc(n.teamSets(), func(name string) bool {
			return n.lineage.Unsure(k, change.Space(name)) && n.speaksIn(k, change.Space(name))
		}) {
			continue
		}
		rec, ok := n.views.AgentByKey(k)
		switch {
		case ok && rec.Key == k:
			if _, err := n.RotateHere(ctx, rec.ID, n.ConsentOfKey(rec.ID), nil); err != nil {
				return moved, fmt.Errorf("take %s over to a new key: %w", rec.ID, err)
			}
			moved++
		case !ok:
			for _, name := range []string{OwnerKey, serviceKey} {
				if named, ok := n.local.named(name); !ok || named != k {
					continue
				}
				if err := n.local.retire(name, k); err != nil {
					return moved, err
				}
				moved++
			}
		}
	}
	return moved, n.lineage.WentAlone()
}

// retire gives a key another name, so that the one it had is free.
func (h *homed) retire(name string, k did.Key) error {
	info, secret, err := h.vault.Export(name)
	if err != nil {
		return fmt.Errorf("retire key: %w", err)
	}
	text := k.String()
	other := "retired-" + strings.ToLower(text[len(text)-12:])
	if _, err := h.vault.Import(other, info.Kind, secret); err != nil && !errors.Is(err, vault.ErrExists) {
		return fmt.Errorf("retire key: %w", err)
	}
	if err := h.vault.Delete(name); err != nil {
		return fmt.Errorf("retire key: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.names[k] = other
	return nil
}

// ownForks are the forked chains of keys that speak here now, by agent and space.
func (n *Node) ownForks() []OwnFork {
	out := []OwnFork{}
	for ch, seq := range n.views.Forks() {
		if !n.local.has(ch.Author) {
			continue
		}
		rec, ok := n.views.AgentByKey(ch.Author)
		if ok && rec.Key != ch.Author {
			continue // rotated away
		}
		f := OwnFork{Key: ch.Author.String(), Space: string(ch.Space), Lane: ch.Lane.String(), Seq: seq}
		if ok {
			f.Agent, f.Name = rec.ID.String(), rec.Name
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b OwnFork) int {
		return strings.Compare(a.Agent+a.Space+a.Lane, b.Agent+b.Space+b.Lane)
	})
	return out
}
