package visit

import "time"

// Limits of what is asked of a gateway.
const (
	requestTime = 150 * time.Second      // above the longest settlement
	askAgain    = 500 * time.Millisecond // between two looks whether another purchase of the same has ended
	otherTime   = 15 * time.Second       // that another purchase of the same is waited for; a settlement may take longer
	longestRate = 10 * time.Second       // that a rate of the gateway is waited for
	tokenTime   = time.Minute            // life of a token for one request
	paymentTime = 5 * time.Minute        // in which a signed payment can be sent
	microUSD    = 1e6
)
