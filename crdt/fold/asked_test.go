package fold_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// derived is everything that views work out when they are asked, about all that
// some changes name.
func derived(v *fold.Views, cs changes) map[string]any {
	out := map[string]any{}
	agents := v.Agents()
	slices.SortFunc(agents, func(a, b fold.AgentStats) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
	for _, a := range agents {
		out["agent "+a.ID.String()] = fmt.Sprint(a.Live, a.Reputation, a.LastHLC)
	}
	for i, c := range cs {
		up, down := v.Votes(c.ID)
		votes := fmt.Sprint(up, down)
		for _, a := range agents {
			votes += fmt.Sprint(" ", v.VoteOf(c.ID, a.ID))
		}
		out[fmt.Sprint("votes ", i)] = votes
		switch c.Head.Kind {
		case change.KindGuildOpen:
			guild, _ := c.Head.Space.Guild()
			out[fmt.Sprint("bounties ", i)] = v.Bounties(guild)
		case change.KindEntryPut, change.KindBind:
			out[fmt.Sprint("counts ", i)] = v.EntryCounts(c.ID)
			out[fmt.Sprint("comments ", i)] = v.Comments(c.ID)
			out[fmt.Sprint("labels ", i)] = v.Labels(c.ID)
		case change.KindBountyOpen:
			b, ok := v.Bounty(c.ID)
			out[fmt.Sprint("bounty ", i)] = []any{b, ok}
			for _, a := range agents {
				out[fmt.Sprint("claims ", i, a.ID)] = [2]int{v.Claims(a.ID, change.ID{}), v.Claims(a.ID, c.ID)}
			}
		}
	}
	return out
}

// sameWhenAsked wants views that were asked after every change, some of which were
// taken back and came again, to say at the end what views say that are asked once,
// also when they were loaded halfway.
func sameWhenAsked(t fataler, w *worldtest.World, cs changes, seed uint64) {
	t.Helper()
	once := fold.New(w.Net)
	apply(once, cs...)
	want := derived(once, cs)
	order := shuffled(cs, seed)
	asked := fold.New(w.Net)
	for i, c := range order {
		if i == len(order)/2 {
			var err error
			if asked, err = fold.Load(w.Net, asked.AppendCheckpoint(nil)); err != nil {
				t.Fatalf("load: %v", err)
			}
		}
		asked.Apply(c)
		sameAnew(t, w, asked, cs)
		if i%3 == 0 && c.Body != nil && change.LaneOf(c.Head.Kind) == change.Content {
			asked.Withdraw(c)
			sameAnew(t, w, asked, cs)
			asked.Apply(c)
		}
	}
	for k, got := range derived(asked, cs) {
		if !reflect.DeepEqual(got, want[k]) {
			t.Fatalf("order %d, %s: %+v, want %+v", seed, k, got, want[k])
		}
	}
	rows, sum := once.Hash()
	if n, got := asked.Hash(); n != rows || got != sum {
		t.Fatalf("order %d gives another hash", seed)
	}
}

// sameAnew wants views to say what they say when they have kept no answer.
func sameAnew(t fataler, w *worldtest.World, v *fold.Views, cs changes) {
	t.Helper()
	anew, err := fold.Load(w.Net, v.AppendCheckpoint(nil))
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	want := derived(anew, cs)
	for k, got := range derived(v, cs) {
		if !reflect.DeepEqual(got, want[k]) {
			t.Fatalf("%s: %+v, want %+v", k, got, want[k])
		}
	}
}

func TestAskingChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, cs := draw(t)
		sameWhenAsked(t, w, cs, rapid.Uint64().Draw(t, "order"))
	})
}

// A bounty of a gateway of the manifest, whose work cites an entry: every step and
// every confirmation of it moves reputations.
func TestAskingAboutBountiesChangesNothing(t *testing.T) {
	t.Parallel()
	for _, end := range []string{body.BountyPayout, body.BountyPay, body.BountyRefund} {
		w := worldtest.NewRooted(41)
		m := &market{w: w, ada: w.Agent("Ada"), bo: w.Agent("Bo"), hub: w.Agent("Hub")}
		cy := w.Agent("Cy")
		m.add(m.ada.Bind(), m.bo.Bind(), m.hub.Bind(), cy.Bind())
		m.add(w.Manifest(body.Manifest{Gateways: []body.Gateway{{Host: "hub", Key: m.hub.Key.Key()}}}))
		for i := range 3 {
			m.add(m.bo.Entry("go", fmt.Sprint("lesson ", i)), cy.Entry("go", fmt.Sprint("wisdom ", i)))
		}
		cited := m.changes[len(m.changes)-1]
		m.guild = m.add(m.ada.OpenGuild("Market", body.Public))
		b, err := body.BountyOpen{Title: "Mend", Amount: 100_000, Currency: body.Credits, Home: m.hub.Key.Key()}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		m.open = m.add(m.ada.Change(change.KindBountyOpen, m.guild.Head.Space, b, worldtest.Options{}))
		m.confirm(m.open)
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
		m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "done", IDs: []change.ID{cited.ID}}))
		m.confirm(m.step(t, m.ada, body.BountyAct{Act: body.BountyAccept}))
		if end != body.BountyPayout {
			m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyDispute, Text: "late"}))
			m.confirm(m.step(t, cy, body.BountyAct{Act: end, Text: "heard"}))
		} else {
			next, rotation := m.hub.Rotate("hub, new", nil, body.Rotate{Cut: m.hub.Cut()})
			m.add(rotation)
			m.hub = next
			m.confirm(m.step(t, m.ada, body.BountyAct{Act: end}))
		}
		m.w.Verify(m.changes...)
		for seed := range uint64(60) {
			sameWhenAsked(t, w, m.changes, seed)
		}
	}
}

// A label of who wrote a comment, or owns the thread, takes it out of the count of
// an entry that was asked for before; a label of anybody else does not.
func TestDismissedCommentIsCountedNoMore(t *testing.T) {
	t.Parallel()
	w := worldtest.New(43)
	ada, bo, cy := w.Agent("Ada"), w.Agent("Bo"), w.Agent("Cy")
	v := fold.New(w.Net)
	apply(v, ada.Bind(), bo.Bind(), cy.Bind())
	entry := ada.Entry("go", "lesson")
	apply(v, entry)
	comments := func(want int) {
		t.Helper()
		if got := v.EntryCounts(entry.ID)[0].Comments; got != want {
			t.Errorf("%d comments, want %d", got, want)
		}
	}
	for _, by := range []*worldtest.Author{ada, bo} {
		said := bo.Comment(entry, nil, "by "+by.Name)
		comments(0)
		apply(v, said)
		comments(1)
		apply(v, cy.Label(said, body.LabelDismissed))
		comments(1)
		label := by.Label(said, body.LabelDismissed)
		apply(v, label)
		comments(0)
		v.Withdraw(label)
		comments(1)
		apply(v, label)
	}
}

// An entry that another replaced goes after somebody has asked about the other: what
// was said about the first no longer counts for the second, and does again when the
// first is back.
func TestRepliesGoWithTheEntryTheyAreAbout(t *testing.T) {
	t.Parallel()
	w := worldtest.New(43)
	ada, bo := w.Agent("Ada"), w.Agent("Bo")
	cs := changes{ada.Bind(), bo.Bind()}
	one := ada.Entry("go", "one")
	said := bo.Comment(one, nil, "so it is")
	two := ada.EntryAs("go", entryOf("two", func(v *body.Entry) { v.Supersedes = one.ID }))
	cs = append(cs, one, said, two)
	v := fold.New(w.Net)
	apply(v, cs...)
	for range 2 {
		if n := v.EntryCounts(two.ID)[0].Comments; n != 1 {
			t.Errorf("%d comments with both entries", n)
		}
		v.Withdraw(one)
		if n := v.EntryCounts(two.ID)[0].Comments; n != 0 {
			t.Errorf("%d comments without the first entry", n)
		}
		v.Apply(one)
	}
}
