package discover

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"pgregory.net/rapid"
)

var now = time.Unix(1_800_000_000, 0)

func rec(seq uint64, via peer.ID, ttl time.Duration) *entry {
	return &entry{rec: &Record{Seq: seq, TTL: ttl}, via: via, expires: now.Add(ttl), try: new(attempt)}
}

func TestNewestRecordHolds(t *testing.T) {
	t.Parallel()
	k := newKnown()
	if !k.put("p", rec(5, "v", time.Minute), now) {
		t.Fatal("the first is not kept")
	}
	k.byPeer["p"].try.fails = 3
	if k.put("p", rec(5, "v", time.Minute), now) || k.put("p", rec(4, "v", time.Hour), now) {
		t.Error("an older record replaces a newer one")
	}
	if !k.put("p", rec(6, "w", time.Minute), now) || k.byPeer["p"].rec.Seq != 6 {
		t.Error("a newer record does not replace an older one")
	}
	if k.byPeer["p"].try.fails != 3 {
		t.Error("a new record ends the back-off of its peer")
	}
	if !k.put("p", rec(1, "v", time.Minute), now.Add(time.Hour)) {
		t.Error("a record that is over still holds")
	}
}

func TestOneBringerCannotCrowdOthersOut(t *testing.T) {
	t.Parallel()
	k := newKnown()
	for i := range 10 {
		k.put(peer.ID(fmt.Sprint("honest", i)), rec(1, "honest", time.Minute), now)
	}
	for i := range 3 * maxKnown {
		k.put(peer.ID(fmt.Sprint("sybil", i)), rec(1, "attacker", time.Hour), now)
	}
	if len(k.byPeer) > maxKnown {
		t.Fatalf("%d records, limit %d", len(k.byPeer), maxKnown)
	}
	for i := range 10 {
		if k.byPeer[peer.ID(fmt.Sprint("honest", i))] == nil {
			t.Errorf("honest record %d was crowded out", i)
		}
	}
	if !k.put("late", rec(1, "honest", time.Minute), now) {
		t.Error("an honest record finds no room beside the attacker's")
	}
}

func TestKnownCountsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := newKnown()
		at := now
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			at = at.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "wait")) * time.Second)
			e := rec(rapid.Uint64Range(1, 5).Draw(t, "seq"), peer.ID(rapid.StringMatching("[v-z]").Draw(t, "via")), time.Minute)
			e.expires = at.Add(e.rec.TTL)
			k.put(peer.ID(rapid.StringMatching("[a-h]").Draw(t, "id")), e, at)
			if rapid.Bool().Draw(t, "expire") {
				k.expire(at)
			}
			sum := 0
			for _, n := range k.byVia {
				sum += n
			}
			if sum != len(k.byPeer) {
				t.Fatalf("%d records, %d counted by bringer", len(k.byPeer), sum)
			}
		}
	})
}

func TestBackOffDoublesAndIsBounded(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var a attempt
	if !a.due(now) {
		t.Fatal("the first attempt is not due at once")
	}
	for i := range 40 {
		a.failed(now, dialMost, rng)
		most := min(dialMost, dialFirst<<min(i, 10))
		if wait := a.next.Sub(now); wait < most/2 || wait > most {
			t.Errorf("wait %v after %d failures, want between %v and %v", wait, i+1, most/2, most)
		}
		if a.due(now) || !a.due(a.next) {
			t.Error("due at the wrong time")
		}
	}
}

func TestShortSuccessIsNoSuccess(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var a attempt
	at := now
	for range 10 { // answers, and hangs up at once
		a.succeeded(at, dialMost, rng)
		at = a.next
	}
	if a.fails < 9 {
		t.Errorf("%d failures counted of a peer that hangs up", a.fails)
	}
	a.succeeded(at.Add(time.Hour), dialMost, rng)
	if a.fails != 1 {
		t.Errorf("%d failures left after an hour's connection", a.fails)
	}
}
