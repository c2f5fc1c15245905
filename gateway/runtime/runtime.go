// Package runtime runs what sources do for callers of a gateway: hosted runs, which live
// between requests, and behaviour trees, which are run in one. Time in a run is
// simulated: the same program with the same inputs comes to the same trace.
package runtime

import (
	"time"

	"github.com/meshd/meshd/gateway/workshop"
)

// IDs makes ids of a kind, which no other gateway makes as well.
type IDs interface {
	NewID(prefix string, now time.Time) (string, error)
}

// Service runs what sources do. Runs live in memory: a restart ends them. It is safe
// for concurrent use.
type Service struct {
	runs *hostedRuns
	ids  IDs
	now  func() time.Time
}

// New makes one that works at the benches of work.
func New(work *workshop.Workshop, ids IDs, now func() time.Time) *Service {
	return &Service{newHostedRuns(work), ids, now}
}
