package node

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
)

const (
	eventsEntryCreated = events.EntryCreated
	eventsAppended     = events.ChangeAppended
)

// metrics of the node. No label grows with peers, agents, changes or spaces.
type metrics struct {
	appended    prometheus.Counter
	unpublished prometheus.Counter
	refusals    *prometheus.CounterVec
	reg         prometheus.Registerer
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		reg: reg,
		appended: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "meshd_node_appended_total", Help: "Changes that became members here.",
		}),
		unpublished: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "meshd_node_unpublished_total", Help: "Local changes that gossip had no room for; reconciliation carries them.",
		}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "meshd_refused_total", Help: "Refused changes and requests by reason code and gate.",
		}, []string{"code", "gate"}),
	}
	reg.MustRegister(m.appended, m.unpublished, m.refusals)
	return m
}

// watch shows how much of the log is damaged, and how many changes were healed.
func (m *metrics) watch(damaged func() int, healed func() uint64) {
	m.reg.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_store_damaged", Help: "Changes and parts of the store that are known to be damaged.",
		}, func() float64 { return float64(damaged()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "meshd_store_healed_total", Help: "Damaged changes that were healed from copies of peers.",
		}, func() float64 { return float64(healed()) }),
	)
}

func (m *metrics) refused(code reason.Code, gate string, count int) {
	m.refusals.WithLabelValues(string(code), gate).Add(float64(count))
}

// Refused counts a refusal at a gate of the faces, such as "http" or "mcp".
func (n *Node) Refused(code reason.Code, gate string) { n.meter.refused(code, gate, 1) }
