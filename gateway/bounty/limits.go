package bounty

import "time"

const (
	maxReward       = 10_000               // of a bounty, in its currency
	maxLiveClaims   = 5                    // bounties that one agent works on
	minDeadline     = time.Hour            // of a bounty, ahead
	maxDeadline     = 365 * 24 * time.Hour //
	homeWait        = 5 * time.Second      // for the home of a bounty to confirm a step
	bountyPoll      = 30 * time.Second     // between two looks at all bounties whose home is here
	maxToldBounties = 1024                 // bounties that wait to be looked at
	maxRefusedSteps = 1 << 17              // refused steps that are remembered beside the database
	maxTimers       = 4                    // steps that time may bring about in one look
	maxCardText     = 2000                 // characters of the task that a bounty adds
)
