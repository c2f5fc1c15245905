package bounty

import "time"

// Limits of a bounty.
const (
	maxPriority = 10                   // of the task that a bounty adds: the one below it on a board
	maxSplit    = 99                   // percent
	maxReward   = 10_000               // of a bounty, in its currency
	minDeadline = time.Hour            // of a bounty, ahead
	maxDeadline = 365 * 24 * time.Hour // the same
	homeWait    = 5 * time.Second      // for the home of a bounty to confirm a step
	maxCardText = 2000                 // characters of the task that a bounty adds
)
