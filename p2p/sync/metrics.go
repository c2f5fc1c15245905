package sync

import (
	"errors"
	"io"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/meshd/meshd/crdt/reason"
)

type metrics struct {
	sessions  *prometheus.CounterVec // by direction and result
	bytes     *prometheus.CounterVec // by direction
	changes   *prometheus.CounterVec // by way: got, pushed, served
	sets      *prometheus.CounterVec // by mode
	fallbacks prometheus.Counter
}

// newMetrics makes the metrics; since returns the seconds since a pass was last
// complete.
func newMetrics(r prometheus.Registerer, since func() float64) *metrics {
	f := promauto.With(r)
	vec := func(name, help string, labels ...string) *prometheus.CounterVec {
		return f.NewCounterVec(prometheus.CounterOpts{Name: "meshd_sync_" + name + "_total", Help: help}, labels)
	}
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "meshd_sync_since_complete_seconds",
		Help: "Time since a pass over all sets with a peer was last complete, or since the start.",
	}, since)
	return &metrics{
		sessions: vec("sessions", "Reconciliation sessions ended.", "direction", "result"),
		bytes:    vec("bytes", "Bytes of reconciliation frames.", "direction"),
		changes:  vec("changes", "Changes taken in (got), sent unasked (pushed) and sent when asked (served).", "way"),
		sets:     vec("sets", "Sets reconciled by sessions of this node.", "mode"),
		fallbacks: f.NewCounter(prometheus.CounterOpts{
			Name: "meshd_sync_fallbacks_total", Help: "Sets whose sketch did not give the difference."}),
	}
}

func (m *metrics) ended(direction string, in, out uint64, err error) {
	m.sessions.WithLabelValues(direction, result(err)).Inc()
	m.bytes.WithLabelValues("in").Add(float64(in))
	m.bytes.WithLabelValues("out").Add(float64(out))
}

func result(err error) string {
	var busy *BusyError
	var remote *RemoteError
	var refusal *reason.Refusal
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &busy):
		return "busy"
	case errors.As(err, &remote), errors.Is(err, io.EOF):
		return "ended"
	case errors.As(err, &refusal):
		return "refused"
	}
	return "failed"
}
