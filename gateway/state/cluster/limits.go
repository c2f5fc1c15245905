package cluster

import "time"

const (
	turnConns  = 8                      // turns of different keys at a time, of one gateway
	turnIdle   = 800 * time.Millisecond // a turn in which nothing is asked of the database for so long is taken away
	turnWait   = 3 * time.Second        // for a turn: above turnIdle, and what those before need
	meterConns = 4                      // requests for tokens at a time, of one gateway
	meterWait  = 250 * time.Millisecond // for tokens; then the gateway counts for itself
)
