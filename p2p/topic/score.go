package topic

import (
	"net"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/peer"
)

// Scoring is always on: without it no logic against slow or useless peers
// runs. The guard's score counts in full, so that one who lies in a
// reconciliation is also left out of the mesh. What quiet small networks cannot
// promise is not asked of anybody: there is no penalty for delivering little.

// Score thresholds, in the guard's points.
const (
	gossipBelow  = -20 // no advertisements to or from
	publishBelow = -40 // no own messages to
	ignoreBelow  = -80 // the guard's Graylist: nothing read
	graftBelow   = 1   // a mesh whose median is lower takes in better peers
)

func scoreThresholds() *pubsub.PeerScoreThresholds {
	return &pubsub.PeerScoreThresholds{
		GossipThreshold:             gossipBelow,
		PublishThreshold:            publishBelow,
		GraylistThreshold:           ignoreBelow,
		OpportunisticGraftThreshold: graftBelow,
	}
}

func scoreParams(guard func(peer.ID) float64) *pubsub.PeerScoreParams {
	return &pubsub.PeerScoreParams{
		Topics:            make(map[string]*pubsub.TopicScoreParams), // filled as topics are joined
		TopicScoreCap:     40,                                        // what a good past can outweigh: four refusals
		AppSpecificScore:  guard,
		AppSpecificWeight: 1,

		// Many peers behind one public address are suspect; near ones are not.
		IPColocationFactorWeight:    -5,
		IPColocationFactorThreshold: 8,
		IPColocationFactorWhitelist: near(),

		// Broken promises and hasty grafts, beyond a few that are accidents.
		BehaviourPenaltyWeight:    -1,
		BehaviourPenaltyThreshold: 6,
		BehaviourPenaltyDecay:     pubsub.ScoreParameterDecay(10 * time.Minute),

		DecayInterval: time.Second,
		DecayToZero:   0.01,
		RetainScore:   15 * time.Minute, // as long as the guard keeps a peer out
	}
}

// topicScore is the same for every topic.
func topicScore() *pubsub.TopicScoreParams {
	return &pubsub.TopicScoreParams{
		TopicWeight: 1,

		TimeInMeshWeight:  0.01,
		TimeInMeshQuantum: time.Second,
		TimeInMeshCap:     300,

		FirstMessageDeliveriesWeight: 0.5,
		FirstMessageDeliveriesDecay:  pubsub.ScoreParameterDecay(10 * time.Minute),
		FirstMessageDeliveriesCap:    40,

		MeshMessageDeliveriesDecay: pubsub.ScoreParameterDecay(time.Minute), // weight 0: off
		MeshFailurePenaltyDecay:    pubsub.ScoreParameterDecay(time.Minute), // weight 0: off

		// Rejected messages cost the guard's ten points each and nothing here: whoever
		// fell to Graylist by gossip's own count first would be ignored and stay
		// connected, its bytes read for ever.
		InvalidMessageDeliveriesDecay: pubsub.ScoreParameterDecay(10 * time.Minute), // weight 0: off
	}
}

// near are the networks in which many nodes at one address are usual.
func near() []*net.IPNet {
	var list []*net.IPNet
	for _, s := range []string{"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "::1/128", "fc00::/7", "fe80::/10"} {
		_, n, err := net.ParseCIDR(s)
		if err != nil {
			panic(err) // a constant of ours
		}
		list = append(list, n)
	}
	return list
}
