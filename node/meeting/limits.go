package meeting

import "time"

// Limits of meeting.
const (
	MaxUses   = 1000                // newcomers that one invitation is for
	MinTerm   = time.Second         // of an invitation
	MaxTerm   = 90 * 24 * time.Hour // after which addresses are old anyway
	MaxPings  = 100                 // of one command
	maxMade   = 1000                // live invitations of a node
	maxBook   = 8 << 20             // bytes of their file
	keepEnded = 24 * time.Hour      // an invitation that has ended is refused by its own code for so long

	reachTime = 10 * time.Second // until an inviting node is connected
	pingTime  = 5 * time.Second  // until one sign of life
)
