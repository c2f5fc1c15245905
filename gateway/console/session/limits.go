package session

import "time"

// Limits of codes and sessions.
const (
	CodeLife   = 60 * time.Second // a code works
	codeMemory = 10 * time.Minute // a code that is over is still distinguished from an unknown one
	maxCodes   = 64               // are remembered, so that minting them takes no memory

	MaxSessions = 16              // at once, of the owner or of one holder
	MaxGuests   = 10000           // at once, of all who signed in to a gateway
	Idle        = 4 * time.Hour   // without a request, after which a session ends
	Longest     = 24 * time.Hour  // that a session lives
	FreshLife   = 2 * time.Minute // after a confirming code, for one act
)
