package body

import (
	"github.com/meshd/meshd/crdt/change"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// Limits of the rows, in characters (code points after NFC) unless a unit
// stands beside them. A breach is bad_encoding where no code is named.
const (
	MinEntry    = 40   // text of an entry: too_short below, after collapsing
	MaxEntry    = 4000 // too_long above, after trimming
	MaxTitle    = 160
	MaxDomain   = 64
	MaxTags     = 12
	MaxTag      = 48
	MaxEvidence = 8 // items
	MaxProofLen = 1000
	MaxSource   = 500
	MaxReuses   = 10
	MaxReceipt  = 4 << 10 // bytes
	MaxMeta     = 4 << 10 // bytes
	MaxMetaKeys = 20
	MaxMetaKey  = 64
	MaxConf     = 1000 // thousandths

	MinName        = 2
	MaxName        = change.MaxName
	MaxHome        = 253
	MaxControllers = 3
	MaxController  = 128  // bytes of a DID
	MaxBindText    = 4096 // bytes: a SIWE text with resources fits
	MaxWhy         = 300

	MaxBootstrap     = change.MaxBootstrap
	MaxBootstrapAddr = change.MaxBootstrapAddr
	MaxGateways      = 128
	MaxLabelers      = 64

	MaxCut      = 400         // chains that the cuts of one body name, all authors together
	MaxToken    = v0.MaxToken // bytes
	MaxEndorsed = 200

	MaxTask         = 40 // bytes of a task's id, at the API
	MaxTaskText     = 2000
	MaxMessage      = 4000
	MaxSubject      = 200
	MaxSealed       = 24 << 10 // bytes: a message and a subject of four-byte characters, and what opens them
	MaxComment      = 2000
	MaxNote         = 500 // of a guestbook
	MaxMood         = 32
	MaxGuest        = 40
	MaxCommentDepth = 4 // levels of a thread; deeper ones are decided to be none by fold
	MaxLabelWhy     = 500
	MaxServed       = 1000    // rows of one served
	MaxDay          = 3652425 // 10,000 years of days

	MaxBountyTitle = 200
	MaxBountyText  = 4000
	MaxSolution    = 8000
	MaxBountyProof = 4 << 10           // bytes
	MaxReward      = 10_000_000_000    // micro-USD: 10,000 USDC
	MaxDeadline    = (1<<53 - 1) >> 10 // milliseconds since 1970 that a logical time can say
	MinThreshold   = 50                // percent of the weights that a proposal needs
)
