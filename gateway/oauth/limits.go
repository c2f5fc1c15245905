package oauth

import "time"

const (
	leeway       = 30 * time.Second // how far the clocks of issuer and gateway may differ
	fetchTime    = 5 * time.Second  // of a key set, with everything
	refreshAfter = time.Hour        // so that a key which its issuer has withdrawn ends
	retryAfter   = time.Minute      // between two requests for a key set, whatever tokens say
	staleAfter   = 24 * time.Hour   // for how long keys are valid that cannot be fetched again
)
