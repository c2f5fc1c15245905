package knowledge

import (
	"context"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/node/writing"
)

// ContributeToTeam signs and stores an entry that a gate has passed in a team's
// space, where its members alone see it. The same text twice in one team is
// refused as a duplicate, and almost the same of one author within a day; what is
// public elsewhere does not matter.
func (n *Library) ContributeToTeam(ctx context.Context, agent change.AgentID, guild change.ID, p gate.Passed, opt view.Submit) (view.Receipt, error) {
	if !change.ValidDomain(p.Domain()) {
		return view.Receipt{}, reason.Refuse(reason.InvalidParam, "not a domain: %q", p.Domain())
	}
	space := change.TeamSpace(guild)
	w, e, err := writing.EntryWrite(agent, space, p, opt)
	if err != nil {
		return view.Receipt{}, err
	}
	for _, id := range e.Reuses {
		if !n.knows(id, space) {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "an entry in reuses is not known here").
				With(map[string]any{"id": id.Text(change.PrefixEntry)})
		}
	}
	if !e.Supersedes.IsZero() {
		if old, ok := n.core.Views.Entry(e.Supersedes); !ok || old.Agent != agent || old.Space != space {
			return view.Receipt{}, reason.Refuse(reason.UnknownReference, "supersedes must name an entry of your own in this team")
		}
	}
	if old := n.sameInTeam(space, e.Text); !old.IsZero() && old != e.Supersedes && !n.writing.Replayed(ctx, w.Mark) {
		return view.Receipt{}, writing.Duplicate(old)
	}
	rec, err := n.writing.WriteNew(ctx, agent, space, w, e)
	if err != nil {
		return view.Receipt{}, err
	}
	return n.writing.Receipt(rec, agent), nil
}

// knows reports whether an entry is one that may be cited in a space: a public
// one, or one of that space.
func (n *Library) knows(id change.ID, space change.Space) bool {
	e, ok := n.core.Views.Entry(id)
	return ok && (e.Space.Area() != change.AreaTeam || e.Space == space)
}

// sameInTeam finds a live entry of the same normalised text in a team.
func (n *Library) sameInTeam(space change.Space, text string) change.ID {
	id := n.core.Copies.Find(core.TextKey(space, text))
	if e, ok := n.core.Views.Entry(id); ok && e.State == fold.Live {
		return id
	}
	return change.ID{}
}

// TeamEntries lists live entries of a team, newest first. A text selects those
// that contain all its words.
func (n *Library) TeamEntries(ctx context.Context, guild change.ID, q view.EntryQuery) (view.EntryPage, error) {
	f := filterOf(&q)
	f.Team, f.Intro = change.TeamSpace(guild), true
	if limit := n.core.VisibleUntil(); f.Until == 0 || f.Until > limit {
		f.Until = limit
	}
	var place view.EntryPlace
	if q.After != nil {
		place = *q.After
	}
	var found []fold.Entry
	n.core.Views.Newest(f, place.HLC, place.ID, func(e fold.Entry) bool {
		found = append(found, e)
		return len(found) < maxTeamScan
	})
	page := view.EntryPage{Total: n.core.Views.Count(f)}
	words := strings.Fields(strings.ToLower(q.Text))
	for _, fe := range found {
		e, err := n.entryOf(ctx, fe)
		if err != nil || e.Held != "" {
			page.Hidden++
			continue
		}
		if !containsAll(e.Body, e.Domain, words) {
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

func containsAll(b body.Entry, domain string, words []string) bool {
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
func (n *Library) TeamEntry(ctx context.Context, guild, id change.ID) (view.Entry, error) {
	f, ok := n.core.Views.Entry(id)
	if !ok || f.Space != change.TeamSpace(guild) || f.State != fold.Live {
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "the team has no such entry")
	}
	e, err := n.entryOf(ctx, f)
	if err != nil {
		return view.Entry{}, err
	}
	if e.Held != "" {
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "the team has no such entry")
	}
	return e, nil
}

// TeamKnowledge counts the live entries of a team.
func (n *Library) TeamKnowledge(_ context.Context, guild change.ID) int {
	return n.core.Views.Count(fold.Filter{Team: change.TeamSpace(guild), Intro: true})
}
