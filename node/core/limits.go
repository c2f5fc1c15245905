package core

import "time"

// Limits of what all parts share.
const (
	maxSigners     = 1024            // unlocked acting keys kept in memory
	NearWindow     = 24 * time.Hour  // near duplicates of one author (api §1.5)
	MaxBodies      = 500             // stubs asked for at once
	ClockWarn      = 5 * time.Minute // off the median of the peers (wire §4)
	clockWarnEvery = time.Minute
	bookTime       = 5 * time.Second        // for one question to the book of shared keys
	followPoll     = 500 * time.Millisecond // between two looks at what other gateways signed
	releaseEvery   = time.Second            // between two looks at what admission withholds
	maxReleased    = 64                     // let go at one look, each with a sync of its own
	roomEvery      = 10 * time.Minute       // between two looks for room for bodies left out
	maxHeldRead    = 1 << 20                // held changes and stubs read from the log at once
	maxBirths      = 65_536                 // agents whose first sight is remembered, 60 bytes each
	MaxMet         = 4096                   // peers whose proofs are remembered
	ProofTerm      = 10 * time.Minute       // of what a hello carries
	MaxBoardEdit   = 24 << 10               // bytes of cards in one edit, far enough below what a chunk may have
)
