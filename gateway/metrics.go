package gateway

import "github.com/prometheus/client_golang/prometheus"

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

func (m *metrics) connectionRefused() { m.refusedConns.Inc() }

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
