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

func newMetrics(r prometheus.Registerer) *metrics {
	f := promauto.With(r)
	return &metrics{
		connections: f.NewGauge(prometheus.GaugeOpts{
			Name: "meshd_p2p_connections", Help: "Open connections to peers."}),
		refused: f.NewCounterVec(prometheus.CounterOpts{
			Name: "meshd_p2p_connections_refused_total", Help: "Connections refused, by reason."}, []string{"why"}),
		cut: f.NewCounter(prometheus.CounterOpts{
			Name: "meshd_p2p_peers_cut_total", Help: "Peers disconnected for what they sent."}),
	}
}
