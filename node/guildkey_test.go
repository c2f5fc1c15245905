package node_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/view"
)

// actingSecret is the key that acts for an agent, out of the vault of its node.
func (b *box) actingSecret(a view.Agent) [32]byte {
	b.t.Helper()
	infos, err := b.Vault().List()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, i := range infos {
		if i.Public == a.DID.String() {
			_, secret, err := b.Vault().Export(i.Name)
			if err != nil {
				b.t.Fatal(err)
			}
			return secret
		}
	}
	b.t.Fatalf("the vault has no key of %s", a.Name)
	return [32]byte{}
}

// agreeInPublic is agree for worlds with teams, whose sets only members follow.
func (c *cluster) agreeInPublic() bool {
	public := func(b *box) string {
		s := b.Status()
		sets := slices.DeleteFunc(s.Sets, func(set health.SetStatus) bool { return strings.HasPrefix(set.Name, "team/") })
		return fmt.Sprint(sets, s.View)
	}
	want := public(c.nodes[0])
	return !slices.ContainsFunc(c.nodes, func(b *box) bool { return public(b) != want })
}

// stands reports whether a node shows each of these entries.
func (b *box) stands(ids []change.ID) bool {
	return !slices.ContainsFunc(ids, func(id change.ID) bool { return !b.shows(id) })
}

// roleOf is the role of an agent in a guild as a node sees it, "" for none.
func (b *box) roleOf(guild change.ID, agent change.AgentID) string {
	b.t.Helper()
	g, err := b.Guild(b.t.Context(), guild)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, m := range g.Members {
		if m.ID == agent {
			return m.Role
		}
	}
	return ""
}

// TestScenario15GuildKey: the key of a guild's founder turns while the guild works, on
// one node among writers at once and in a world of several. Nobody else does anything
// for it, no write fails, and a thief who has the old key, was cut off meanwhile and
// goes on with it gets nowhere.
func TestScenario15GuildKey(t *testing.T) {
	t.Parallel()
	t.Run("one node", rotatesAmongWriters)
	t.Run("several nodes", func(t *testing.T) {
		t.Parallel()
		nodes, rounds := 5, 40
		if full() {
			nodes, rounds = 20, 300
		}
		synctest.Test(t, func(t *testing.T) { rotatesAcrossNodes(t, nodes, rounds) })
	})
}

func rotatesAcrossNodes(t *testing.T, nodes, rounds int) {
	c := newCluster(t, nodes, func(cfg *config.Config) { cfg.P2P.Gossip = true })
	ctx := t.Context()
	home, admin, member, thief := c.nodes[0], c.nodes[1], c.nodes[2], c.nodes[nodes-1]
	ada, bo, carl, mallory := home.agent("Ada"), admin.agent("Bo"), member.agent("Carl"), thief.agent("Mallory")
	g, err := home.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Gophers", Type: "dev", Visibility: body.Public})
	if err != nil {
		t.Fatal(err)
	}
	c.within(5*time.Minute, "the world agrees", c.agreeInPublic)
	for who, name := range map[change.AgentID]string{bo.ID: "admin", carl.ID: "member"} {
		if _, err := home.SetRole(ctx, ada.ID, g.ID, who, name); err != nil {
			t.Fatal(err)
		}
	}
	before := home.contribute(ada, retold(1))
	c.within(5*time.Minute, "the guild stands", c.agreeInPublic)

	// The thief has the founder's key, and is cut off.
	secret := home.actingSecret(ada)
	if _, err := thief.ImportKey("stolen", "agent", secret, keys.FromSeed(secret).Key().String()); err != nil {
		t.Fatal(err)
	}
	c.net.Partition(nodes - 1)
	var kept, stolen []change.ID
	failed, recruits := 0, []view.Agent{}
	turns := map[int]bool{rounds / 4: true, rounds / 2: true, 3 * rounds / 4: true}
	for i := range rounds {
		for who, w := range []struct {
			b *box
			a view.Agent
		}{{home, ada}, {admin, bo}, {member, carl}} {
			r, err := w.b.Contribute(ctx, w.a.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(2, who, i)}), view.Submit{})
			if err != nil {
				failed++
				t.Errorf("round %d: %s cannot write: %v", i, w.a.Name, err)
				continue
			}
			kept = append(kept, r.ID)
		}
		if i%10 == 0 { // the admin goes on admitting
			recruit := admin.agent("Recruit")
			if _, err := admin.SetRole(ctx, bo.ID, g.ID, recruit.ID, "member"); err != nil {
				failed++
				t.Errorf("round %d: the admin cannot admit: %v", i, err)
			}
			recruits = append(recruits, recruit)
		}
		if i%5 == 0 {
			stolen = append(stolen, thief.contribute(ada, retold(3, i)).ID)
		}
		if turns[i] {
			if _, err := home.RotateHere(ctx, ada.ID, home.ConsentOfKey(ada.ID), view.Turn{}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Second) // of the bubble
	}
	// Cut off, the thief believes to be the founder still.
	if _, err := thief.SetRole(ctx, ada.ID, g.ID, mallory.ID, "owner"); err != nil {
		t.Fatal(err)
	}
	if err := thief.RemoveMember(ctx, ada.ID, g.ID, carl.ID, "in the way"); err != nil {
		t.Fatal(err)
	}
	if thief.roleOf(g.ID, mallory.ID) != "owner" || !thief.stands(stolen) {
		t.Fatal("the thief did nothing while it was cut off")
	}
	c.net.Heal()
	took := c.within(time.Minute, "the world agrees again", c.agreeInPublic)
	for i, b := range c.nodes {
		if !b.shows(before.ID) || !b.stands(kept) {
			t.Errorf("node %d lacks something acknowledged", i)
		}
		if slices.ContainsFunc(stolen, b.shows) {
			t.Errorf("node %d shows what the old key wrote above the cut", i)
		}
		roles := []string{b.roleOf(g.ID, ada.ID), b.roleOf(g.ID, bo.ID), b.roleOf(g.ID, carl.ID), b.roleOf(g.ID, mallory.ID)}
		if !slices.Equal(roles, []string{"owner", "admin", "member", ""}) {
			t.Errorf("node %d: roles %q", i, roles)
		}
		for _, r := range recruits {
			if b.roleOf(g.ID, r.ID) != "member" {
				t.Errorf("node %d: a recruit is %q", i, b.roleOf(g.ID, r.ID))
			}
		}
	}
	if _, err := home.SetRole(ctx, ada.ID, g.ID, carl.ID, "admin"); err != nil {
		t.Errorf("the founder with its new key: %v", err)
	}
	if _, err := thief.SetRole(ctx, ada.ID, g.ID, mallory.ID, "owner"); err == nil {
		t.Error("the old key still makes an owner")
	}
	t.Logf("scenario 15: 3 rotations among %d writes on %d nodes: %d writes refused, 0 of %d changes of the old key above its cut have effect, %d nodes agree %v after healing, members did nothing (bar: 0 refused, 0 with effect)",
		len(kept)+len(recruits), nodes, failed, len(stolen)+2, nodes, took.Round(100*time.Millisecond))
}

// rotatesAmongWriters: on one node, an owner's key turns while the agent and a member
// of its guild write at once. Nothing that was acknowledged is lost, and the member
// does nothing.
func rotatesAmongWriters(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	t.Cleanup(b.shut)
	ctx := t.Context()
	ada, bo := b.agent("Ada"), b.agent("Bo")
	g, err := b.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Gophers", Type: "dev", Visibility: body.Public})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.SetRole(ctx, ada.ID, g.ID, bo.ID, "admin"); err != nil {
		t.Fatal(err)
	}
	const writers, each = 4, 20
	var wg sync.WaitGroup
	ids := make(chan change.ID, writers*each)
	for w := range writers {
		who := []view.Agent{ada, bo}[w%2]
		wg.Go(func() {
			for i := range each {
				r, err := b.Contribute(ctx, who.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(w, i)}), view.Submit{})
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				ids <- r.ID
			}
		})
	}
	for range 3 {
		if _, err := b.RotateHere(ctx, ada.ID, b.ConsentOfKey(ada.ID), view.Turn{}); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	close(ids)
	n := 0
	for id := range ids {
		if n++; !b.shows(id) {
			t.Errorf("an acknowledged entry is not shown")
		}
	}
	if n != writers*each {
		t.Errorf("%d entries", n)
	}
	got, err := b.Guild(ctx, g.ID)
	if err != nil || len(got.Members) != 2 || got.Members[0].ID != ada.ID {
		t.Fatalf("%+v, %v", got, err)
	}
	carl := b.agent("Carl")
	if _, err := b.SetRole(ctx, bo.ID, g.ID, carl.ID, "member"); err != nil {
		t.Errorf("the admin that the old key made: %v", err)
	}
	if _, err := b.SetRole(ctx, ada.ID, g.ID, carl.ID, "admin"); err != nil {
		t.Errorf("the founder with its new key: %v", err)
	}
}
