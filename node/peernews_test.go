package node_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/peering"
)

// collector receives the events of some kinds.
type collector struct{ sub *events.Sub }

// next waits in virtual time for an event that fits.
func (h collector) next(t *testing.T, what string, fits func(events.Event) bool) events.Event {
	t.Helper()
	limit := time.After(5 * time.Minute)
	for {
		select {
		case e, open := <-h.sub.C():
			if !open {
				t.Fatalf("%s: the bus ended: %v", what, h.sub.Err())
			}
			if fits(e) {
				return e
			}
		case <-limit:
			t.Fatalf("%s was not published", what)
		}
	}
}

// Peers that come and go are published, and each pass with one.
func TestPeersAndPassesArePublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		h := collector{c.nodes[0].Events().Subscribe(events.PeerConnected|events.PeerDisconnected|events.SyncDone, events.MaxBuffer)}
		defer h.sub.Close()
		other := c.nodes[1].PeerID().String()
		is := func(kind events.Kind) func(events.Event) bool {
			return func(e events.Event) bool { return e.Kind == kind && e.Object == other }
		}
		if e := h.next(t, "a peer that connects", is(events.PeerConnected)); e.Data.(peering.PeerLink).Transport != "quic" {
			t.Errorf("link %+v", e.Data)
		}
		a := c.nodes[1].agent("ada")
		c.nodes[1].contribute(a, "Events are published once, at the place where the thing happens, and everybody else listens.")
		h.next(t, "a pass that ends equal", func(e events.Event) bool {
			s, ok := e.Data.(peering.PassSummary)
			return is(events.SyncDone)(e) && ok && s.Equal && s.BytesIn > 0
		})
		c.net.Partition(0)
		h.next(t, "a peer that goes", is(events.PeerDisconnected))
	})
}

// What a file or a peer brings and the node does not take is published with its code.
func TestRefusedAndDeferredArePublished(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	h := b.Events().Subscribe(events.ChangeRefused|events.ChangeDeferred, events.MaxBuffer)
	defer h.Close()
	s := b.stranger("mallory")
	waiting := s.entry("A change whose author nobody knows yet waits until the record of that author comes.", 1767225700000, false)
	bad := *s.record
	bad.Head.Sig[0] ^= 1
	forged, err := change.Decode(bad.Head.Encode(), bad.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*change.Change{waiting, forged} {
		line, err := json.Marshal(map[string]any{"id": c.ID.Text(change.PrefixChange), "head": c.RawHead, "body": c.Body})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Import(t.Context(), bytes.NewReader(append(line, '\n'))); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []struct {
		kind events.Kind
		id   change.ID
		code reason.Code
	}{{events.ChangeDeferred, waiting.ID, reason.MissingDeps}, {events.ChangeRefused, forged.ID, reason.BadChangeSignature}} {
		e := <-h.C()
		if e.Kind != want.kind || e.Object != want.id.Text(change.PrefixChange) || e.Data.(core.Verdict).Code != want.code {
			t.Errorf("published %s %s %+v, want %+v", e.Kind, e.Object, e.Data, want)
		}
	}
}
