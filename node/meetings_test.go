package node_test

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/meeting"
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
