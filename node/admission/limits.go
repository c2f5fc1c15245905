package admission

import "time"

const (
	// NewbornFor is how long an agent is a newborn, from when this node first
	// received one of its changes: its rates and quotas are a tenth.
	NewbornFor = 24 * time.Hour

	newbornShare = 10               // a newborn has one part of that many
	burstFor     = 10 * time.Minute // of its rate a quiet author may save up
	giverBurst   = 100 * time.Second
	netGivers    = 4                // givers' worth of one network prefix
	creditFor    = 10 * time.Minute // after an absence, in which new buckets begin with what was missed
	maxAway      = 30 * 24 * time.Hour

	maxAuthors  = 16_384 // buckets, the least recently used go first
	maxTrees    = 4096
	maxGuilds   = 2048
	maxHomes    = 2048
	maxGivers   = 4096
	maxAccounts = 65_536 // quotas counted; the small ones go first

	poolHeld   = 4  // strangers together take at most one part of that many of MaxHeld
	treeHeld   = 8  // the same of one tree
	authorHeld = 16 // and of one author
)

// The limits of a node that sets none. What they allow is far above what a
// gateway lets its own callers write (10 contributions a minute).
const (
	DefaultAuthorPerMinute    = 120
	DefaultTreePerMinute      = 1200
	DefaultGuildPerMinute     = 600
	DefaultHomePerMinute      = 1200
	DefaultStrangersPerMinute = 1200
	DefaultGiverPerSecond     = 500
	DefaultAuthorBodies       = 100_000
	DefaultAuthorBytes        = 128 << 20
	DefaultTreeBodies         = 1_000_000
	DefaultTreeBytes          = 1 << 30
	DefaultMaxHeld            = 32_768
)
