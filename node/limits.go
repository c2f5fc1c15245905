package node

import "time"

const (
	maxSigners   = 1024            // unlocked acting keys kept in memory
	maxVerdicts  = 200_000         // judged entries remembered; more are judged again when shown
	judgeAhead   = 2000            // newest entries judged before anyone asks
	maxTopScan   = 5000            // newest entries ranked by sort=top
	maxPages     = 1024            // materialised documents kept in memory
	waitReplica  = 10 * time.Second // longest ?wait=peers:n
	maxWaitPeers = 3
	nearWindow   = 24 * time.Hour // near duplicates of one author (api §1.5)
	nearDistance = 3              // bits of simhash
	diskPoll     = time.Second
	fetchTimeout = 10 * time.Second
	maxFetches   = 8 // requests for a missing past at once
)
