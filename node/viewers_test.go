package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/view"
)

// watched is a team of two nodes that exchange changes only when the test asks: Ada, who
// founded it, lives on home; Bo and an admin, Cy, on away.
type watched struct {
	t           *testing.T
	home, away  *box
	ada, bo, cy view.Agent
	id          change.ID
}

func newWatched(t *testing.T, visibility string) *watched {
	t.Helper()
	w := &watched{t: t, home: open(t, t.TempDir(), nil), away: open(t, t.TempDir(), nil)}
	t.Cleanup(func() { w.home.shut(); w.away.shut() })
	w.ada, w.bo, w.cy = w.home.agent("Ada"), w.away.agent("Bo"), w.away.agent("Cy")
	w.meet()
	g, err := w.home.OpenGuild(t.Context(), w.ada.ID, view.NewGuild{Name: "Watched", Type: "dev", Visibility: visibility})
	if err != nil {
		t.Fatal(err)
	}
	w.id = g.ID
	w.role(w.home, w.ada, w.cy, "admin")
	w.meet()
	return w
}

// space is where the roles of the team are kept.
func (w *watched) space() change.Space {
	w.t.Helper()
	g, err := w.home.Guild(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	return g.Space
}

// meet brings each node what the other has.
func (w *watched) meet() {
	w.t.Helper()
	for range 2 {
		w.carry(w.home, w.away)
		w.carry(w.away, w.home)
	}
}

func (w *watched) carry(from, to *box) {
	w.t.Helper()
	var cs []*change.Change
	for _, space := range []change.Space{w.ada.ID.Space(), w.bo.ID.Space(), w.cy.ID.Space(), change.GuildSpace(w.id), change.TeamSpace(w.id)} {
		some, _, err := from.ChangesIn(w.t.Context(), space, 0, 1000)
		if err != nil {
			w.t.Fatal(err)
		}
		cs = append(cs, some...)
	}
	slices.SortFunc(cs, (*change.Change).Compare)
	var lines bytes.Buffer
	for _, c := range cs {
		if err := json.NewEncoder(&lines).Encode(map[string]any{"id": c.ID.Text(change.PrefixChange), "head": c.RawHead, "body": c.Body}); err != nil {
			w.t.Fatal(err)
		}
	}
	if rep, err := to.Import(w.t.Context(), &lines); err != nil || len(rep.Refused) > 0 {
		w.t.Fatalf("not taken in: %+v, %v", rep, err)
	}
}

func (w *watched) role(on *box, by, of view.Agent, name string) {
	w.t.Helper()
	if _, err := on.SetRole(w.t.Context(), by.ID, w.id, of.ID, name); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) allow(on *box, by view.Agent, allow bool) {
	w.t.Helper()
	set := []doc.Field{{Key: "policy", Value: map[string]any{"allow_viewer_messages": allow}}}
	if _, err := on.EditTeamPage(w.t.Context(), by.ID, w.id, set, -1); err != nil {
		w.t.Fatal(err)
	}
}

// says has Bo write a message on its node, or be refused.
func (w *watched) says(text string, want reason.Code) view.Message {
	w.t.Helper()
	m, err := w.away.SendMessage(w.t.Context(), w.bo.ID, w.id, view.NewMessage{Type: "text", Text: text})
	if code(err) != want {
		w.t.Fatalf("%s: %v, want %q", text, err, want)
	}
	return m
}

// shows checks which messages both nodes show, newest first.
func (w *watched) shows(want ...string) {
	w.t.Helper()
	for _, n := range []*box{w.home, w.away} {
		page, err := n.Messages(w.t.Context(), w.id, view.MessageQuery{Reader: w.ada.ID, Limit: 20})
		if err != nil {
			w.t.Fatal(err)
		}
		var got []string
		for _, m := range page.Messages {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, want) {
			w.t.Fatalf("a node hears %q, want %q", got, want)
		}
	}
}

// settled checks that the home of the team writes so many grants and revocations,
// and has nothing to do after.
func (w *watched) settled(want int) {
	w.t.Helper()
	for _, want := range []int{want, 0} {
		if n := w.home.SettleViewers(w.t.Context()); n != want {
			w.t.Fatalf("the home wrote %d changes, want %d", n, want)
		}
	}
}

// rights counts the grants of the team that Bo has by now: those of a role, and
// those of none.
func (w *watched) rights(on *box) (roles, beside int) {
	w.t.Helper()
	_, received, err := on.Capabilities(w.t.Context(), w.bo.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range received {
		switch guild, ok := c.Space.Guild(); {
		case !ok || guild != w.id || c.State != view.Active:
		case c.Role == "":
			beside++
		default:
			roles++
		}
	}
	return roles, beside
}

func eachVisibility(t *testing.T, f func(*testing.T, *watched)) {
	for _, visibility := range []string{body.Public, body.Private} {
		t.Run(visibility, func(t *testing.T) {
			t.Parallel()
			f(t, newWatched(t, visibility))
		})
	}
}

// What a viewer writes under the policy counts on every node, by a grant of one
// ability beside its role; what it writes after the end of that counts on none.
func TestViewersMessagesCountOnEveryNode(t *testing.T) {
	t.Parallel()
	eachVisibility(t, func(t *testing.T, w *watched) {
		ctx := t.Context()
		w.role(w.home, w.ada, w.bo, "viewer")
		w.meet()
		w.says("before", reason.CapabilityMissing)
		w.allow(w.home, w.ada, true)
		w.settled(0) // it was done by then
		w.allow(w.home, w.ada, true)
		w.meet()
		first := w.says("first", "")
		w.meet()
		w.shows("first")

		cs, _, err := w.home.ChangesIn(ctx, change.TeamSpace(w.id), 0, 1000)
		at := slices.IndexFunc(cs, func(c *change.Change) bool { return c.ID == first.ID })
		if err != nil || at < 0 || len(cs[at].Head.Proof) != 2 {
			t.Fatalf("the message on the other node: %d, %v", at, err)
		}
		c, err := w.home.Capability(ctx, cs[at].Head.Proof[1])
		_, net := w.home.Network()
		if err != nil || c.Role != "" || len(c.Caps) != 1 || c.Caps[0].Can != ucan.Message || c.Caps[0].With != change.TeamSpace(w.id).Resource(net) || c.Holder != w.bo.ID {
			t.Fatalf("written by %+v, %v", c, err)
		}
		for _, n := range []*box{w.home, w.away} {
			g, err := n.Guild(ctx, w.id)
			if err != nil || len(g.Members) != 3 || g.Members[2].ID != w.bo.ID || g.Members[2].Role != "viewer" || n.RoleIn(ctx, w.bo.ID, w.id) != "viewer" {
				t.Errorf("members %+v, %v", g.Members, err)
			}
		}
		if p := w.away.passportOf(w.bo, passport.FormJSON, true); slices.Contains(p.Delegation, c.CID) || len(p.Delegation) == 0 {
			t.Errorf("the passport shows %v, and not the role", p.Delegation)
		}

		// Everything else is as closed to a viewer as before.
		if _, err := w.away.ContributeToTeam(ctx, w.bo.ID, w.id, pass("go", body.Entry{Type: body.Gotcha, Text: lesson, Confidence: 800}), view.Submit{}); code(err) != reason.CapabilityMissing {
			t.Errorf("an entry: %v", err)
		}
		if _, _, err := w.away.AddTasks(ctx, w.bo.ID, w.id, []string{taskID(1)}, []view.Card{{Title: "x"}}, false); code(err) != reason.CapabilityMissing {
			t.Errorf("a task: %v", err)
		}
		if _, err := w.away.EditTeamRoom(ctx, w.bo.ID, w.id, []doc.Field{{Key: "mode", Value: "audit"}}); code(err) != reason.CapabilityMissing {
			t.Errorf("the room: %v", err)
		}

		// The end comes with a cut, as that of a role.
		w.allow(w.home, w.ada, false)
		w.says("late", "") // its node has not received it
		w.meet()
		w.shows("first")
		w.says("later", reason.CapabilityMissing)
		w.allow(w.home, w.ada, true)
		w.meet()
		w.says("again", "")
		w.meet()
		w.shows("again", "first")
	})
}

// Where another node makes a viewer or sets the policy, or the home was killed
// after it did, the home does what is left at its next turn.
func TestHomeSettlesWhatViewersMayWrite(t *testing.T) {
	t.Parallel()
	eachVisibility(t, func(t *testing.T, w *watched) {
		w.allow(w.away, w.cy, true)
		w.role(w.away, w.cy, w.bo, "viewer")
		w.says("too early", reason.CapabilityMissing)
		w.meet()
		w.settled(1)
		w.meet()
		w.says("now", "")
		w.meet()
		w.shows("now")
		before, _, err := w.home.ChangesIn(t.Context(), w.space(), 0, 1000)
		w.role(w.home, w.ada, w.bo, "viewer")
		after, _, err2 := w.home.ChangesIn(t.Context(), w.space(), 0, 1000)
		if len(before) != len(after) || err != nil || err2 != nil {
			t.Errorf("a viewer who is made one wrote %d changes, %v, %v", len(after)-len(before), err, err2)
		}

		// Who ends the policy elsewhere ends the rights at once.
		w.allow(w.away, w.cy, false)
		w.says("no more", reason.CapabilityMissing)
		w.meet()
		w.settled(0)
		w.shows("now")

		// Set again at the home, the policy does what was left undone.
		w.allow(w.away, w.cy, true)
		w.meet()
		w.allow(w.home, w.ada, true)
		w.settled(0)
		w.meet()
		w.says("once more", "")
		w.meet()
		w.shows("once more", "now")
	})
}

// A message right ends with the role it stands beside, and is none itself.
func TestMessageRightEndsWithTheRole(t *testing.T) {
	t.Parallel()
	eachVisibility(t, func(t *testing.T, w *watched) {
		ctx := t.Context()
		w.allow(w.home, w.ada, true)
		states := func(what string, wantRoles, wantBeside int) {
			t.Helper()
			w.meet()
			for _, n := range []*box{w.home, w.away} {
				if roles, beside := w.rights(n); roles != wantRoles || beside != wantBeside {
					t.Fatalf("%s: %d roles and %d grants beside", what, roles, beside)
				}
			}
		}
		w.role(w.home, w.ada, w.bo, "viewer")
		states("a viewer", 1, 1)
		w.role(w.away, w.cy, w.bo, "member") // by an admin of another node
		states("a member", 1, 0)
		w.says("as a member", "")
		w.meet()
		w.role(w.home, w.ada, w.bo, "viewer")
		states("a viewer again", 1, 1)
		if err := w.away.RemoveMember(ctx, w.cy.ID, w.id, w.bo.ID, "noise"); err != nil {
			t.Fatal(err)
		}
		states("removed", 0, 0)
		w.settled(0)

		w.role(w.home, w.ada, w.bo, "viewer")
		w.meet()
		w.says("as a viewer", "")
		if err := w.away.RemoveMember(ctx, w.bo.ID, w.id, w.bo.ID, ""); err != nil {
			t.Fatal(err)
		}
		states("left", 0, 0)
		w.settled(0)
		w.shows("as a viewer", "as a member")

		// What is left when only the role was ended makes nobody a member, and goes too.
		for what, end := range map[string]func(){
			"at the next turn": func() { w.settled(1) },
			"by leaving again": func() {
				if err := w.away.RemoveMember(ctx, w.bo.ID, w.id, w.bo.ID, ""); err != nil {
					t.Fatal(err)
				}
			},
		} {
			w.role(w.home, w.ada, w.bo, "viewer")
			g, err := w.home.Guild(ctx, w.id)
			if err != nil || len(g.Members) != 3 {
				t.Fatalf("%+v, %v", g.Members, err)
			}
			if _, err := w.home.Revoke(ctx, w.ada.ID, g.Members[2].Grant, nil, ""); err != nil {
				t.Fatal(err)
			}
			states("half removed", 0, 1)
			for _, n := range []*box{w.home, w.away} {
				if got := n.GuildsOf(ctx, w.bo.ID); len(got) != 0 || n.RoleIn(ctx, w.bo.ID, w.id) != "" {
					t.Errorf("still in %+v", got)
				}
			}
			w.says("from outside", reason.NotAMember)
			if _, err := w.home.SendMessage(ctx, w.ada.ID, w.id, view.NewMessage{Type: "text", Text: "gone?", To: w.bo.ID}); code(err) != reason.AgentNotFound {
				t.Errorf("to who is out: %v", err)
			}
			end()
			states(what, 0, 0)
			w.settled(0)
		}
		if err := w.home.RemoveMember(ctx, w.ada.ID, w.id, w.bo.ID, ""); code(err) != reason.NotAMember {
			t.Errorf("removed twice: %v", err)
		}
	})
}

// A closed team gives nobody rights, and one viewer does not silence another.
func TestMessageRightsAreEndedByWhoMay(t *testing.T) {
	t.Parallel()
	w := newWatched(t, body.Public)
	ctx := context.Background()
	w.allow(w.home, w.ada, true)
	w.role(w.home, w.ada, w.bo, "viewer")
	w.role(w.home, w.ada, w.cy, "viewer")
	w.meet()
	w.says("one", "")
	_, received, err := w.away.Capabilities(ctx, w.bo.ID)
	if err != nil || received[0].Role != "" || received[0].State != view.Active {
		t.Fatalf("%+v, %v", received, err)
	}
	if _, err := w.away.Revoke(ctx, w.cy.ID, received[0].ID, nil, ""); code(err) != reason.CapabilityMissing {
		t.Errorf("another viewer ends it: %v", err)
	}
	if _, err := w.home.EditTeamPage(ctx, w.ada.ID, w.id, []doc.Field{{Key: "deleted", Value: true}}, -1); err != nil {
		t.Fatal(err)
	}
	w.settled(0)
	if _, beside := w.rights(w.home); beside != 0 {
		t.Errorf("%d rights in a closed team", beside)
	}
}
