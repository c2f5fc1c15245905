package node_test

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/view"
)

// lend gives a fresh device key of a node the voice of an agent of another one.
func lend(t *testing.T, from, to *box, a view.Agent, term time.Duration) view.Capability {
	t.Helper()
	k, err := to.NewDeviceKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	until := bubbleNow().Add(term)
	c, err := from.Delegate(t.Context(), a.ID, view.Delegation{Audience: k, Can: []string{"*"}, Expires: &until})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shows reports whether an entry is shown at a node.
func (b *box) shows(id change.ID) bool {
	_, err := b.Entry(context.Background(), id)
	return err == nil
}

func code(err error) reason.Code { return reason.Of(err) }

func TestDeviceWritesAndIsRevokedAcrossNodes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 3, nil)
		home, laptop := c.nodes[0], c.nodes[2]
		ada := home.agent("Ada")
		lent := lend(t, home, laptop, ada, time.Hour)
		c.within(twoTurns, "the loan arrives", func() bool { a, err := laptop.Agent(t.Context(), ada.ID); return err == nil && a.Local })
		first := laptop.contribute(ada, lesson)
		c.within(twoTurns, "the world agrees", c.agree)
		if !home.shows(first.ID) {
			t.Fatal("what the device wrote is not shown at home")
		}
		rev, err := home.Revoke(t.Context(), ada.ID, lent.ID, nil, "sold")
		if err != nil || rev.Excluded != 0 {
			t.Fatalf("%+v, %v", rev, err)
		}
		c.within(twoTurns, "the revocation arrives", c.agree)
		_, err = laptop.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(1)}), view.Submit{})
		if code(err) != reason.Forbidden {
			t.Fatalf("a revoked device writes: %v", err)
		}
		if !laptop.shows(first.ID) {
			t.Fatal("what lies inside the cut went")
		}
		// Taking back more than was seen hides it, and an endorsement brings it back.
		got, err := home.FindCapability(t.Context(), lent.CID)
		if err != nil || got.State != view.Revoked || got.EndedBy != rev.ID {
			t.Fatalf("%+v, %v", got, err)
		}
		if _, err := home.Revoke(t.Context(), ada.ID, lent.ID, body.Cuts{}, ""); err != nil {
			t.Fatal(err)
		}
		c.within(twoTurns, "the entry is gone everywhere", func() bool {
			return !slices.ContainsFunc(c.nodes, func(b *box) bool { return b.shows(first.ID) })
		})
		if _, err := c.nodes[1].Entry(t.Context(), first.ID); code(err) != reason.Revoked {
			t.Fatalf("the entry is %v", err)
		}
		if _, err := home.Endorse(t.Context(), ada.ID, []change.ID{first.ID}); err != nil {
			t.Fatal(err)
		}
		c.within(twoTurns, "the entry is back everywhere", func() bool {
			return !slices.ContainsFunc(c.nodes, func(b *box) bool { return !b.shows(first.ID) })
		})
	})
}

func TestRotationMovesAnAgentAndStopsTheOldKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 3, nil)
		gateway, home := c.nodes[0], c.nodes[2]
		own := keys.FromSeed(sha256.Sum256([]byte("own key of Ada")))
		name, _, err := gateway.NewActingKey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ada, _, err := gateway.OpenAgent(t.Context(), view.Genesis{KeyName: name, Name: "Ada", Custody: "gateway", Controllers: []string{own.Key().String()}})
		if err != nil {
			t.Fatal(err)
		}
		kept := gateway.contribute(ada, lesson)
		c.within(twoTurns, "the world agrees", c.agree)
		consent := func(line string) (binding.Consent, error) {
			sig := own.Sign([]byte(line))
			return binding.Consent{Alg: binding.AlgEd25519, Key: own.Key().String(), Sig: sig[:], Text: line}, nil
		}
		moved, err := home.RotateHere(t.Context(), ada.ID, consent, view.Turn{})
		if err != nil || !moved.Local || moved.DID == ada.DID {
			t.Fatalf("%+v, %v", moved, err)
		}
		c.within(twoTurns, "the rotation arrives", c.agree)
		if _, err := gateway.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(1)}), view.Submit{}); code(err) != reason.Forbidden {
			t.Fatalf("the gateway still writes: %v", err)
		}
		mine := home.contribute(moved, lesson+" From home.")
		c.within(twoTurns, "the world agrees again", c.agree)
		for i, b := range c.nodes {
			if !b.shows(kept.ID) || !b.shows(mine.ID) {
				t.Errorf("node %d lacks an entry", i)
			}
		}
		stranger := keys.FromSeed([32]byte{9})
		bad := func(line string) (binding.Consent, error) {
			sig := stranger.Sign([]byte(line))
			return binding.Consent{Alg: binding.AlgEd25519, Key: stranger.Key().String(), Sig: sig[:], Text: line}, nil
		}
		if _, err := c.nodes[1].RotateHere(t.Context(), ada.ID, bad, view.Turn{}); code(err) != reason.RotationInvalid {
			t.Fatalf("a stranger takes the agent over: %v", err)
		}
	})
}

func TestTermsAreRenewedWhileUsedAndClosedAtTheirEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		home, gateway := c.nodes[0], c.nodes[1]
		ada := home.agent("Ada")
		k, err := gateway.NewDeviceKey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		until := bubbleNow().Add(3 * time.Hour)
		lent, err := home.Delegate(t.Context(), ada.ID, view.Delegation{Audience: k, Can: []string{"entry/put"}, Expires: &until, Renew: true})
		if err != nil {
			t.Fatal(err)
		}
		c.within(twoTurns, "the loan arrives", func() bool { a, err := gateway.Agent(t.Context(), ada.ID); return err == nil && a.Local })
		gateway.contribute(ada, lesson)
		c.within(twoTurns, "the world agrees", c.agree)
		time.Sleep(2*time.Hour + 10*time.Minute)
		issued, _, err := home.Capabilities(t.Context(), ada.ID)
		if err != nil || len(issued) != 2 || issued[0].State != view.Active || !issued[0].Renew || issued[1].ID != lent.ID || issued[1].State != view.Revoked {
			t.Fatalf("after two thirds of a used term: %+v, %v", issued, err)
		}
		time.Sleep(4 * time.Hour) // it was not used again, so its term just ends
		if issued, _, _ = home.Capabilities(t.Context(), ada.ID); len(issued) != 2 || issued[0].State != view.Revoked {
			t.Fatalf("after its end: %+v", issued)
		}
		_, err = gateway.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(1)}), view.Submit{})
		if code(err) != reason.Forbidden {
			t.Fatalf("an ended loan writes: %v", err)
		}
	})
}

func TestDelegationHasBounds(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	t.Cleanup(b.shut)
	ada, bo := b.agent("Ada"), b.agent("Bo")
	_, net := b.Network()
	key := keys.FromSeed([32]byte{7}).Key()
	in := func(d time.Duration) *time.Time { t := time.Now().Add(d); return &t }
	for name, tc := range map[string]struct {
		d    view.Delegation
		want reason.Code
	}{
		"no term":           {view.Delegation{Audience: key, Can: []string{"*"}}, reason.InvalidParam},
		"a month and more":  {view.Delegation{Audience: key, Can: []string{"*"}, Expires: in(31 * 24 * time.Hour)}, reason.InvalidParam},
		"over already":      {view.Delegation{Audience: key, Can: []string{"*"}, Expires: in(-time.Minute)}, reason.InvalidParam},
		"a gateway's week":  {view.Delegation{Audience: bo.DID, Can: []string{"*"}, Expires: in(7 * 24 * time.Hour)}, reason.InvalidParam},
		"nothing":           {view.Delegation{Audience: key, Expires: in(time.Hour)}, reason.MissingField},
		"unknown ability":   {view.Delegation{Audience: key, Can: []string{"entry/burn"}, Expires: in(time.Hour)}, reason.InvalidParam},
		"somebody's space":  {view.Delegation{Audience: key, Can: []string{"*"}, With: bo.ID.Space().Resource(net), Expires: in(time.Hour)}, reason.CapabilityMissing},
		"the commons":       {view.Delegation{Audience: key, Can: []string{"*"}, With: change.Commons("go").Resource(net), Expires: in(time.Hour)}, reason.CapabilityDenied},
		"another network":   {view.Delegation{Audience: key, Can: []string{"*"}, With: "mesh://00/agent/x", Expires: in(time.Hour)}, reason.InvalidParam},
		"a role of nothing": {view.Delegation{Audience: key, Role: "owner"}, reason.InvalidParam},
	} {
		if _, err := b.Delegate(t.Context(), ada.ID, tc.d); code(err) != tc.want {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
	}
	c, err := b.Delegate(t.Context(), ada.ID, view.Delegation{Audience: bo.DID, Can: []string{"entry/put"}, Expires: in(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Revoke(t.Context(), bo.ID, c.ID, nil, ""); code(err) != reason.CapabilityMissing {
		t.Errorf("another agent revokes: %v", err)
	}
	if raw, ok := b.TokenOf(c.CID); !ok || raw != c.Token || strings.Count(raw, ".") != 2 {
		t.Errorf("token %q, %v", raw, ok)
	}
}

func TestRolesOfAGuild(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	t.Cleanup(b.shut)
	ctx := t.Context()
	ada, bo, carl, dora := b.agent("Ada"), b.agent("Bo"), b.agent("Carl"), b.agent("Dora")
	g, err := b.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Gophers", Type: "dev", Visibility: body.Public})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.OpenGuild(ctx, bo.ID, view.NewGuild{Name: "gophers", Type: "dev", Visibility: body.Public}); code(err) != reason.NameTaken {
		t.Errorf("a second one of that name: %v", err)
	}
	role := func(by, of view.Agent, name string) error {
		_, err := b.SetRole(ctx, by.ID, g.ID, of.ID, name)
		return err
	}
	for _, step := range []struct {
		what string
		err  error
		want reason.Code
	}{
		{"a stranger makes itself a member", role(bo, bo, "member"), reason.NotAMember},
		{"the owner makes an admin", role(ada, bo, "admin"), ""},
		{"the admin makes a member", role(bo, carl, "member"), ""},
		{"the admin makes an owner", role(bo, dora, "owner"), reason.CapabilityMissing},
		{"the member makes a viewer", role(carl, dora, "viewer"), reason.CapabilityMissing},
		{"no such role", role(ada, dora, "king"), reason.InvalidParam},
		{"the founder is made less", role(bo, ada, "member"), reason.Forbidden},
		{"the founder leaves", b.RemoveMember(ctx, ada.ID, g.ID, ada.ID, ""), reason.LastOwner},
		{"the owner makes another one", role(ada, dora, "owner"), ""},
		{"the admin removes that one", b.RemoveMember(ctx, bo.ID, g.ID, dora.ID, ""), reason.CapabilityMissing},
		{"the member becomes an admin", role(ada, carl, "admin"), ""},
		{"one admin removes the other", b.RemoveMember(ctx, bo.ID, g.ID, carl.ID, ""), reason.CapabilityMissing},
		{"the second owner removes an admin", b.RemoveMember(ctx, dora.ID, g.ID, carl.ID, "idle"), ""},
		{"who was removed is none", b.RemoveMember(ctx, ada.ID, g.ID, carl.ID, ""), reason.NotAMember},
		{"an admin leaves", b.RemoveMember(ctx, bo.ID, g.ID, bo.ID, ""), ""},
	} {
		if code(step.err) != step.want {
			t.Fatalf("%s: %v, want %q", step.what, step.err, step.want)
		}
	}
	got, err := b.Guild(ctx, g.ID)
	if err != nil || len(got.Members) != 2 || got.Members[1].ID != dora.ID || got.Members[1].Role != "owner" {
		t.Fatalf("%+v, %v", got, err)
	}
}

// A private team is known to the nodes of its members and to nobody else.
func TestPrivateTeamStaysAmongItsMembers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 3, nil)
		founder, outsider, member := c.nodes[0], c.nodes[1], c.nodes[2]
		ada, bo := founder.agent("Ada"), member.agent("Bo")
		c.within(twoTurns, "the world agrees", c.agree)
		g, err := founder.OpenGuild(t.Context(), ada.ID, view.NewGuild{Name: "Quiet", Type: "research", Visibility: body.Private})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := founder.SetRole(t.Context(), ada.ID, g.ID, bo.ID, "member"); err != nil {
			t.Fatal(err)
		}
		if err := member.FollowTeam(t.Context(), g.ID); err != nil {
			t.Fatal(err)
		}
		if err := outsider.FollowTeam(t.Context(), g.ID); err != nil {
			t.Fatal(err)
		}
		outsider.agent("Eve")
		c.within(10*time.Minute, "the member learns of its team", func() bool {
			got, err := member.Guild(context.Background(), g.ID)
			return err == nil && len(got.Members) == 2
		})
		time.Sleep(10 * time.Minute)
		if _, err := outsider.Guild(t.Context(), g.ID); code(err) != reason.TeamNotFound {
			t.Fatalf("an outsider knows the team: %v", err)
		}
		if err := founder.RemoveMember(t.Context(), ada.ID, g.ID, bo.ID, "moved on"); err != nil {
			t.Fatal(err)
		}
		got, err := founder.Guild(t.Context(), g.ID)
		if err != nil || len(got.Members) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
	})
}

// TestTeamNewsGoesToMembersAtOnce: among many nodes, what one member writes is with
// the other before any turn of reconciliation would have drawn the two, and so is the
// whole team with a member that begins to follow it.
func TestTeamNewsGoesToMembersAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 30, func(cfg *config.Config) { cfg.P2P.SyncInterval = time.Hour })
		ctx := context.Background()
		founder, member := c.nodes[2], c.nodes[7]
		ada, bo := founder.agent("Ada"), member.agent("Bo")
		c.within(2*time.Minute, "the world agrees", c.agree)
		g, err := founder.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Quiet", Type: "research", Visibility: body.Private})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := founder.SetRole(ctx, ada.ID, g.ID, bo.ID, "member"); err != nil {
			t.Fatal(err)
		}
		if err := member.FollowTeam(ctx, g.ID); err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Second, "the member learns of its team", func() bool {
			got, err := member.Guild(ctx, g.ID)
			return err == nil && len(got.Members) == 2
		})
		for i, w := range []struct {
			from, to *box
			agent    view.Agent
		}{{founder, member, ada}, {member, founder, bo}} {
			r, err := w.from.ContributeToTeam(ctx, w.agent.ID, g.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(i)}), view.Submit{})
			if err != nil {
				t.Fatal(err)
			}
			c.within(5*time.Second, "the other member has the entry", func() bool {
				_, err := w.to.TeamEntry(ctx, g.ID, r.ID)
				return err == nil
			})
		}
	})
}

// TestTeamMeetsOnceAClockIsRight: a member whose clock is wrong cannot prove to the
// other who it is, and each turn of both goes on including the other until it can.
func TestTeamMeetsOnceAClockIsRight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64 // by which the member's clock is wrong
		c := newClusterAt(t, 4, func(i int) time.Time {
			if i == 3 {
				return bubbleNow().Add(time.Duration(ahead.Load()))
			}
			return bubbleNow()
		}, func(cfg *config.Config) { cfg.P2P.SyncInterval = 5 * time.Minute })
		ctx := context.Background()
		founder, member := c.nodes[0], c.nodes[3]
		ada, bo := founder.agent("Ada"), member.agent("Bo")
		c.within(twoTurns, "the world agrees", c.agree)
		ahead.Store(int64(time.Hour))
		g, err := founder.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Quiet", Type: "research", Visibility: body.Private})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := founder.SetRole(ctx, ada.ID, g.ID, bo.ID, "member"); err != nil {
			t.Fatal(err)
		}
		if err := member.FollowTeam(ctx, g.ID); err != nil {
			t.Fatal(err)
		}
		includes := func(b, other *box) bool { return slices.Contains(b.Teammates(), other.PeerID()) }
		c.within(time.Hour, "each includes the other", func() bool {
			return includes(founder, member) && includes(member, founder)
		})
		if _, err := member.Guild(ctx, g.ID); code(err) != reason.TeamNotFound {
			t.Fatalf("the member knows the team by a proof that does not hold: %v", err)
		}
		ahead.Store(0)
		c.within(time.Hour, "the member learns of its team", func() bool {
			got, err := member.Guild(ctx, g.ID)
			return err == nil && len(got.Members) == 2
		})
		if !includes(founder, member) {
			t.Fatal("the founder's turns do not include the member it has met")
		}
	})
}
