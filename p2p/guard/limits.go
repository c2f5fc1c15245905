package guard

import "time"

// Limits of connections. A Config may set other ones.
const (
	// DefaultMaxConns bounds all connections; the connection manager trims far
	// below it, so only a flood meets it.
	DefaultMaxConns = 512
	// DefaultPerPrefix bounds connections with one /24 or /56: a household or
	// an office fits, a rented block of addresses does not fill the table.
	DefaultPerPrefix = 16
	// DefaultMessageRate is how many gossip messages of one peer are looked at
	// in a second; what is shed comes later by reconciliation.
	DefaultMessageRate = 200

	prefixBits4 = 24 // bits: what one IPv4 site usually has
	prefixBits6 = 56 // bits: what one IPv6 site usually has

	blockBits4 = 16 // bits of a Block of IPv4
	blockBits6 = 32 // bits of a Block of IPv6
	fewPeers   = 4  // of one block that are no accident when there are no others
)

// Scores run from 0 (nothing against the peer) down to scoreFloor.
const (
	penalty    = 10.0             // points a refusal that is certain costs
	scoreFloor = 2 * Graylist     // so that a burst is forgiven in bounded time
	halfLife   = 10 * time.Minute // in which half of the points are forgiven
	forgotten  = -1.0             // points above which a departed peer is forgotten
	banTime    = 15 * time.Minute // a graylisted peer stays out this long
	strikeTime = 4 * banTime      // a prefix is watched this long after a ban
	maxStrikes = 3                // bans in a prefix before the prefix itself is out
	burst      = 2                // seconds of message rate a quiet peer may save up
	sweepEvery = time.Minute      // between two walks over the departed
	maxRecords = 4096             // peers remembered, connected or not
	maxStruck  = 1024             // prefixes remembered for their bans
)

// Graylist is the score at which a peer is disconnected and kept out: eight
// refusals in a short time. Below it GossipSub ignores the peer too.
const Graylist = -80.0
