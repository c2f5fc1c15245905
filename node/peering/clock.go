package peering

import (
	"slices"
	"time"

	"github.com/meshd/meshd/p2p/sync"
)

// clockSkew is the median of how far peers' clocks are ahead of ours.
func clockSkew(passes []sync.PassReport) time.Duration {
	var ahead []time.Duration
	for _, p := range passes {
		if p.Complete {
			ahead = append(ahead, p.Ahead)
		}
	}
	if len(ahead) == 0 {
		return 0
	}
	slices.Sort(ahead)
	return ahead[len(ahead)/2]
}
