package node_test

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/meeting"
	"github.com/meshd/meshd/p2p/invite"
)

// An invitation is counted by the node that made it, once for each node, until its term
// is over or it is taken back.
func TestInvitationIsCountedWhereItWasMade(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 4, nil)
		host := c.nodes[0]
		host.agent("Ada")
		made := node.MeetingsOf(host.Node)
		meets := func(i int, line string, want reason.Code) {
			t.Helper()
			call, met, err := node.MeetingsOf(c.nodes[i].Node).Meet(t.Context(), line, "")
			if code(err) != want {
				t.Errorf("node %d: %v, want %q", i, err, want)
			}
			if err == nil && (met.Peer != host.PeerID().String() || len(call.Addresses) == 0) {
				t.Errorf("node %d met %+v, %+v", i, met, call)
			}
		}
		m, line, err := made.Make(meeting.Order{Term: time.Hour, Uses: 2})
		if err != nil {
			t.Fatal(err)
		}
		meets(0, line, reason.InvalidParam) // itself
		meets(1, line, "")
		meets(1, line, "")
		meets(2, line, "")
		meets(3, line, reason.InviteUsed)
		if all := made.Invitations(); len(all) != 1 || len(all[0].Taken) != 2 || all[0].ID != m.ID {
			t.Errorf("invitations: %+v", all)
		}
		// The newcomer asks no more once the term is over; who made it would refuse too.
		time.Sleep(time.Hour)
		meets(3, line, reason.InviteExpired)
		if all := made.Invitations(); len(all) != 0 {
			t.Errorf("an invitation that is over is listed: %+v", all)
		}
		m, line, err = made.Make(meeting.Order{Term: time.Hour, Uses: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := made.Drop(m.ID); err != nil {
			t.Fatal(err)
		}
		meets(1, line, reason.InviteInvalid)
		if err := made.Drop(m.ID); code(err) != reason.NotFound {
			t.Errorf("dropped twice: %v", err)
		}
	})
}

func TestDeviceWaitsForItsOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		made, asks := node.MeetingsOf(c.nodes[0].Node), node.MeetingsOf(c.nodes[1].Node)
		_, line, err := made.Make(meeting.Order{Term: time.Hour, Uses: 1, Device: true})
		if err != nil {
			t.Fatal(err)
		}
		key := keys.FromSeed([32]byte{5}).Key().String()
		if _, _, err := asks.Meet(t.Context(), line, ""); code(err) != reason.InvalidDID {
			t.Errorf("without a key: %v", err)
		}
		pending := func() bool {
			t.Helper()
			_, met, err := asks.Meet(t.Context(), line, key)
			if err != nil {
				t.Fatal(err)
			}
			return met.Pending
		}
		if !pending() {
			t.Error("a device is taken in before its owner has seen it")
		}
		if got, err := made.Decide(key, true); err != nil || got.State != meeting.Approved {
			t.Fatalf("%+v, %v", got, err)
		}
		if pending() {
			t.Error("a device waits though it is approved")
		}
		if _, err := made.Decide(key, false); err != nil {
			t.Fatal(err)
		}
		if _, _, err := asks.Meet(t.Context(), line, key); code(err) != reason.Forbidden {
			t.Errorf("a device that is refused: %v", err)
		}
		if _, err := made.Decide("did:key:zNobody", true); code(err) != reason.NotFound {
			t.Errorf("a key that has not asked: %v", err)
		}
	})
}

// What was made outlives a restart; orders beyond the bounds make nothing.
func TestInvitationsOutliveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	if _, _, err := node.MeetingsOf(b.Node).Make(meeting.Order{Term: time.Hour, Uses: 1}); code(err) != reason.NotReady {
		t.Errorf("without an address: %v", err)
	}
	if err := b.Connect(); err != nil {
		t.Fatal(err)
	}
	made := node.MeetingsOf(b.Node)
	for name, o := range map[string]meeting.Order{
		"for nobody": {Term: time.Hour}, "for too many": {Term: time.Hour, Uses: meeting.MaxUses + 1}, "too short": {Uses: 1, Term: meeting.MinTerm - 1}, "too long": {Uses: 1, Term: meeting.MaxTerm + 1},
		"to no guild": {Term: time.Hour, Uses: 1, Guild: "guild"},
	} {
		if _, _, err := made.Make(o); code(err) != reason.InvalidParam {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, _, err := made.Make(meeting.Order{Term: meeting.MaxTerm, Uses: meeting.MaxUses, Guild: change.ID{1}.Text(change.PrefixGuild), Ticket: "code"})
	if err != nil {
		t.Fatal(err)
	}
	path := b.home.Path(meeting.BookFile)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of invitations: %v, %v", info, err)
	}
	b.shut()
	b = open(t, dir, nil)
	if all := node.MeetingsOf(b.Node).Invitations(); len(all) != 1 || all[0].ID != m.ID || all[0].Guild != m.Guild {
		t.Errorf("after a restart: %+v", all)
	}
	b.shut()
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, home, err := start(t.Context(), dir, nil); err == nil {
		t.Error("a damaged file is passed over")
		_ = n.Close()
		_ = home.Close()
	}
}

// The peers to ask first are in force as soon as the settings are read again.
func TestBootstrapIsReloaded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, func(cfg *config.Config) { cfg.Network.Bootstrap = nil })
		a, b := c.nodes[0], c.nodes[1]
		time.Sleep(20 * time.Second) // virtual
		if len(a.Peers()) != 0 {
			t.Fatalf("they know each other: %+v", a.Peers())
		}
		next := a.Config()
		next.Network.Bootstrap = []string{b.Addrs()[0]}
		if live, restart := a.Reload(next); len(live) != 1 || live[0] != "network.bootstrap" || len(restart) != 0 {
			t.Errorf("live %v, after a restart %v", live, restart)
		}
		time.Sleep(time.Second)
		if all := a.Peers(); len(all) != 1 || !all[0].Connected || !all[0].Bootstrap {
			t.Errorf("a second later: %+v", all)
		}
		next.Network.Bootstrap = nil
		a.Reload(next)
		if all := a.Peers(); len(all) != 1 || all[0].Bootstrap {
			t.Errorf("dropped: %+v", all)
		}
	})
}

// late decides about newcomers only after everything else has had its time.
type late struct{ invite.Greeter }

func (l late) Greet(ctx context.Context, from peer.ID, r invite.Request) (invite.Reply, error) {
	time.Sleep(5 * time.Second) // virtual
	return l.Greeter.Greet(ctx, from, r)
}

// Who is refused was not met: neither side nor anybody beyond knows of the other, however
// long the decision took. Who is taken up is met by all.
func TestRefusedMeetingLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 3, func(cfg *config.Config) { cfg.Network.Bootstrap = nil })
		host, second, third := c.nodes[0], c.nodes[1], c.nodes[2]
		host.OnMeet(late{node.MeetingsOf(host.Node)})
		host.agent("Ada")
		_, line, err := node.MeetingsOf(host.Node).Make(meeting.Order{Term: time.Hour, Uses: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := node.MeetingsOf(second.Node).Meet(t.Context(), line, ""); err != nil {
			t.Fatal(err)
		}
		c.within(10*time.Second, "the newcomer has what the other has", func() bool { return c.standing(0) == c.standing(1) })
		refuse := func() {
			t.Helper()
			if _, _, err := node.MeetingsOf(third.Node).Meet(t.Context(), line, ""); code(err) != reason.InviteUsed {
				t.Errorf("the third: %v", err)
			}
		}
		refuse()
		if all := third.Peers(); len(all) != 0 {
			t.Errorf("the answer is there before the connection has ended: %+v", all)
		}
		time.Sleep(time.Second) // virtual: that it has ended is on its way to the other
		for range 2 {           // now, and when all that goes by the clock has come round
			if all := third.Peers(); len(all) != 0 {
				t.Errorf("the refused node knows %+v", all)
			}
			for _, b := range []*box{host, second} {
				if all := b.Peers(); len(all) != 1 {
					t.Errorf("one that has not taken it up knows %+v", all)
				}
			}
			time.Sleep(15 * time.Minute) // virtual
		}
		if c.standing(2) == c.standing(0) {
			t.Error("the refused node has what the others have")
		}
		// One that was connected before stays.
		if _, err := node.MeetingsOf(third.Node).Reach(t.Context(), second.Addrs()[0]); err != nil {
			t.Fatal(err)
		}
		c.within(20*time.Second, "all three meet", func() bool { return len(third.Peers()) == 2 && c.agree() })
		refuse()
		if all := third.Peers(); len(all) != 2 || !all[0].Connected || !all[1].Connected {
			t.Errorf("a refusal parts who were connected: %+v", all)
		}
	})
}
