package judging

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/standing"
)

// esteem is whom this node has reason to listen to, and where those to whom it has
// none are loud. It steers in which order things are judged and shown, and nothing
// else. It is never changed once it is in use.
type esteem struct {
	scores  map[change.AgentID]float64
	flooded map[string]bool // domains, "" for all
	number  uint32
}

// has reports whether an agent has standing. Before the first walk, and on a node
// without agents, all have.
func (e *esteem) has(id change.AgentID) bool {
	return e == nil || len(e.scores) == 0 || e.scores[id] >= standing.Least
}

// crowded reports whether the entries of a domain by agents without standing are so
// many that they are shown behind all others.
func (e *esteem) crowded(domain string) bool {
	return e != nil && (e.flooded[""] || e.flooded[domain])
}

// Outlook is the state of this node by which a list is ordered: a reader who goes on
// with it page by page misses nothing and sees nothing twice.
type Outlook struct {
	of     *esteem
	judged uint32 // the number of the last verdict
	blurs  bool
}

// Outlook is the present one for a zero as, else the one that as names, as far as
// it is remembered.
func (n *Judging) Outlook(as uint64) Outlook {
	o := Outlook{judged: uint32(as), blurs: n.BlursUnjudged()}
	if as == 0 {
		o.judged = n.social.Judged.Now()
	}
	n.esteems.mu.Lock()
	defer n.esteems.mu.Unlock()
	for i, e := range n.esteems.kept {
		if as == 0 || uint64(e.number) <= as>>32 || i == 0 && as>>32 > 1 {
			o.of = e
		}
	}
	return o
}

// As names the outlook in a cursor.
func (o Outlook) As() uint64 {
	number := uint64(1) // zero names the present
	if o.of != nil {
		number = uint64(o.of.number)
	}
	return number<<32 | uint64(o.judged)
}

// Behind reports whether an entry is shown behind all others: strangers flood its
// domain, or, by the setting, detectors have not seen it.
func (n *Judging) Behind(e *fold.Entry, o Outlook) bool {
	if o.of.crowded(e.Domain) && !o.of.has(e.Agent) {
		return true
	}
	return !o.blurs && !n.social.Judged.Had(e.ID, o.judged)
}

// esteems are the last ones, oldest first.
type esteems struct {
	mu   sync.Mutex
	kept []*esteem
	made uint32
}

// add puts one into use.
func (s *esteems) add(e *esteem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	e.number = s.made + 1
	s.kept = append(s.kept, e)
	if len(s.kept) > maxEsteems {
		s.kept = slices.Clone(s.kept[1:])
	}
}

// now is the one in use, nil before the first.
func (s *esteems) now() *esteem {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) == 0 {
		return nil
	}
	return s.kept[len(s.kept)-1]
}

// KeepEsteem walks anew while something changes.
func (n *Judging) KeepEsteem(ctx context.Context) {
	tick := time.NewTicker(esteemEvery)
	defer tick.Stop()
	var seen uint64
	for {
		if gen := n.directory.AgentCache.Gen.Load() + 1; gen != seen {
			n.esteems.add(n.weigh(ctx))
			seen = gen
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// weigh walks from the owner's agents: those of moderation.admins with the
// gateway's own, or else all that this node writes for.
func (n *Judging) weigh(ctx context.Context) *esteem {
	seeds := n.seeds()
	if len(seeds) == 0 {
		return &esteem{}
	}
	var ties standing.Ties
	n.core.Views.EachTie(func(from, to change.AgentID, t fold.Tie) {
		ties.Add(from, to, map[fold.Tie]float64{fold.TieSponsor: standing.Sponsor, fold.TieVote: standing.Vote, fold.TieReuse: standing.Reuse}[t])
	})
	for _, g := range n.core.Views.Guilds() {
		if ctx.Err() != nil {
			break
		}
		ties.AddGuild(n.trusted(g))
	}
	e := &esteem{scores: ties.Walk(seeds)}
	e.flooded = n.floods(e)
	return e
}

func (n *Judging) seeds() (out []change.AgentID) {
	for _, text := range n.core.Config().Moderation.Admins {
		if id, err := change.ParseAgentID(text); err == nil {
			out = append(out, id)
		}
	}
	if len(out) > 0 {
		if key, ok := n.core.Local.Named(core.ServiceKey); ok {
			out = append(out, change.DeriveAgent(n.core.Judge.Net(), key))
		}
		return out
	}
	for _, a := range n.core.Spoken() {
		if !slices.Contains(out, a.ID) {
			out = append(out, a.ID)
		}
	}
	return out
}

// trusted are the members of a guild whom somebody admitted: all of a private one,
// and of a public one, which anybody may join, those of a rank above members.
func (n *Judging) trusted(g fold.Guild) (out []change.AgentID) {
	open := g.Space.Area() == change.AreaGuild
	for _, m := range n.team.Members(g) {
		if !open || m.Grant.IsZero() || role.Rank(m.Role) > role.Rank(role.Member) {
			out = append(out, m.Agent)
		}
	}
	return out
}

// floods are the domains where agents without standing wrote much more in the last
// hour than those with it, and all domains when they wrote more than admission lets
// strangers write.
func (n *Judging) floods(e *esteem) map[string]bool {
	if at := n.core.Admits.Desk.Flooded(); n.core.Opt.Now().Sub(at) < floodWindow {
		return map[string]bool{"": true}
	}
	type sides struct{ with, without int }
	by := map[string]*sides{"": {}}
	since := uint64(max(0, n.core.Opt.Now().Add(-floodWindow).UnixMilli())) << 10
	n.core.Views.Newest(fold.Filter{Since: since, Intro: true}, 0, change.ID{}, func(f fold.Entry) bool {
		d := by[f.Domain]
		if d == nil {
			d = &sides{}
			by[f.Domain] = d
		}
		all := by[""]
		if e.has(f.Agent) {
			d.with++
			all.with++
		} else {
			d.without++
			all.without++
		}
		return true
	})
	out := map[string]bool{}
	for name, s := range by {
		least := floodDomain
		if name == "" {
			least = floodAll
		}
		if s.without >= least && s.without >= floodRatio*s.with {
			out[name] = true
		}
	}
	return out
}
