package node_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/view"
)

// TestScenario27GatewayCompromise: for an hour a gateway writes in the name of the
// agents whose keys lie in its vault: entries, votes, roles, and retractions of what
// they had written. Each agent's controller rotates with a cut before that hour, from
// another node. Exactly that hour is without effect on every node; agents with keys
// of their own notice nothing.
func TestScenario27GatewayCompromise(t *testing.T) {
	t.Parallel()
	nodes, every := 6, 5*time.Minute
	if full() {
		nodes, every = 30, time.Minute
	}
	synctest.Test(t, func(t *testing.T) { compromised(t, nodes, every) })
}

// retells is what a node shows of entries, but for its own names of their authors.
func (b *box) retells(ids []change.ID) string {
	b.t.Helper()
	out := ""
	for _, id := range ids {
		e, err := b.Entry(b.t.Context(), id)
		if err != nil {
			return fmt.Sprint(id, ": ", err)
		}
		out += fmt.Sprintln(id, e.Agent.ID, e.Body.Text, e.Counts, e.Held)
	}
	return out
}

// hosted is an agent that a gateway acts for, and its controller's key.
type hosted struct {
	view.Agent
	own, next *keys.Private
	draft     view.RotationDraft // with the cut of the last good moment
}

func compromised(t *testing.T, nodes int, every time.Duration) {
	c := newCluster(t, nodes, nil)
	ctx := t.Context()
	gateway, home := c.nodes[0], c.nodes[nodes-1]
	var agents []*hosted
	for i := range 3 {
		h := &hosted{own: keys.FromSeed(sha256.Sum256(fmt.Append(nil, "own ", i))), next: keys.FromSeed(sha256.Sum256(fmt.Append(nil, "next ", i)))}
		name, _, err := gateway.NewActingKey(ctx)
		if err != nil {
			t.Fatal(err)
		}
		h.Agent, _, err = gateway.OpenAgent(ctx, view.Genesis{KeyName: name, Name: fmt.Sprint("Hosted ", i), Custody: "gateway", Controllers: []string{h.own.Key().String()}})
		if err != nil {
			t.Fatal(err)
		}
		agents = append(agents, h)
	}
	free := []view.Agent{c.nodes[1].agent("Free 1"), c.nodes[2].agent("Free 2")}
	var good []change.ID
	for i := range 4 {
		for k, h := range agents {
			good = append(good, gateway.contribute(h.Agent, retold(27, k, i)).ID)
		}
		for k, a := range free {
			good = append(good, c.nodes[1+k].contribute(a, retold(28, k, i)).ID)
		}
		time.Sleep(every)
	}
	g, err := gateway.OpenGuild(ctx, agents[0].ID, view.NewGuild{Name: "Gophers", Type: "dev", Visibility: body.Public})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gateway.SetRole(ctx, agents[0].ID, g.ID, free[0].ID, "admin"); err != nil {
		t.Fatal(err)
	}
	if _, err := gateway.Vote(ctx, agents[1].ID, good[3], 1); err != nil {
		t.Fatal(err)
	}
	c.within(10*time.Minute, "the world agrees", c.agreeInPublic)
	// The last good moment, as a node sees it that is not the gateway.
	for _, h := range agents {
		if h.draft, err = home.RotationDraft(ctx, h.ID, keys.HybridKey{Key: h.next.Key()}, nil); err != nil {
			t.Fatal(err)
		}
	}
	votes := home.Votes(good[3], change.AgentID{})
	sound := c.nodes[1].retells(good)

	time.Sleep(2 * time.Minute) // when a change was received is noted to the minute
	lastGood := bubbleNow()

	// The hour.
	var evil, free2 []change.ID
	began := time.Now()
	for i := 0; time.Since(began) < time.Hour; i++ {
		for k, h := range agents {
			evil = append(evil, gateway.contribute(h.Agent, retold(666, k, i)).ID)
		}
		for k, a := range free {
			free2 = append(free2, c.nodes[1+k].contribute(a, retold(29, k, i)).ID)
		}
		if i == 3 {
			for k, h := range agents { // good[5i+k] is of agent k
				if _, err := gateway.Retract(ctx, h.ID, good[k], "never said"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := gateway.Vote(ctx, agents[1].ID, good[3], -1); err != nil {
				t.Fatal(err)
			}
			if _, err := gateway.Vote(ctx, agents[2].ID, free2[0], -1); err != nil {
				t.Fatal(err)
			}
			if _, err := gateway.SetRole(ctx, agents[0].ID, g.ID, free[1].ID, "owner"); err != nil {
				t.Fatal(err)
			}
			if err := gateway.RemoveMember(ctx, agents[0].ID, g.ID, free[0].ID, ""); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(every)
	}
	c.within(10*time.Minute, "the world agrees about the hour", c.agreeInPublic)
	for i, b := range c.nodes { // the harm is done
		if !b.stands(evil) || b.shows(good[0]) || b.roleOf(g.ID, free[1].ID) != "owner" || b.roleOf(g.ID, free[0].ID) != "" {
			t.Fatalf("node %d: the gateway did no harm", i)
		}
	}

	_, net := home.Network()
	for _, h := range agents {
		// Its own node finds that moment again afterwards.
		cut, left, err := home.Remedies().CutBefore(ctx, h.draft.Body.Old, lastGood)
		if err != nil || left == 0 || !maps.Equal(cut, h.draft.Body.Cut) {
			t.Fatalf("a cut before that hour is %v, %d changes left out, %v; want %v", cut, left, err, h.draft.Body.Cut)
		}
		if _, err := home.Admit(ctx, h.rotation(t, net)); err != nil {
			t.Fatal(err)
		}
	}
	took := c.within(time.Minute, "the rotations arrive", func() bool {
		return c.agreeInPublic() && !slices.ContainsFunc(c.nodes, func(b *box) bool { return slices.ContainsFunc(evil, b.shows) })
	})
	if _, err := gateway.Contribute(ctx, agents[0].ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(667)}), view.Submit{}); err == nil {
		t.Error("the gateway still writes")
	}
	// Its software is the thief's: it goes on, and dates things back into the good time.
	old := keys.FromSeed(gateway.actingSecret(agents[0].Agent))
	raw, err := body.Entry{Type: body.Gotcha, Text: retold(668), Confidence: body.DefaultConfidence}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	late := change.Seal(change.Draft{Net: net, Space: change.Commons("rust"), Kind: change.KindEntryPut, Body: raw, Seq: 1,
		HLC: agents[0].draft.HLC + 1, Proof: []change.ID{agents[0].draft.Record}}, old)
	c.nodes[3].bring(late)
	c.within(2*twoTurns, "what was dated back arrives", c.agreeInPublic)
	for i, b := range c.nodes {
		if slices.ContainsFunc(evil, b.shows) || b.shows(late.ID) {
			t.Errorf("node %d shows what the gateway wrote", i)
		}
		if got := b.retells(good); got != sound {
			t.Errorf("node %d: what was written before that hour is not what it was:\n%s\nwant\n%s", i, got, sound)
		}
		if !b.stands(good) || !b.stands(free2) {
			t.Errorf("node %d lacks what was written before that hour, or with keys of its own", i)
		}
		if got := b.Votes(good[3], change.AgentID{}); got != votes {
			t.Errorf("node %d: votes %+v, want %+v", i, got, votes)
		}
		if got := b.Votes(free2[0], change.AgentID{}); got.Down != 0 {
			t.Errorf("node %d: a vote of that hour counts: %+v", i, got)
		}
		roles := []string{b.roleOf(g.ID, agents[0].ID), b.roleOf(g.ID, free[0].ID), b.roleOf(g.ID, free[1].ID)}
		if !slices.Equal(roles, []string{"owner", "admin", ""}) {
			t.Errorf("node %d: roles %q", i, roles)
		}
		if page, err := b.Entries(ctx, view.EntryQuery{Limit: 1}); err != nil || page.Total != len(good)+len(free2) {
			t.Errorf("node %d lists %d entries, want %d, %v", i, page.Total, len(good)+len(free2), err)
		}
	}
	// Each agent goes on under its own key.
	for i, h := range agents {
		if _, err := home.ImportKey(fmt.Sprint("hosted", i), "agent", sha256.Sum256(fmt.Append(nil, "next ", i)), h.next.Key().String()); err != nil {
			t.Fatal(err)
		}
		home.contribute(h.Agent, retold(30, i))
	}
	c.within(twoTurns, "the agents go on", c.agreeInPublic)
	t.Logf("scenario 27: 1 h of a gateway's vault: 0 of %d changes of that hour have effect on %d of %d nodes, %v after the rotations; %d of %d earlier and foreign entries stand (bar: exactly that hour, every node)",
		len(evil)+7, nodes, nodes, took.Round(100*time.Millisecond), len(good)+len(free2), len(good)+len(free2))
}

// rotation is the one that its controller consents to, sealed by the next key.
func (h *hosted) rotation(t *testing.T, net change.NetID) *change.Change {
	t.Helper()
	d := h.draft
	sig := h.own.Sign([]byte(d.Line))
	d.Body.By = binding.Consent{Alg: binding.AlgEd25519, Key: h.own.Key().String(), Sig: sig[:], Text: d.Line}
	raw, err := d.Body.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return change.Seal(change.Draft{Net: net, Space: h.ID.Space(), Kind: change.KindRotate, Body: raw, Seq: 1,
		HLC: max(d.HLC+1, uint64(bubbleNow().UnixMilli())<<10), Proof: []change.ID{d.Record}}, h.next)
}
