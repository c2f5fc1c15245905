package team

import "time"

// Limits of teams.
const (
	maxFollowed = 64             // teams followed by hand, and agents remembered of one peer
	lentTerm    = 24 * time.Hour // of an agent's delegation to the key of its node
	maxBanned   = 500            // agents that one team keeps out
)
