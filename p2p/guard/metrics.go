package guard

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	connections prometheus.Gauge
	refused     *prometheus.CounterVec
	cut         prometheus.Counter
}

func newMetrics(r prometheus.Registerer, block func() Block) *metrics {
	f := promauto.With(r)
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "meshd_p2p_block_share", Help: "Share of the connected peers with public addresses that come from one /16, or /32 of IPv6; 0 when there are none.",
	}, func() float64 {
		b := block()
		return float64(b.Peers) / float64(max(b.Of, 1))
	})
	m := &metrics{
		connections: f.NewGauge(prometheus.GaugeOpts{
			Name: "meshd_p2p_connections", Help: "Open connections to peers."}),
		refused: f.NewCounterVec(prometheus.CounterOpts{
			Name: "meshd_p2p_connections_refused_total", Help: "Connections refused, by reason."}, []string{"why"}),
		cut: f.NewCounter(prometheus.CounterOpts{
			Name: "meshd_p2p_peers_cut_total", Help: "Peers disconnected for what they sent."}),
	}
	for _, w := range []why{whyPeer, whyAddress, whyLoopback, whyTotal, whyPrefix, whyStrikes} { // or a rule would not see the first one
		m.refused.WithLabelValues(string(w))
	}
	return m
}
