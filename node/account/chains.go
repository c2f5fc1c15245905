package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/view"
)

// OpenLineage asks whether this home goes on from everything its keys have signed.
func (n *Accounts) OpenLineage() (err error) {
	s := n.core.Config().Storage
	cfg := lineage.Config{
		Home: n.core.Opt.Home, Volatile: n.core.Opt.Engine == nil && s.Engine == "memory", Keys: n.core.Local.All(), Seq: n.core.Log.LastSeq(), Now: n.core.Opt.Now,
	}
	if n.core.Opt.Engine == nil && !cfg.Volatile {
		cfg.Store = n.core.Opt.Home.Resolve(s.Dir)
	}
	if n.core.Lineage, err = lineage.Open(cfg); err != nil {
		return fmt.Errorf("ask where this home comes from: %w", err)
	}
	if n.core.Opt.Restored {
		err = n.core.Lineage.Suspect(lineage.Restored, n.core.Local.All())
	}
	if d, ok := n.core.Lineage.Doubt(); ok && n.Comparing() {
		n.core.Opt.Log.Warn("this home "+d.Why.Text()+": nothing is signed with its keys until a peer that knows them was compared with", "why", d.Why, "since", d.Since, "alone", "meshd run --alone")
	}
	return err
}

// Comparing reports whether chains of this node wait for a peer.
func (n *Accounts) Comparing() bool {
	keys, teams := n.core.Uncompared()
	return len(keys)+len(teams) > 0
}

// OnSettled sets what is called after chains of this node were compared with those
// that a peer knows. Call it once, before Serve.
func (n *Accounts) OnSettled(f func(context.Context)) { n.Settled.Store(&f) }

// Withheld reports whether a change is not served now: while the chains of a
// key are compared, what peers know of it must not come from here. Of a key that
// was given up everything is served.
func (n *Accounts) Withheld(c *change.Change) bool {
	d, ok := n.core.Lineage.Doubt()
	return ok && d.Alone.IsZero() && n.core.Lineage.Unsure(c.Head.Author, c.Head.Space) && n.core.SpeaksNow(c.Head.Author)
}

// GoAlone is the owner's word that no peer has more of this home's chains.
// Each agent whose key is in doubt is taken over to a new key of this vault; the
// old ones sign nothing any more, so that what they signed elsewhere cannot be
// forked. An owner's key that is not in the log only gives up its name,
// for a new one. It returns how many agents have a new key.
func (n *Accounts) GoAlone(ctx context.Context) (moved int, err error) {
	for _, k := range n.core.Local.All() {
		if !n.core.Lineage.Unsure(k, change.SpaceNet) && !slices.ContainsFunc(n.core.TeamSets(), func(name string) bool {
			return n.core.Lineage.Unsure(k, change.Space(name)) && n.core.SpeaksIn(k, change.Space(name))
		}) {
			continue
		}
		rec, ok := n.core.Views.AgentByKey(k)
		switch {
		case ok && rec.Key == k:
			turn := view.Turn{}
			if rec.PQ != nil && body.HighestRank(rec.Controllers, rec.Next) != body.RankActing {
				turn.Second = view.SecondLeft // the key consents, and may give no more
				n.core.Opt.Log.Warn("the new key has one signature, not two: meshd id rotate --hybrid --recovery FILE gives the agent a second one again", "agent", rec.ID)
			}
			if _, err := n.RotateHere(ctx, rec.ID, n.ConsentOfKey(rec.ID), turn); err != nil {
				return moved, fmt.Errorf("take %s over to a new key: %w", rec.ID, err)
			}
			moved++
		case !ok:
			for _, name := range []string{core.OwnerKey, core.ServiceKey} {
				if named, ok := n.core.Local.Named(name); !ok || named != k {
					continue
				}
				if err := n.core.Local.Retire(name, k); err != nil {
					return moved, err
				}
				moved++
			}
		}
	}
	return moved, n.core.Lineage.WentAlone()
}

// OwnForks are the forked chains of keys that speak here now, by agent and space.
func (n *Accounts) OwnForks() []core.OwnFork {
	out := []core.OwnFork{}
	for ch, seq := range n.core.Views.Forks() {
		if !n.core.Local.Has(ch.Author) {
			continue
		}
		rec, ok := n.core.Views.AgentByKey(ch.Author)
		if ok && rec.Key != ch.Author {
			continue // rotated away
		}
		f := core.OwnFork{Key: ch.Author.String(), Space: string(ch.Space), Lane: ch.Lane.String(), Seq: seq}
		if ok {
			f.Agent, f.Name = rec.ID.String(), rec.Name
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b core.OwnFork) int {
		return strings.Compare(a.Agent+a.Space+a.Lane, b.Agent+b.Space+b.Lane)
	})
	return out
}
