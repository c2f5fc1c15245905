package gateway

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/node/incident"
)

// metrics of the listener. Labels take a handful of values.
type metrics struct {
	refusedConns prometheus.Counter
}

func newMetrics(reg prometheus.Registerer, db *database, draining func() bool) *metrics {
	m := &metrics{refusedConns: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "meshd_gateway_connections_refused_total", Help: "Connections closed at once because their address has too many open.",
	})}
	if reg == nil {
		return m
	}
	reg.MustRegister(m.refusedConns,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_gateway_database_up", Help: "1 while the database of the gateway's state answers.",
		}, func() float64 { return number(db.answers()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_gateway_draining", Help: "1 while the gateway is stopping and lets requests finish.",
		}, func() float64 { return number(draining()) }),
	)
	return m
}

// countOwed reports what this gateway owes for what is written, and how often it failed at
// it. A count that cannot be read is -1.
func countOwed(reg prometheus.Registerer, k *owed.Keeper) {
	if reg == nil {
		return
	}
	reg.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_gateway_owed", Help: "Notices of sales and anchors of audit trails that are still to be made.",
		}, func() float64 {
			ctx, cancel := context.WithTimeout(context.Background(), pingTime)
			defer cancel()
			n, err := k.Pending(ctx)
			if err != nil {
				return -1
			}
			return float64(n)
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "meshd_gateway_owed_failures_total", Help: "Tries of such that failed; each is tried again.",
		}, func() float64 { return float64(k.Failed()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "meshd_gateway_owed_lost_total", Help: "Such that were given up after 30 days.",
		}, func() float64 { return float64(k.Lost()) }),
	)
}

// reportHealth reports what /readyz says and how many incidents are open, which nobody
// has to ask for as an admin then.
func reportHealth(reg prometheus.Registerer, s *status.Service, book *incident.Book) {
	if reg == nil {
		return
	}
	reg.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_gateway_ready", Help: "1 while /readyz says that this gateway should get traffic.",
		}, func() float64 { return number(s.Ready().Ready) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "meshd_gateway_incidents_open", Help: "Incidents that go on, of those that admins can list.",
		}, func() (open float64) {
			if book == nil {
				return 0
			}
			for _, i := range book.All() {
				if i.Open() {
					open++
				}
			}
			return open
		}),
	)
}

func (m *metrics) connectionRefused() { m.refusedConns.Inc() }

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
