package board

import "time"

// Limits of leases and claims.
const (
	taskLease = 15 * time.Minute // a claim lasts (api §10.3)
	leaseLow  = 10 * time.Minute // of it left, below which an active claimant renews it
	touchRest = time.Minute      // between two renewals by calls of one member
	maxStubs  = 256              // looked at for the body of a claim that is missing
)
