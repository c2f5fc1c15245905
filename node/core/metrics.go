package core

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/reason"
)

// Metrics of the node. No label grows with peers, agents, changes or spaces.
type Metrics struct {
	Appended    prometheus.Counter // changes that became members here
	Unpublished prometheus.Counter // own changes that gossip had no room for
	refusals    *prometheus.CounterVec
	reg         prometheus.Registerer
}

// NewMetrics returns the Metrics of a node, registered with reg. It panics when reg has
// them already.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		reg: reg,
		Appended: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "meshd_node_appended_total", Help: "Changes that became members here.",
		}),
		Unpublished: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "meshd_node_unpublished_total", Help: "Local changes that gossip had no room for; reconciliation carries them.",
		}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "meshd_refused_total", Help: "Refused changes and requests by reason code and gate.",
		}, []string{"code", "gate"}),
	}
	reg.MustRegister(m.Appended, m.Unpublished, m.refusals)
	return m
}

// Watch shows how much of the log is damaged, and how many changes were healed.
func (m *Metrics) Watch(damaged func() int, healed func() uint64) {
	m.reg.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_store_damaged", Help: "Changes and parts of the store that are known to be damaged.",
		}, func() float64 { return float64(damaged()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "meshd_store_healed_total", Help: "Damaged changes that were healed from copies of peers.",
		}, func() float64 { return float64(healed()) }),
	)
}

// Refused counts refusals of one code at a gate, such as "door", "peer" or "gossip".
func (m *Metrics) Refused(code reason.Code, gate string, count int) {
	m.refusals.WithLabelValues(string(code), gate).Add(float64(count))
}

// Refused counts a refusal at a gate of the faces, such as "http" or "mcp".
func (n *Core) Refused(code reason.Code, gate string) { n.Meter.Refused(code, gate, 1) }
