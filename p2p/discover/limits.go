package discover

import "time"

// Limits of peer records (wire §17).
const (
	MaxRecord = 1 << 10          // bytes of a record's payload
	MaxTTL    = 30 * time.Minute // a record is believed no longer

	maxEnvelope = MaxRecord + 256 // bytes: key, type and signature beside the payload
	maxAddrs    = 16              // addresses of one record
	maxRelayed  = 8               // of them through relays, in our own
	maxAddr     = 128             // bytes of one
	maxRoles    = 8               // roles of one record
	maxWord     = 16              // bytes of a role or a set's name
	maxSets     = 64              // sets named by one record; none means all public ones
	maxKnown    = 1000            // records kept
)

// Times of announcing and dialling.
const (
	announceEvery = 10 * time.Minute // so that two of three may be lost before the ttl ends
	announceGap   = 2 * time.Second  // between two announcements: a burst of newcomers receives one
	dialFirst     = time.Second      // wait after the first failure, doubled by each further one
	dialMost      = 8 * time.Second  // longest wait for a configured peer: it is what joins a healed network again
	dialForget    = 15 * time.Minute // longest wait for a peer known by its record
	settled       = 2 * time.Minute  // a connection that lasts so long clears the failures before it
	punchTime     = 12 * time.Second // a connection by a relay has to become a direct one: three tries of routers
	dialTimeout   = 8 * time.Second  // for one peer, all its addresses
	maxDials      = 8                // under way at once
	lookEvery     = 10 * time.Second // between two looks at whom to dial
	foundQueue    = 64               // peers found by mDNS and not yet dialled; full: dropped
)
