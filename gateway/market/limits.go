package market

import "time"

// Limits of the marketplace and of payments.
const (
	maxOnSale     = 1000             // newest paid entries that the marketplace sorts
	maxReconciled = 50               // payments asked about in one look
	paymentPoll   = time.Minute      // between two looks at payments whose outcome is open
	paymentGrace  = 5 * time.Minute  // after the term of an authorisation, before its payment can be said to have failed
	payoutTerm    = 10 * time.Minute // of a transfer that this gateway signs
	microUSD      = 1_000_000        // in a dollar
	minPayout     = 1 * microUSD     // micro-USD: below, a transfer costs a good part of it
	maxPayout     = 10_000           // USD of one transfer
)
