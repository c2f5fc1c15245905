package notice_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// node publishes what happens on a bus.
type node struct {
	of       *accesstest.Directory
	bus      *events.Bus
	entries  map[change.ID]view.Entry
	comments map[change.ID]view.Comment
	lost     []view.LostClaim // of every task
	missed   []view.LostClaim // before the room listened
	bounties map[change.ID]view.Bounty
}

var _ notice.Node = (*node)(nil)

func (n *node) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n *node) FindAgent(ctx context.Context, text string) (view.Agent, error) {
	return n.of.FindAgent(ctx, text)
}

func (n *node) Events() *events.Bus { return n.bus }

func (n *node) Entry(_ context.Context, id change.ID) (view.Entry, error) {
	if e, ok := n.entries[id]; ok {
		return e, nil
	}
	return view.Entry{}, reason.Refuse(reason.EntryNotFound, "no such entry")
}

func (n *node) FindComment(_ context.Context, id change.ID) (view.Comment, error) {
	if c, ok := n.comments[id]; ok {
		return c, nil
	}
	return view.Comment{}, reason.Refuse(reason.NotFound, "no such comment")
}

func (n *node) LostClaims(_ context.Context, step events.Event) (out []view.LostClaim, err error) {
	for _, l := range n.lost {
		if step.Space == string(change.TeamSpace(l.Guild)) && step.Object == l.Task {
			out = append(out, l)
		}
	}
	return out, nil
}

func (n *node) LostUnderWay(context.Context) ([]view.LostClaim, error) { return n.missed, nil }

func (n *node) Bounty(_ context.Context, id change.ID) (view.Bounty, error) {
	if b, ok := n.bounties[id]; ok {
		return b, nil
	}
	return view.Bounty{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
}

type bench struct {
	*accesstest.Bench
	*notice.Service
	node        *node
	notified    *events.Sub
	ada, bo, cy *view.Agent
}

var entry = change.ID{9} // by ada

// newBench is a room that listens.
func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.ada, b.bo, b.cy = b.AddAgent("ada"), b.AddAgent("bo"), b.AddAgent("cy")
	b.node = &node{of: &b.Directory, bus: events.New(events.Config{}), comments: map[change.ID]view.Comment{}, bounties: map[change.ID]view.Bounty{},
		entries: map[change.ID]view.Entry{entry: {ID: entry, Agent: b.ada.AgentRef, Domain: "go", Body: body.Entry{Type: "gotcha"}}}}
	b.Service = notice.New(b.node, b.Access, b.State, b.Pages)
	b.notified = b.node.bus.Subscribe(events.Notified, 16)
	b.attend(t)
	return b
}

// attend has the room listen until the test ends.
func (b *bench) attend(t *testing.T) {
	attend := b.Attending()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		attend(ctx, slog.New(slog.DiscardHandler))
	}()
	t.Cleanup(func() { stop(); <-done })
}

// happen publishes what happened, and then something that bo gets a notice of, so that all
// before it is done.
func (b *bench) happen(t *testing.T, es ...events.Event) {
	t.Helper()
	for _, e := range append(es, events.Event{Kind: events.TierChanged, Object: b.bo.ID.String(), Data: events.Step{Fields: map[string]any{"from": "newcomer", "to": "last"}}}) {
		b.node.bus.Publish(e)
	}
	for e := range b.notified.C() {
		if step, _ := e.Data.(events.Step); step.Fields["kind"] == "tier" && e.Object == b.bo.ID.String() {
			return
		}
	}
}

// texts are the notices of an agent but for those of tiers, oldest first.
func (b *bench) texts(t *testing.T, agent change.AgentID) (out []string) {
	t.Helper()
	got, err := b.Notices(t.Context(), accesstest.As(agent), accesstest.Request(t, notice.NoticesForm, `{}`))
	accesstest.Must(t, err)
	for _, n := range slices.Backward(got.Notifications) {
		if n.Kind != "tier" {
			out = append(out, n.Text)
		}
	}
	return out
}

func said(n byte, by *view.Agent, parent change.ID, text string) (change.ID, view.Comment) {
	id := change.ID{n}
	return id, view.Comment{ID: id, Target: entry, Parent: parent, Agent: by.AgentRef, Text: text}
}

func created(id change.ID) events.Event {
	return events.Event{Kind: events.SocialStep, Data: events.Step{Name: "comment.created", Fields: map[string]any{"id": id.Text(change.PrefixComment), "entryId": entry.Text(change.PrefixEntry)}}}
}

// An author, who is answered and who is mentioned get a notice of a comment, each one and
// nobody of their own; a notice quotes nothing.
func TestWhoIsNotifiedOfAComment(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, one := said(1, b.bo, change.ID{}, "Mind @cy, and @bo, and @cy!")
	second, two := said(2, b.cy, first, "No, @ada.")
	own, three := said(3, b.ada, change.ID{}, "I know.")
	b.node.comments = map[change.ID]view.Comment{first: one, second: two, own: three}
	b.happen(t, created(first), created(second), created(own), created(first))
	for who, want := range map[*view.Agent][]string{
		b.ada: {"bo commented on your entry.", "cy commented on your entry."},
		b.bo:  {"cy answered your comment."},
		b.cy:  {"bo mentioned you in a comment."},
	} {
		if got := b.texts(t, who.ID); !slices.Equal(got, want) {
			t.Errorf("%s reads %q", who.Name, got)
		}
	}
}

// A comment calls ten agents at most, and those of other nodes get no notice here.
func TestMentionsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	text := "@ada"
	var all []*view.Agent
	for i := range 12 {
		all = append(all, b.AddAgent(fmt.Sprint("agent", i)))
		text += " @" + all[i].Name
	}
	all[0].Local = false
	id, c := said(1, b.bo, change.ID{}, text)
	b.node.comments[id] = c
	b.happen(t, created(id))
	for i, a := range all {
		want := 1
		if i == 0 || i > 8 {
			want = 0
		}
		if got := b.texts(t, a.ID); len(got) != want {
			t.Errorf("%s reads %q", a.Name, got)
		}
	}
}

// Followers are notified of an entry, and an author of votes at the milestones alone.
func TestFollowersAndMilestones(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got, err := b.Follow(t.Context(), accesstest.As(b.cy.ID), "ada", true)
	if err != nil || !got.Following || got.Followers != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	object := entry.Text(change.PrefixEntry)
	es := []events.Event{{Kind: events.EntryCreated, Object: object}}
	for _, n := range []int{4, 5, 5, 6} {
		es = append(es, events.Event{Kind: events.SocialStep, Object: object, Data: events.Step{Name: "entry.voted", Fields: map[string]any{"voteCount": n}}})
	}
	b.happen(t, es...)
	if got := b.texts(t, b.cy.ID); !slices.Equal(got, []string{"ada shared a gotcha in go."}) {
		t.Errorf("who follows reads %q", got)
	}
	if got := b.texts(t, b.ada.ID); !slices.Equal(got, []string{"Your gotcha in go has 5 votes."}) {
		t.Errorf("the author reads %q", got)
	}
	if got, err = b.Follow(t.Context(), accesstest.As(b.cy.ID), "ada", false); err != nil || got.Followers != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.Follow(t.Context(), accesstest.As(b.ada.ID), "ada", true)
	accesstest.Refused(t, "oneself", err, reason.ValidationFailed)
	_, err = b.Follow(t.Context(), call.Caller{}, "ada", true)
	accesstest.Refused(t, "by nobody", err, reason.AuthRequired)
}

// Who lost a claim is notified once, by the list and by the stream, whatever else becomes
// of the task and however often the service begins to listen; agents of other nodes are
// notified there.
func TestWhoLostAClaimIsNotified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.cy.Local = false
	guild := change.ID{7}
	lose := func(n byte, task string, a *view.Agent, status board.Status) view.LostClaim {
		return view.LostClaim{Guild: guild, Task: task, Title: "Task " + task, Claim: change.ID{n}, Agent: a.AgentRef, Holder: b.bo.AgentRef, Status: status}
	}
	b.node.lost = []view.LostClaim{lose(1, "one", b.ada, board.Claimed), lose(2, "one", b.cy, board.Claimed), lose(3, "two", b.ada, board.Done), lose(4, "three", b.ada, board.Blocked), lose(5, "four", b.ada, board.Claimed)}
	step := func(name, task string) events.Event {
		return events.Event{Kind: events.TeamStep, Space: string(change.TeamSpace(guild)), Object: task, Data: events.Step{Name: name, Fields: map[string]any{"task": task}}}
	}
	b.happen(t, step("board.claimed", "one"), step("board.renewed", "one"), step("board.completed", "two"), step("board.blocked", "three"))
	want := []string{"Your claim of “Task one” does not stand: bo claimed it first.", "Your claim of “Task two” does not stand: bo had finished it.", "Your claim of “Task three” does not stand: it was blocked first."}
	if got := b.texts(t, b.ada.ID); !slices.Equal(got, want) {
		t.Errorf("who lost reads %q", got)
	}
	if got := b.texts(t, b.cy.ID); len(got) > 0 {
		t.Errorf("who lost elsewhere reads %q", got)
	}

	b.node.missed = []view.LostClaim{b.node.lost[0], b.node.lost[4]}
	b.attend(t)
	var e events.Event
	select {
	case e = <-b.notified.C():
	case <-time.After(time.Minute):
		t.Fatal("who lost before the service listened is not notified")
	}
	if step, _ := e.Data.(events.Step); e.Object != b.ada.ID.String() || step.Fields["kind"] != "claim" || step.Fields["text"] != "Your claim of “Task four” does not stand: bo claimed it first." ||
		step.Fields["link"] != "/api/mesh/team/"+guild.Text(change.PrefixGuild)+"/board/four" {
		t.Errorf("published by the stream: %+v", e)
	}
	if got := b.texts(t, b.ada.ID); len(got) != 4 {
		t.Errorf("after a restart who lost reads %q", got)
	}
}

// Both sides of a bounty are notified of what the other one does and how it ends, and nobody
// of what it did itself.
func TestSidesOfABountyAreNotified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := change.ID{7}
	object := id.Text(change.PrefixBounty)
	seq, here := 0, true
	move := func(name string, by *view.Agent, claimant *view.Agent) {
		t.Helper()
		seq++
		bo := view.Bounty{ID: id, HomeHere: here, Home: "did:key:zHome"}
		bo.State.Creator = b.ada.ID
		if claimant != nil {
			bo.Claimant = claimant.ID
		}
		b.node.bounties[id] = bo
		b.happen(t, events.Event{Kind: events.BountyStep, Object: object, Data: events.Step{Name: name, By: by.ID.String(), Fields: map[string]any{"seq": seq}}})
	}
	move("bounty.created", b.ada, nil)
	move("bounty.claimed", b.bo, b.bo)
	move("bounty.submitted", b.bo, b.bo)
	seq-- // published again
	move("bounty.submitted", b.bo, b.bo)
	move("bounty.changes_requested", b.ada, b.bo)
	move("bounty.accepted", b.cy, b.bo)
	move("bounty.paid", b.ada, b.bo)
	here = false
	move("bounty.paid", b.ada, b.bo)
	b.happen(t, events.Event{Kind: events.BountyStep, Object: "bty_none", Data: events.Step{Name: "bounty.paid"}})
	if got, want := b.texts(t, b.ada.ID), []string{"bo claimed your bounty.", "bo handed a solution in for your bounty.", "cy accepted the solution of your bounty."}; !slices.Equal(got, want) {
		t.Errorf("who pays reads %q, want %q", got, want)
	}
	if got, want := b.texts(t, b.bo.ID), []string{"ada asks for changes of your solution.", "cy accepted your solution.", "You were paid for a bounty.",
		"You were paid for a bounty. Your reward is in your account at the gateway did:key:zHome; a token of your key opens it there."}; !slices.Equal(got, want) {
		t.Errorf("the claimant reads %q, want %q", got, want)
	}
	if got := b.texts(t, b.cy.ID); len(got) != 0 {
		t.Errorf("who only acts reads %q", got)
	}
}

func TestNoticesAreRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 3 {
		accesstest.Must(t, b.Keep(t.Context(), b.ada.AgentRef, notice.Sale, fmt.Sprint(i), fmt.Sprint("sale ", i), "/"))
		accesstest.Must(t, b.Keep(t.Context(), b.ada.AgentRef, notice.Sale, fmt.Sprint(i), "again", "/"))
	}
	if n := len(b.notified.C()); n != 3 {
		t.Errorf("streams hear of %d notices, want 3", n)
	}
	ada := accesstest.As(b.ada.ID)
	page, err := b.Notices(t.Context(), ada, accesstest.Request(t, notice.NoticesForm, `{"limit": 2}`))
	if err != nil || page.Total != 3 || page.Unread != 3 || page.Count != 2 || page.Notifications[0].Text != "sale 2" {
		t.Fatalf("%+v, %v", page, err)
	}
	_, err = b.ReadNotices(t.Context(), ada, accesstest.Request(t, notice.ReadNoticesForm, `{}`))
	accesstest.Refused(t, "nothing to mark", err, reason.NoFields)
	one := accesstest.Request(t, notice.ReadNoticesForm, `{"ids": ["`+page.Notifications[0].ID+`"]}`)
	if got, err := b.ReadNotices(t.Context(), accesstest.As(b.bo.ID), one); err != nil || got.Read != 0 {
		t.Errorf("another's: %+v, %v", got, err)
	}
	if got, err := b.ReadNotices(t.Context(), ada, one); err != nil || got.Read != 1 || got.Unread != 2 {
		t.Errorf("one: %+v, %v", got, err)
	}
	if got, err := b.ReadNotices(t.Context(), ada, accesstest.Request(t, notice.ReadNoticesForm, `{"all": true}`)); err != nil || got.Read != 2 || got.Unread != 0 {
		t.Errorf("all: %+v, %v", got, err)
	}
}
