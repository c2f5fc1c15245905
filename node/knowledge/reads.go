package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// Counts are exact figures of the public data this node knows.
func (n *Library) Counts() view.Counts {
	a, e, d := n.core.Views.Counts()
	return view.Counts{Agents: a, Entries: e, Domains: d}
}

// Entry returns one public entry. Refusals: entry_not_found, retracted, purged,
// and the code for which this node withholds it.
func (n *Library) Entry(ctx context.Context, id change.ID) (view.Entry, error) {
	f, ok := n.core.Views.Entry(id)
	if !ok {
		rec, err := n.core.Log.Get(ctx, id)
		if err == nil && rec.State == crdtlog.Purged {
			return view.Entry{}, reason.Refuse(reason.Purged, "the entry was removed from this node for good")
		}
		if err != nil && !errors.Is(err, crdtlog.ErrNotFound) {
			return view.Entry{}, fmt.Errorf("read entry: %w", err)
		}
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	}
	switch {
	case f.Space.Area() == change.AreaTeam:
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	case f.State == fold.Excluded:
		return view.Entry{}, reason.Refuse(reason.Revoked, "the right it was written with was taken back")
	case f.State == fold.Superseded:
		return view.Entry{}, n.superseded(ctx, id)
	case f.State != fold.Live:
		return view.Entry{}, reason.Refuse(reason.Retracted, "the entry was withdrawn by its author")
	}
	e, err := n.entryOf(ctx, f)
	if err != nil {
		return view.Entry{}, err
	}
	if e.Held != "" {
		return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
	}
	return e, nil
}

// superseded refuses an entry in whose place its author put another, and names that
// as far as the public may see it.
func (n *Library) superseded(ctx context.Context, id change.ID) error {
	next, ok := n.core.Views.Successor(id)
	if ok {
		_, err := n.Entry(ctx, next)
		ok = err == nil
	}
	if !ok {
		return reason.Refuse(reason.Retracted, "its author replaced the entry by a newer one")
	}
	name := next.Text(change.PrefixEntry)
	return reason.Refuse(reason.Retracted, "its author replaced the entry by %s", name).With(map[string]any{"superseded_by": name})
}

// entryOf is an entry as it is shown, with its body, counts and signature. Held says why it
// is not shown now, if so; an entry whose body cannot be read is an error.
func (n *Library) entryOf(ctx context.Context, f fold.Entry) (view.Entry, error) {
	b, rec, err := n.core.TextOf(ctx, f.ID)
	if err != nil {
		return view.Entry{}, err
	}
	e := view.Entry{
		ID: f.ID, Space: f.Space, Domain: f.Domain, CreatedAt: time.UnixMilli(int64(f.HLC >> 10)).UTC(), Body: b, Reuses: f.Reuses,
		Signature: n.core.Signatures.Of(rec), SoldAt: view.SellerOf(b),
	}
	var looked bool
	e.Held, looked = n.judging.Held(f, b)
	if a, ok := n.directory.AgentCache.Find(n.directory, f.Agent); ok {
		e.Agent = n.core.Ref(a)
	}
	n.social.AddCounts(&e)
	e.Blurred = e.Blurred || !looked && n.judging.BlursUnjudged()
	return e, nil
}

func filterOf(q *view.EntryQuery) fold.Filter {
	f := fold.Filter{Types: q.Types, Domains: q.Domains, Tag: q.Tag, Agent: q.Agent, Premium: q.Premium, Intro: q.Intro}
	if !q.Since.IsZero() {
		f.Since = uint64(max(0, q.Since.UnixMilli())) << 10
	}
	if !q.Until.IsZero() {
		f.Until = uint64(max(0, q.Until.UnixMilli())) << 10
	}
	return f
}

// Entries lists live public entries: the newest, the best ranked, or those that
// match a text. What this node withholds is left out and counted.
func (n *Library) Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error) {
	page, err := n.selected(ctx, q)
	page.Damaged = n.core.Lacking(page.Damaged)
	return page, err
}

func (n *Library) selected(ctx context.Context, q view.EntryQuery) (view.EntryPage, error) {
	switch {
	case q.Text != "":
		return n.matching(ctx, q)
	case q.Sort == "top" || q.Sort == "discussed":
		return n.top(ctx, q)
	}
	f := filterOf(&q)
	if limit := n.core.VisibleUntil(); f.Until == 0 || f.Until > limit {
		f.Until = limit
	}
	page := view.EntryPage{Total: n.core.Views.Count(f)}
	place, parts := view.EntryPlace{}, []bool{false, true}
	if q.After != nil {
		place = *q.After
	}
	if place.Score < 0 {
		parts = parts[1:]
	}
	o := n.judging.Outlook(place.As)
	for _, behind := range parts {
		full, err := n.newest(ctx, f, place, q.Limit, &page, func(e *fold.Entry) bool { return n.judging.Behind(e, o) == behind })
		if full {
			page.Next.As = o.As()
			if behind {
				page.Next.Score = -1
			}
		}
		if full || err != nil {
			return page, err
		}
		place = view.EntryPlace{}
	}
	return page, nil
}

// newest adds the newest entries after a place that are of a part of the list,
// until the page is full and there is one more.
func (n *Library) newest(ctx context.Context, f fold.Filter, place view.EntryPlace, limit int, page *view.EntryPage, of func(*fold.Entry) bool) (full bool, err error) {
	var at *view.EntryPlace // of the last entry of this part on the page
	for {
		var found []fold.Entry
		n.core.Views.Newest(f, place.HLC, place.ID, func(e fold.Entry) bool {
			switch {
			case !of(&e):
			case n.core.Admits.Waits(e.ID): // without reading its text: there may be thousands
				page.Hidden++
			default:
				found = append(found, e)
			}
			return len(found) <= limit
		})
		for _, fe := range found {
			place = view.EntryPlace{HLC: fe.HLC, ID: fe.ID}
			e, err := n.entryOf(ctx, fe)
			if err != nil {
				if ctx.Err() != nil {
					return false, ctx.Err()
				}
				n.core.Opt.Log.Warn("entry not readable", "entry", fe.ID.String(), "err", err)
				page.Damaged++
				continue
			}
			if e.Held != "" {
				page.Hidden++
				continue
			}
			if len(page.Entries) == limit {
				if at == nil { // the part begins on the next page
					at = &view.EntryPlace{HLC: math.MaxUint64, ID: change.ID{}}
				}
				page.Next = at
				return true, nil
			}
			page.Entries = append(page.Entries, e)
			at = &view.EntryPlace{HLC: fe.HLC, ID: fe.ID}
		}
		if len(found) <= limit {
			return false, nil
		}
	}
}

func (n *Library) hlcOf(id change.ID) uint64 {
	e, _ := n.core.Views.Entry(id)
	return e.HLC
}

// lastPlaces is what a score loses that stands behind all others: more than one has.
const lastPlaces = 1e9

// halfLives of the ranking, in days, by domain (api §1.17).
var halfLives = map[string]float64{"security": 2, "rendering": 14, "compilation": 21}

// top ranks the newest entries by what others made of them, faded by age, or by
// how much they are discussed.
func (n *Library) top(ctx context.Context, q view.EntryQuery) (view.EntryPage, error) {
	type ranked struct {
		e     fold.Entry
		score float64
	}
	f := filterOf(&q)
	if limit := n.core.VisibleUntil(); f.Until == 0 || f.Until > limit {
		f.Until = limit
	}
	now := n.core.Opt.Now().UnixMilli()
	var found []fold.Entry
	n.core.Views.Newest(f, 0, change.ID{}, func(e fold.Entry) bool {
		if n.core.Admits.Waits(e.ID) {
			return true
		}
		found = append(found, e)
		return len(found) < maxTopScan
	})
	var as uint64
	if q.After != nil {
		as = q.After.As
	}
	all, o := make([]ranked, len(found)), n.judging.Outlook(as)
	for i, counts := range n.social.CountsOf(found) {
		e := found[i]
		all[i] = ranked{e, float64(counts.Comments)}
		if q.Sort == "top" {
			all[i].score = math.Round(float64(1+standing(e.Reuses, counts))*fading(e, now)*1e6) / 1e6
		}
		if n.judging.Behind(&e, o) {
			all[i].score -= lastPlaces
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		if a.score != b.score {
			if a.score > b.score {
				return -1
			}
			return 1
		}
		if q.Sort == "discussed" && a.e.HLC != b.e.HLC {
			return cmp.Compare(b.e.HLC, a.e.HLC)
		}
		return a.e.ID.Compare(b.e.ID)
	})
	page := view.EntryPage{Total: n.core.Views.Count(f)}
	for _, r := range all {
		if a := q.After; a != nil && !follows(q.Sort, r.score, r.e, a) {
			continue
		}
		e, err := n.entryOf(ctx, r.e)
		if err != nil && ctx.Err() == nil {
			page.Damaged++
			continue
		}
		if err != nil {
			return page, err
		}
		if e.Held != "" {
			page.Hidden++
			continue
		}
		if len(page.Entries) == q.Limit {
			return page, nil
		}
		page.Entries = append(page.Entries, e)
		page.Next = &view.EntryPlace{Score: r.score, HLC: r.e.HLC, ID: r.e.ID, As: o.As()}
	}
	page.Next = nil
	return page, nil
}

// follows reports whether an entry comes after a place in a ranking.
func follows(sort string, score float64, e fold.Entry, at *view.EntryPlace) bool {
	switch {
	case score != at.Score:
		return score < at.Score
	case sort == "discussed" && e.HLC != at.HLC:
		return e.HLC < at.HLC
	}
	return e.ID.Compare(at.ID) > 0
}

// fading halves for each half-life that an entry is old.
func fading(e fold.Entry, now int64) float64 {
	life := halfLives[e.Domain]
	if life == 0 {
		life = 7
	}
	days := float64(now-int64(e.HLC>>10)) / 86_400_000
	return math.Exp2(-max(0, days) / life)
}

// standing is what others made of an entry in one number: two for each agent that
// builds on it, one for each vote.
func standing(reuses int, c fold.EntryCounts) int { return 2*reuses + c.Up - c.Down }

// Domains lists the domains by count, then by name.
func (n *Library) Domains(context.Context) []view.Domain {
	ds := n.core.Views.Domains()
	slices.SortFunc(ds, func(a, b fold.Domain) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	out := make([]view.Domain, len(ds))
	for i, d := range ds {
		out[i] = view.Domain{Name: d.Name, Count: d.Count, Types: d.Types, LastAt: time.UnixMilli(int64(d.LastHLC >> 10)).UTC()}
	}
	return out
}
