package escrow

import "time"

// Limits of what the home of bounties does.
const (
	maxLiveClaims      = 5                // bounties that one agent works on
	bountyPoll         = 30 * time.Second // between two looks at all bounties whose home is here
	maxChangedBounties = 1024             // bounties that wait to be looked at
	maxRefusedSteps    = 1 << 17          // refused steps that are remembered beside the database
	maxTimers          = 4                // steps that time may bring about in one look
)
