package node_test

import (
	"bytes"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// A clock that was wrong once does not lock an author out: the refusal names the
// rotation, and after it the agent writes on.
func TestWrongClockIsNoLockOut(t *testing.T) {
	t.Parallel()
	var years atomic.Int64 // that the clock is ahead
	b := openWith(t, t.TempDir(), func(o *core.Options) {
		o.Now = func() time.Time { return time.Now().AddDate(int(years.Load()), 0, 0) }
	})
	defer b.shut()
	ada := b.agent("Ada")
	b.contribute(ada, lesson)
	years.Store(10)
	b.contribute(ada, retold(1))
	years.Store(0)
	_, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(2)}), view.Submit{})
	var refusal *reason.Refusal
	if !errors.As(err, &refusal) || refusal.Code != reason.ClockAhead || !strings.Contains(refusal.Hint, "meshd id rotate") {
		t.Fatalf("refused by %v with hint %q", err, refusal.Hint)
	}
	if _, err := b.RotateHere(t.Context(), ada.ID, b.ConsentOfKey(ada.ID), view.Turn{}); err != nil {
		t.Fatal(err)
	}
	if r := b.contribute(ada, retold(2)); !b.shows(r.ID) {
		t.Error("what was written after the rotation is not shown")
	}
}

// A node whose clock is far ahead of its peers' writes all the same, and says so
// before it signs.
func TestClockAheadOfPeersIsSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var said logged
		c := newCluster(t, 2, nil)
		at := c.net.NewPlace()
		b := openWith(t, filepath.Join(t.TempDir(), "ahead"), func(o *core.Options) {
			o.Now = func() time.Time { return bubbleNow().Add(time.Hour) }
			o.Log = slog.New(slog.NewTextHandler(&said, nil))
			o.Engine, o.Documents, o.Simulation = crdtlog.NewMemory(), nowhere{}, at.Options
			o.Config.P2P.Loopback, o.Config.P2P.Listen = false, []string{at.Listen}
			o.Config.Network.Bootstrap = c.nodes[0].Addrs()
		})
		b.serve()
		c.within(5*time.Minute, "the clocks are compared", func() bool { return b.Status().ClockSkew < -3000 })
		ada := b.agent("Ada")
		b.contribute(ada, lesson)
		if !strings.Contains(said.String(), "this clock is ahead of the peers'") || b.Components()["clock"] != "degraded" {
			t.Errorf("clock %s, said: %s", b.Components()["clock"], said.String())
		}
	})
}

// logged keeps what a node logs, from any goroutine.
type logged struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
