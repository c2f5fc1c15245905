package peering

import "time"

// Limits of what a node does with its peers.
const (
	waitReplica     = 10 * time.Second // longest ?wait=peers:n
	maxWaitPeers    = 3
	bulkDelay       = 200 * time.Millisecond // writing goes on for that long before a bulk pass
	learnDelay      = time.Second            // nothing more comes from others for that long before they are passed on
	bulkPause       = 50 * time.Millisecond  // between two passes of a bulk reconciliation, doubling
	maxBulkPause    = 5 * time.Second        // after which the regular passes have to do
	bodiesFirst     = time.Minute            // between two tries for missing bodies, doubling while none comes
	bodiesLast      = 24 * time.Hour         // at the most
	fetchTimeout    = 10 * time.Second
	comparePause    = 500 * time.Millisecond // between two tries to compare own chains, doubling
	maxComparePause = 30 * time.Second
	copyTimeout     = time.Minute            // for copies of damaged changes from one peer
	joinTime        = 12 * time.Second       // until the place in a guild elsewhere is here
	joinPause       = 100 * time.Millisecond // between two looks for it, doubling
	maxReasons      = 3                      // addresses of a peer of which it is said why it does not answer there
	maxOutbox       = 64                     // local changes that wait to be gossiped; more go by reconciliation
	maxBulkPeers    = 4                      // peers of one such reconciliation
	maxPassedOn     = 16                     // changes of one frame of reconciliation that are gossiped on
	fetchPause      = 100 * time.Millisecond // between two rounds of fetches of a missing past, so that a flood is answered in few sessions
	maxFetches      = 64                     // requests for a missing past that wait, and are answered together
)
