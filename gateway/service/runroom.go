package service

import (
	"time"

	"github.com/meshd/meshd/gateway/workshop"
)

// IDs makes ids of a kind, which no other gateway makes as well.
type IDs interface {
	NewID(prefix string, now time.Time) (string, error)
}

// runService runs what sources do. Runs live in memory: a restart ends them. It is safe
// for concurrent use.
type runService struct {
	runs *hostedRuns
	ids  IDs
	now  func() time.Time
}

// newRunService makes one that works at the benches of work.
func newRunService(work *workshop.Workshop, ids IDs, now func() time.Time) *runService {
	return &runService{newHostedRuns(work), ids, now}
}
