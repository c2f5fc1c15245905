package status_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state/statetest"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/view"
)

// node is well but for what a test says.
type node struct {
	parts map[string]string
	ready bool
	book  *incident.Book
}

var _ status.Node = (*node)(nil)

func (n *node) Components() map[string]string {
	out := map[string]string{"store": "ok", "gossip": "off"}
	for k, v := range n.parts {
		out[k] = v
	}
	return out
}

func (n *node) Ready() (map[string]bool, bool) {
	return map[string]bool{"store_open": n.ready}, n.ready
}

func (*node) Started() time.Time              { return statetest.Start.Add(-time.Hour) }
func (n *node) Incidents() *incident.Book     { return n.book }
func (*node) Counts() view.Counts             { return view.Counts{Agents: 2, Entries: 3, Domains: 1} }
func (*node) Network() (string, change.NetID) { return "testnet", accesstest.Net }

type bench struct {
	*accesstest.Bench
	*status.Service
	node *node
}

func newBench(t *testing.T, cfg status.Config) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.node = &node{ready: true, book: incident.New(b.Clock, nil)}
	cfg.Version, cfg.Tools = "1.2.3", []string{"a", "b"}
	b.Service = status.New(b.node, b.Access, nil, cfg)
	return b
}

// The node is ok when all its parts are, degraded when one is not, and wants no traffic
// when a check fails; a check of the gateway counts like one of the node.
func TestHealth(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		parts    map[string]string
		unready  bool
		database map[string]bool
		fail     string
		status   string
		ready    bool
	}{
		"all well":              {status: "ok", ready: true},
		"a part off":            {parts: map[string]string{"gossip": "off"}, status: "ok", ready: true},
		"a part down":           {parts: map[string]string{"gossip": "down"}, status: "degraded", ready: true},
		"not ready":             {unready: true, status: "degraded"},
		"a database that is up": {database: map[string]bool{"database": true}, status: "ok", ready: true},
		"one that is not":       {database: map[string]bool{"database": false}, status: "degraded"},
		"a breaker that opened": {fail: "facilitator", status: "degraded", ready: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, status.Config{Checks: func() map[string]bool { return c.database }})
			b.node.parts, b.node.ready = c.parts, !c.unready
			if c.fail != "" {
				for range 20 {
					_ = b.node.book.Breaker(c.fail).Do(func() error { return fmt.Errorf("no answer") }, func(error) bool { return true })
				}
			}
			got, ready := b.Health()
			if got.Status != c.status || ready != c.ready || got.Uptime != 3600 || got.Tools != 2 || got.Counts.KnowledgeEntries != 3 {
				t.Errorf("%+v, ready %t", got, ready)
			}
			if short := b.MeshHealth(); short.Status != c.status || short.Version != "1.2.3" {
				t.Errorf("in short %+v", short)
			}
		})
	}
}

// What broke is for who runs the gateway; others find nothing there.
func TestIncidentsAreForAdmins(t *testing.T) {
	t.Parallel()
	b := newBench(t, status.Config{})
	ada := accesstest.As(b.AddAgent("ada").ID)
	for range 3 {
		b.node.book.Fail("gossip", "no peers")
	}
	for i := range 60 {
		b.node.book.Fail(fmt.Sprint("part", i), "down")
		b.node.book.Recover(fmt.Sprint("part", i))
	}
	for what, who := range map[string]call.Caller{"nobody": {}, "an agent": ada} {
		_, err := b.AdminIncidents(who, accesstest.Request(t, status.IncidentsForm, `{}`))
		accesstest.Refused(t, what, err, reason.NotFound)
		if got := b.Healthz(who); got.Detail != nil || got.Version != "1.2.3" {
			t.Errorf("%s sees %+v", what, got.Detail)
		}
	}
	for raw, want := range map[string][2]int{`{}`: {50, 61}, `{"state": "open"}`: {1, 1}, `{"state": "closed", "limit": 7}`: {7, 60}} {
		got, err := b.AdminIncidents(accesstest.Owner(), accesstest.Request(t, status.IncidentsForm, raw))
		if err != nil || got.Count != want[0] || got.Total != want[1] {
			t.Errorf("%s: %d of %d, %v", raw, got.Count, got.Total, err)
		}
	}
}
