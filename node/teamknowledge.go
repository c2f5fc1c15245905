package node

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/view"
)

// ContributeToTeam signs and stores an entry in a team's space, where its members
// alone see it. The gate was run by the caller. The same text twice in one team
// is refused as a duplicate, and almost the same of one author within a day; what
// is public elsewhere does not matter.
func (n *Node) ContributeToTeam(ctx context.Context, agent change.AgentID, guild change.ID, domain string, e body.Entry, opt view.Submit) (view.Receipt, error) {
	if !change.ValidDomain(domain) {
		return view.Receipt{}, reason.Refuse(reason.InvalidParam, "not a domain: %q", domain)
	}
	space := change.TeamSpace(guild)
	e.Domain = domain
	for _, id := range e.Reuses {
		if !n.knows(id, space) {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "an entry in reuses is not known here").
				With(map[string]any{"id": id.Text(change.PrefixEntry)})
		}
	}
	if !e.Supersedes.IsZero() {
		if old, ok := n.views.Entry(e.Supersedes); !ok || old.Agent != agent || old.Space != space {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "supersedes must name an entry of your own in this team")
		}
	}
	w := ingest.Write{Space: space, Kind: change.KindEntryPut}
	if opt.IdempotencyKey != "" {
		w.Mark = agent.String() + "/" + opt.IdempotencyKey
	}
	if old := n.sameInTeam(ctx, space, e.Text); !old.IsZero() && old != e.Supersedes && !n.replayed(ctx, w.Mark) {
		return view.Receipt{}, duplicate(old)
	}
	var err error
	if w.Body, err = e.Encode(); err != nil {
		return view.Receipt{}, reason.Refuse(reason.BadEncoding, "%v", err)
	}
	rec, err := n.writeNew(ctx, agent, space, w, e)
	if err != nil {
		return view.Receipt{}, err
	}
	n.judged.put(rec.Change.ID, "") // at this door the gate came first
	return n.receipt(rec, agent), nil
}

// knows reports whether an entry is one that may be cited in a space: a public
// one, or one of that space.
func (n *Node) knows(id change.ID, space change.Space) bool {
	e, ok := n.views.Entry(id)
	return ok && (e.Space.Area() != change.AreaTeam || e.Space == space)
}

// sameInTeam finds an entry of the same normalised text among the newest of a
// team.
func (n *Node) sameInTeam(ctx context.Context, space change.Space, text string) change.ID {
	want := shortHash(gate.NormalHash(text))
	for _, e := range n.newestOf(space, maxTeamScan) {
		if p, ok := n.printOfEntry(ctx, e.ID); ok && p.same == want {
			return e.ID
		}
	}
	return change.ID{}
}

func (n *Node) newestOf(space change.Space, most int) []fold.Entry {
	var out []fold.Entry
	n.views.Newest(fold.Filter{Team: space, Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
		out = append(out, e)
		return len(out) < most
	})
	return out
}

// TeamEntries lists live entries of a team, newest first. A text selects those
// that hold all its words.
func (n *Node) TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error) {
	f := filterOf(&q)
	f.Team, f.Intro = change.TeamSpace(guild), true
	if limit := n.visibleUntil(); f.Until == 0 || f.Until > limit {
		f.Until = limit
	}
	var place view.EntryPlace
	if q.After != nil {
		place = *q.After
	}
	var found []fold.Entry
	n.views.Newest(f, place.HLC, place.ID, func(e fold.Entry) bool {
		found = append(found, e)
		return len(found) < maxTeamScan
	})
	page := view.EntryPage{Total: n.views.Count(f)}
	words := strings.Fields(strings.ToLower(q.Text))
	for _, fe := range found {
		e, err := n.entry(ctx, fe)
		if err != nil || e.Held != "" {
			page.Hidden++
			continue
		}
		if !holdsAll(e.Body, e.Domain, words) {
			continue
		}
		if len(page.Entries) == q.Limit {
			last := page.Entries[q.Limit-1]
			page.Next = &view.EntryPlace{HLC: n.hlcOf(last.ID), ID: last.ID}
			return page, nil
		}
		page.Entries = append(page.Entries, e)
	}
	return page, nil
}

func holdsAll(b body.Entry, domain string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	all := strings.ToLower(strings.Join(append([]string{b.Title, b.Text, b.Type, domain}, b.Tags...), "\n"))
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// TeamEntry is one live entry of a team, or entry_not_found.
func (n *Node) TeamEntry(ctx context.Context, guild, id change.ID) (view.Entry, error) {
	f, ok := n.views.Entry(id)
	if !ok || f.Space != change.TeamSpace(guild) || f.State != fold.Live {
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "the team has no such entry")
	}
	e, err := n.entry(ctx, f)
	if err != nil {
		return view.Entry{}, err
	}
	if e.Held != "" {
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "the team has no such entry")
	}
	return e, nil
}

// TeamKnowledge counts the live entries of a team.
func (n *Node) TeamKnowledge(_ context.Context, guild change.ID) int {
	return n.views.Count(fold.Filter{Team: change.TeamSpace(guild), Intro: true})
}
