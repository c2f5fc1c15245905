package pay

import "time"

const (
	maxHeader    = 8 << 10  // bytes of a payment after base64; ours have about 1 KiB
	maxSignature = 4 << 10  // bytes; a contract wallet's may carry how it is deployed
	maxReply     = 64 << 10 // bytes of a facilitator's answer; they have a few hundred
	maxReason    = 64       // characters of a facilitator's reason that are repeated
	maxHash      = 128      // characters of a transaction

	// InMemoryBelow is the amount, in millionths of a dollar, from which a
	// payment goes over the chain. Below, a fee there would be more than the price.
	InMemoryBelow = 100_000

	// Timeout is the time that a client is given to pay, as offers state it.
	Timeout = 60 * time.Second
	// maxWindow is how much of an authorisation's term may be left. A longer one
	// would have to be kept from being used for as long.
	maxWindow = time.Hour
	// margin is what must be left of it: one about to end would be refused on chain.
	margin = 6 * time.Second

	verifyTime = 5 * time.Second
	settleTime = 30 * time.Second
)
