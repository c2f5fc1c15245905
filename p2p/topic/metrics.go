package topic

import (
	"strings"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/meshd/meshd/crdt/reason"
)

type metrics struct {
	received, accepted, published *prometheus.CounterVec // by topic class
	ignored, rejected             *prometheus.CounterVec // by code
	bytes                         *prometheus.CounterVec // by direction, payload only
	shed                          *prometheus.CounterVec // by reason
	duplicates                    prometheus.Counter
}

func newMetrics(r prometheus.Registerer) *metrics {
	f := promauto.With(r)
	vec := func(name, help, label string) *prometheus.CounterVec {
		return f.NewCounterVec(prometheus.CounterOpts{Name: "meshd_p2p_gossip_" + name + "_total", Help: help}, []string{label})
	}
	m := &metrics{
		received:  vec("received", "Messages looked at, duplicates not counted.", "topic"),
		accepted:  vec("accepted", "Messages taken in and passed on.", "topic"),
		published: vec("published", "Messages of this node.", "topic"),
		ignored:   vec("ignored", "Messages neither taken in nor blamed on their sender.", "code"),
		rejected:  vec("rejected", "Messages that cost their sender.", "code"),
		bytes:     vec("bytes", "Bytes of messages published (out) and looked at (in).", "direction"),
		shed:      vec("shed", "Messages dropped because a queue was full.", "queue"),
		duplicates: f.NewCounter(prometheus.CounterOpts{
			Name: "meshd_p2p_gossip_duplicates_total", Help: "Messages that had come before."}),
	}
	for _, queue := range []string{queueVerdict, queueOutbound} { // or a rule would not see the first one
		m.shed.WithLabelValues(queue)
	}
	for _, i := range reason.All() {
		if i.Gossip == reason.Reject {
			m.rejected.WithLabelValues(string(i.Code))
		}
	}
	return m
}

// The queues that can be full, as labels.
const queueVerdict, queueOutbound = "verdict", "outbound"

// class is the label of a topic: shards share one, there may be 256.
func class(what string) string {
	c, _, _ := strings.Cut(what, "/")
	return c
}

// tracer counts what pubsub does before a verdict or instead of one.
type tracer struct{ met *metrics }

var _ pubsub.RawTracer = tracer{}

func (t tracer) DuplicateMessage(*pubsub.Message) { t.met.duplicates.Inc() }

func (t tracer) RejectMessage(_ *pubsub.Message, why string) {
	switch why {
	case pubsub.RejectValidationQueueFull, pubsub.RejectValidationThrottled:
		t.met.shed.WithLabelValues(queueVerdict).Inc()
	}
}

func (t tracer) DropRPC(*pubsub.RPC, peer.ID) { t.met.shed.WithLabelValues(queueOutbound).Inc() }

func (tracer) OnNewOutboundStream(peer.ID, protocol.ID) {}
func (tracer) OnClosedOutboundStream(peer.ID)           {}
func (tracer) Join(string)                              {}
func (tracer) Leave(string)                             {}
func (tracer) Graft(peer.ID, string)                    {}
func (tracer) Prune(peer.ID, string)                    {}
func (tracer) ValidateMessage(*pubsub.Message)          {}
func (tracer) DeliverMessage(*pubsub.Message)           {}
func (tracer) ThrottlePeer(peer.ID)                     {}
func (tracer) RecvRPC(*pubsub.RPC)                      {}
func (tracer) SendRPC(*pubsub.RPC, peer.ID)             {}
func (tracer) UndeliverableMessage(*pubsub.Message)     {}
