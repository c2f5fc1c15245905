package fold_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/identity/did"
)

// words draws a vote, a comment, a label, a count or a manifest.
func (h *history) words(a *writer) {
	if h.one("manifest", 8) {
		var m body.Manifest
		for i, w := range h.writers {
			if h.one("gateway", 2) {
				m.Gateways = append(m.Gateways, body.Gateway{Host: fmt.Sprint("g", i), Key: w.Key.Key()})
			}
			if h.one("labeler", 2) {
				m.Labelers = append(m.Labelers, w.Key.Key())
			}
		}
		h.made = append(h.made, h.w.Manifest(m))
		return
	}
	if len(h.entries) == 0 {
		return
	}
	target := rapid.SampledFrom(h.entries).Draw(h.t, "about")
	switch rapid.IntRange(0, 5).Draw(h.t, "word") {
	case 0, 1:
		h.keep(a, a.Vote(target, int64(rapid.IntRange(-1, 1).Draw(h.t, "value"))))
	case 2:
		v := body.Comment{Text: fmt.Sprint("comment ", len(h.made))}
		if h.one("guest", 4) {
			v.Guest = "Eve"
		}
		if said := h.comments(); len(said) > 0 && !h.one("first level", 3) {
			p := rapid.SampledFrom(said).Draw(h.t, "answered")
			v.Parent = p.ID
			if !h.one("other target", 6) {
				target = h.made[slices.IndexFunc(h.made, func(c *change.Change) bool { return bytes.Equal(c.ID[:], fields(p)["target"].([]byte)) })]
			}
		}
		h.keep(a, a.CommentAs(target, v))
	case 3:
		what := target
		if said := h.comments(); len(said) > 0 && h.one("of a comment", 2) {
			what = rapid.SampledFrom(said).Draw(h.t, "labelled")
		}
		h.keep(a, a.Label(what, rapid.SampledFrom(body.Labels()).Draw(h.t, "label")))
	case 4:
		day := int64(rapid.IntRange(20000, 20001).Draw(h.t, "day"))
		h.keep(a, a.Served(day, body.ServedRow{Entry: target.ID, Count: int64(rapid.IntRange(1, 60).Draw(h.t, "count"))}))
	case 5:
		if said := h.comments(); len(said) > 0 {
			h.keep(a, a.Retract(rapid.SampledFrom(said).Draw(h.t, "taken back").ID))
		}
	}
}

func (h *history) comments() (out []*change.Change) {
	for _, c := range h.made {
		if c.Head.Kind == change.KindComment {
			out = append(out, c)
		}
	}
	return out
}

var actKinds = []string{change.KindVote, change.KindComment, change.KindLabel, change.KindServed}

// targetOf is what an act is about; a served is about its gateway.
func targetOf(c *change.Change) change.ID {
	if c.Head.Kind == change.KindServed {
		id, _ := c.Head.Space.Agent()
		return change.ID(id)
	}
	return change.ID(fields(c)["target"].([]byte))
}

func (r *reference) retracted(c *change.Change) bool {
	return slices.ContainsFunc(r.withEffect(change.KindEntryRetract), func(x *change.Change) bool {
		return bytes.Equal(fields(x)["target"].([]byte), c.ID[:]) && r.agentOf(x) == r.agentOf(c) && x.Head.Space == c.Head.Space
	})
}

func (r *reference) actRows() (out [][]byte) {
	for _, kind := range actKinds {
		for _, c := range r.withEffect(kind) {
			agent, target, state := r.agentOf(c), targetOf(c), 0
			if r.retracted(c) {
				state = 1
			}
			out = append(out, mustEncode([]any{kind, c.ID[:], cbor.Map{
				"agent": agent[:], "bh": c.Head.BodyHash[:], "hlc": c.Head.HLC, "space": string(c.Head.Space), "state": state, "target": target[:],
			}}))
		}
	}
	return out
}

// manifest is the newest, or nil.
func (r *reference) manifest() cbor.Map {
	if all := r.withEffect(change.KindManifest); len(all) > 0 {
		return fields(all[len(all)-1])
	}
	return nil
}

// listed reports whether an agent's key is in one of the manifest's lists.
func (r *reference) listed(list string, id change.AgentID) bool {
	key := r.agents()[id].key
	items, _ := r.manifest()[list].([]any)
	return slices.ContainsFunc(items, func(v any) bool {
		if m, ok := v.(cbor.Map); ok {
			v = m["key"]
		}
		k, _ := v.([]byte)
		return bytes.Equal(k, key[:])
	})
}

// lines are an entry and those it replaced along one line.
func (r *reference) lines(e *change.Change) []*change.Change {
	out := []*change.Change{e}
	for {
		s, ok := fields(e)["supersedes"].([]byte)
		if !ok {
			return out
		}
		var old, heir *change.Change
		for _, x := range r.withEffect(change.KindEntryPut) {
			if bytes.Equal(x.ID[:], s) {
				old = x
			}
		}
		if old == nil {
			return out
		}
		for _, x := range r.withEffect(change.KindEntryPut) {
			if by, ok := fields(x)["supersedes"].([]byte); ok && bytes.Equal(by, old.ID[:]) && r.agentOf(x) == r.agentOf(old) && x.Compare(old) > 0 {
				heir = x
			}
		}
		if heir != e {
			return out
		}
		out, e = append(out, old), old
	}
}

// votes are the last of each agent, oldest first among them.
func (r *reference) votes(e *change.Change) map[change.AgentID]int64 {
	out := map[change.AgentID]int64{}
	line := r.lines(e)
	for _, c := range r.withEffect(change.KindVote) {
		for _, old := range line {
			if targetOf(c) == old.ID && c.Head.Space == old.Head.Space && r.agentOf(c) != r.agentOf(old) && !r.forked(c) && !r.retracted(c) {
				out[r.agentOf(c)] = fields(c)["value"].(int64)
			}
		}
	}
	return out
}

// sponsors reports whether a key is one that the manifest lists, or of an agent that
// it lists.
func (r *reference) sponsors(key []byte) bool {
	items, _ := r.manifest()["gateways"].([]any)
	return slices.ContainsFunc(items, func(v any) bool {
		k, _ := v.(cbor.Map)["key"].([]byte)
		return bytes.Equal(k, key)
	})
}

func (r *reference) related(a, b change.AgentID) bool {
	x, y := r.agents()[a], r.agents()[b]
	return x.sponsor != nil && bytes.Equal(x.sponsor, y.sponsor) && !r.sponsors(x.sponsor) ||
		slices.ContainsFunc(x.proven, func(p string) bool { return slices.Contains(y.proven, p) })
}

func (r *reference) weighedVotes(id change.AgentID) (up, down int) {
	for _, e := range r.live() {
		if r.agentOf(e) != id || intro(e) || r.forked(e) || r.blame(e) > 0 {
			continue
		}
		for by, value := range r.votes(e) {
			plain := fold.Rate(fold.Inputs{Contributions: r.contributions(by), Reuses: r.reuses(by), Served: r.served(by), Labels: r.faults(by)})
			switch {
			case plain.Score < 500 || r.related(by, id):
			case value > 0:
				up++
			case value < 0:
				down++
			}
		}
	}
	return up, down
}

func (r *reference) blame(e *change.Change) int {
	standing := map[change.AgentID]map[string]bool{}
	for _, c := range r.withEffect(change.KindLabel) {
		by := r.agentOf(c)
		if targetOf(c) != e.ID || c.Head.Space != e.Head.Space || r.forked(c) || r.retracted(c) || !r.listed("labelers", by) {
			continue
		}
		switch value := fields(c)["value"].(string); value {
		case "dismissed":
			delete(standing, by)
		case "spam", "secret", "fabricated", "abuse":
			if standing[by] == nil {
				standing[by] = map[string]bool{}
			}
			standing[by][value] = true
		}
	}
	all := map[string]bool{}
	for _, one := range standing {
		for value := range one {
			all[value] = true
		}
	}
	return len(all)
}

func (r *reference) faults(id change.AgentID) (n int) {
	for _, e := range r.withEffect(change.KindEntryPut) {
		if r.agentOf(e) == id {
			n += r.blame(e)
		}
	}
	return n
}

// servedOf is what the manifest's gateways say of one entry.
func (r *reference) servedOf(e *change.Change) (n int) {
	type cell struct {
		by  change.AgentID
		day int64
	}
	largest := map[cell]int64{}
	for _, c := range r.withEffect(change.KindServed) {
		if by := r.agentOf(c); r.listed("gateways", by) && !r.forked(c) && !r.retracted(c) {
			for _, row := range fields(c)["rows"].([]any) {
				if bytes.Equal(row.([]any)[0].([]byte), e.ID[:]) {
					at := cell{by, fields(c)["day"].(int64)}
					largest[at] = max(largest[at], row.([]any)[1].(int64))
				}
			}
		}
	}
	days := map[int64]int64{}
	for at, count := range largest {
		days[at.day] += count
	}
	for _, count := range days {
		n += int(min(count, 50))
	}
	return n
}

func (r *reference) served(id change.AgentID) (n int) {
	for _, e := range r.live() {
		if r.agentOf(e) == id && !intro(e) && !r.forked(e) && r.blame(e) == 0 {
			n += r.servedOf(e)
		}
	}
	return n
}

// level is the depth of a comment about e, 0 when it does not stand.
func (r *reference) level(c, e *change.Change) int {
	if targetOf(c) != e.ID || c.Head.Space != e.Head.Space {
		return 0
	}
	if _, guest := fields(c)["guest"]; guest && r.manifest() != nil && !r.listed("gateways", r.agentOf(c)) {
		return 0
	}
	parent, ok := fields(c)["parent"].([]byte)
	if !ok {
		return 1
	}
	for _, p := range r.withEffect(change.KindComment) {
		if bytes.Equal(p.ID[:], parent) {
			if n := r.level(p, e); n > 0 && n < 4 {
				return n + 1
			}
		}
	}
	return 0
}

func (r *reference) deleted(c, e *change.Change) bool {
	return r.retracted(c) || slices.ContainsFunc(r.withEffect(change.KindLabel), func(l *change.Change) bool {
		by := r.agentOf(l)
		return targetOf(l) == c.ID && fields(l)["value"] == "dismissed" && l.Head.Space == c.Head.Space && !r.retracted(l) &&
			(by == r.agentOf(c) || by == r.agentOf(e))
	})
}

// agreeOnWords compares votes, comments and labels of every entry.
func agreeOnWords(t fataler, v *fold.Views, ref *reference) {
	t.Helper()
	for _, e := range ref.withEffect(change.KindEntryPut) {
		var up, down int
		for by, value := range ref.votes(e) {
			if v.VoteOf(e.ID, by) != int(value) {
				t.Fatalf("vote of %s is %d, want %d", by, v.VoteOf(e.ID, by), value)
			}
			switch {
			case value > 0:
				up++
			case value < 0:
				down++
			}
		}
		var want []string
		readable := 0
		for _, c := range ref.withEffect(change.KindComment) {
			for _, old := range ref.lines(e) {
				if n := ref.level(c, old); n > 0 {
					want = append(want, fmt.Sprint(c.ID, n, ref.deleted(c, old)))
					if !ref.deleted(c, old) {
						readable++
					}
				}
			}
		}
		var got []string
		for _, c := range v.Comments(e.ID) {
			got = append(got, fmt.Sprint(c.ID, c.Depth, c.Deleted))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("comments %v, want %v", got, want)
		}
		counts := fold.EntryCounts{Up: up, Down: down, Comments: readable, Served: ref.servedOf(e)}
		if got := v.EntryCounts(e.ID)[0]; got != counts {
			t.Fatalf("counts %+v, want %+v", got, counts)
		}
	}
}

// manifestOf lists authors.
func manifestOf(w *worldtest.World, gateways, labelers []*worldtest.Author) *change.Change {
	m := body.Manifest{}
	for _, g := range gateways {
		m.Gateways = append(m.Gateways, body.Gateway{Host: "gateway.example", Key: g.Key.Key()})
	}
	for _, l := range labelers {
		m.Labelers = append(m.Labelers, l.Key.Key())
	}
	return w.Manifest(m)
}

// rooted is a story in a network with a manifest that lists two agents.
func rooted(t *testing.T) (s *story, gateway, labeler *worldtest.Author) {
	s = &story{t: t, w: worldtest.NewRooted(5)}
	gateway, labeler = s.w.Agent("gateway"), s.w.Agent("labeler")
	s.say(gateway.Bind())
	s.say(labeler.Bind())
	s.say(manifestOf(s.w, []*worldtest.Author{gateway}, []*worldtest.Author{labeler}))
	return s, gateway, labeler
}

// voter is an agent with enough contributions for its votes to count.
func (s *story) voter(name string) *worldtest.Author {
	a := s.w.Agent(name)
	s.say(a.Bind())
	s.writes(a, 17)
	return a
}

func TestVotesOfWhoHasShownSomethingCount(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada, newcomer := s.w.Agent("ada"), s.w.Agent("newcomer")
	s.say(ada.Bind())
	s.say(newcomer.Bind())
	es := s.writes(ada, 2)
	bo := s.voter("bo")
	s.say(newcomer.Vote(es[0], 1))
	s.say(bo.Vote(es[0], -1))
	s.say(bo.Vote(es[0], 1)) // the last one counts
	s.say(bo.Vote(es[1], -1))
	s.say(ada.Vote(es[0], 1)) // one's own never does
	if got := s.reputation(ada); got.Up != 1 || got.Down != 1 {
		t.Errorf("%+v, want one up and one down", got)
	}
	if up, down := s.views().Votes(es[0].ID); up != 2 || down != 0 {
		t.Errorf("shown are %d up, %d down", up, down)
	}
	s.say(ada.Retract(es[1].ID))
	if got := s.reputation(ada); got.Up != 1 || got.Down != 0 {
		t.Errorf("%+v after the entry with the vote against it went", got)
	}
}

// A thousand votes of one agent are one, and those of a forked chain none: flooding
// by two copies of a key takes the word away from both.
func TestVoteFloodOfAForkedChain(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada := s.w.Agent("ada")
	s.say(ada.Bind())
	e := s.writes(ada, 1)[0]
	bo := s.voter("bo")
	s.say(bo.Vote(e, 1))
	twin := bo.Clone()
	for range 20 {
		s.say(bo.Vote(e, 1))
	}
	if got := s.reputation(ada); got.Up != 1 {
		t.Fatalf("%+v, want one vote", got)
	}
	for range 20 {
		s.say(twin.Vote(e, -1))
	}
	got := s.reputation(ada)
	if got.Up != 1 || got.Down != 0 {
		t.Errorf("%+v, want the one vote below the fork", got)
	}
	if up, down := s.views().Votes(e.ID); up != 1 || down != 0 {
		t.Errorf("shown are %d up, %d down", up, down)
	}
}

func TestVotesFollowAnEditAlongOneLine(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada := s.w.Agent("ada")
	s.say(ada.Bind())
	e := s.writes(ada, 1)[0]
	bo := s.voter("bo")
	s.say(bo.Vote(e, 1))
	s.say(bo.Comment(e, nil, "True."))
	edit := func(n int) *change.Change {
		return s.say(ada.EntryAs("rust", entryOf(fmt.Sprint("edited ", n), func(v *body.Entry) { v.Supersedes = e.ID })))
	}
	one := edit(1)
	v := s.views()
	if up, _ := v.Votes(one.ID); up != 1 || len(v.Comments(one.ID)) != 1 || v.EntryCounts(one.ID)[0].Comments != 1 {
		t.Errorf("%d votes, %d comments follow", up, len(v.Comments(one.ID)))
	}
	if got := s.reputation(ada); got.Up != 1 {
		t.Errorf("%+v", got)
	}
	two := edit(2) // a second heir takes all, and nothing counts twice
	v = s.views()
	first, _ := v.Votes(one.ID)
	second, _ := v.Votes(two.ID)
	if first != 0 || second != 1 || s.reputation(ada).Up != 1 {
		t.Errorf("%d and %d votes for two edits of one entry, %d in all", first, second, s.reputation(ada).Up)
	}
}

func TestServedCountsOfListedGateways(t *testing.T) {
	t.Parallel()
	s, gateway, stranger := rooted(t)
	ada := s.w.Agent("ada")
	s.say(ada.Bind())
	es := s.writes(ada, 2)
	row := func(e *change.Change, n int64) body.ServedRow { return body.ServedRow{Entry: e.ID, Count: n} }
	s.say(gateway.Served(20000, row(es[0], 3)))
	s.say(gateway.Served(20000, row(es[0], 2), row(es[1], 60))) // less than before; more than a day can
	s.say(gateway.Served(20001, row(es[0], 1)))
	s.say(stranger.Served(20001, row(es[0], 40)))
	if got := s.reputation(ada); got.Served != 3+50+1 {
		t.Errorf("%d served, want 54", got.Served)
	}
	s.say(stranger.Bind()) // a second gateway, by a newer manifest: counts add up, the day's cap applies
	s.say(manifestOf(s.w, []*worldtest.Author{gateway, stranger}, nil))
	if got := s.reputation(ada); got.Served != 3+50+41 {
		t.Errorf("%d served, want 94", got.Served)
	}
	s.say(manifestOf(s.w, nil, nil))
	if got := s.reputation(ada); got.Served != 0 {
		t.Errorf("%d served without gateways", got.Served)
	}
}

func TestLabelsOfListedLabelers(t *testing.T) {
	t.Parallel()
	s, stranger, labeler := rooted(t)
	ada := s.w.Agent("ada")
	s.say(ada.Bind())
	es := s.writes(ada, 20)
	s.say(stranger.Label(es[0], body.LabelSpam))
	if got := s.reputation(ada); got.Labels != 0 || got.Contributions != 20 {
		t.Errorf("%+v by a stranger's label", got)
	}
	s.say(labeler.Label(es[0], body.LabelSpam))
	s.say(labeler.Label(es[0], body.LabelSpam))
	s.say(labeler.Label(es[1], body.LabelDuplicate)) // no fault
	if got := s.reputation(ada); got.Labels != 1 || got.Contributions != 19 || got.Penalties != 200 {
		t.Errorf("%+v, want one label", got)
	}
	s.say(ada.Retract(es[0].ID)) // going away does not help
	if got := s.reputation(ada); got.Labels != 1 || got.Contributions != 19 {
		t.Errorf("%+v after the entry was retracted", got)
	}
	s.say(labeler.Label(es[0], body.LabelDismissed))
	if got := s.reputation(ada); got.Labels != 0 {
		t.Errorf("%+v after the labeler dismissed it", got)
	}
}

func TestThreads(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada, bo := s.w.Agent("ada"), s.w.Agent("bo")
	s.say(ada.Bind())
	s.say(bo.Bind())
	e := s.writes(ada, 1)[0]
	var last *change.Change
	for i := range body.MaxCommentDepth + 1 {
		last = s.say(bo.Comment(e, last, fmt.Sprint("level ", i+1)))
	}
	got := s.views().Comments(e.ID)
	if len(got) != body.MaxCommentDepth || got[3].Depth != body.MaxCommentDepth {
		t.Fatalf("%d comments stand, want %d", len(got), body.MaxCommentDepth)
	}
	if _, ok := s.views().Comment(last.ID); ok {
		t.Error("a comment of level five stands")
	}
	s.say(bo.Retract(got[0].ID))
	after := s.views().Comments(e.ID)
	if len(after) != 4 || !after[0].Deleted || after[1].Deleted || s.views().EntryCounts(e.ID)[0].Comments != 3 {
		t.Errorf("after a retract: %+v", after)
	}
	at := s.cs[slices.IndexFunc(s.cs, func(c *change.Change) bool { return c.ID == got[1].ID })]
	s.say(ada.Label(at, body.LabelDismissed)) // whose entry it is may hide what is said there
	if c, ok := s.views().Comment(got[1].ID); !ok || !c.Deleted {
		t.Errorf("hidden by the entry's author: %+v", c)
	}
	cy := s.w.Agent("cy")
	s.say(cy.Bind())
	third := s.cs[slices.IndexFunc(s.cs, func(c *change.Change) bool { return c.ID == got[2].ID })]
	s.say(cy.Label(third, body.LabelDismissed))
	if c, _ := s.views().Comment(got[2].ID); c.Deleted {
		t.Error("anybody can hide a comment")
	}
}

func TestGuestbook(t *testing.T) {
	t.Parallel()
	s, gateway, stranger := rooted(t)
	ada, bo := s.w.Agent("ada"), s.w.Agent("bo")
	genesis := s.say(ada.Bind())
	s.say(bo.Bind())
	later := s.say(ada.BindAs(body.Bind{Name: "Ada"}))
	note := s.say(bo.Comment(genesis, nil, "Hello."))
	s.say(bo.Comment(later, nil, "Not the genesis."))
	guest := s.say(gateway.CommentAs(genesis, body.Comment{Text: "Hello.", Guest: "Eve"}))
	s.say(stranger.CommentAs(genesis, body.Comment{Text: "Hello.", Guest: "Eve"})) // no gateway: nobody says who wrote it
	v := s.views()
	got := v.Comments(genesis.ID)
	if len(got) != 2 || got[0].ID != note.ID || got[1].ID != guest.ID || !got[1].Guest || got[0].Guest || len(v.Comments(later.ID)) != 0 {
		t.Fatalf("notes %+v", got)
	}
	s.say(ada.Endorse(ada.ID.Space(), body.Approve, note))
	if c, _ := s.views().Comment(note.ID); !c.Approved {
		t.Error("an approved note is not")
	}
	if c, _ := s.views().Comment(guest.ID); c.Approved {
		t.Error("a note that nobody approved is")
	}
	s.say(ada.Label(guest, body.LabelDismissed))
	s.say(bo.Label(note, body.LabelDismissed))
	for _, c := range s.views().Comments(genesis.ID) {
		if !c.Deleted {
			t.Errorf("%+v stands, dismissed by its author or the owner", c)
		}
	}
}

// A key that takes the agent over speaks as the labeler and gateway that its agent is.
func TestRotatedLabelerIsStillOne(t *testing.T) {
	t.Parallel()
	s, _, labeler := rooted(t)
	ada := s.w.Agent("ada")
	s.say(ada.Bind())
	e := s.writes(ada, 1)[0]
	next, rotation := labeler.Rotate("next", nil, body.Rotate{Cut: labeler.Cut()})
	s.say(rotation)
	v := s.views()
	label := next.Label(e, body.LabelAbuse)
	s.w.Verify(label)
	v.Apply(label)
	if got, _ := v.Stats(ada.ID); got.Reputation.Labels != 1 {
		t.Errorf("%+v", got.Reputation)
	}
	var none did.Key
	if got, _ := v.Agent(labeler.ID); got.Key == none || got.Key == labeler.Key.Key() {
		t.Error("the labeler's key did not turn")
	}
}
