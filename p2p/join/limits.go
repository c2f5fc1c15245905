package join

import "time"

// Limits of the protocol.
const (
	maxFrame      = 2 << 10 // bytes of a request or answer
	maxCode       = 64      // characters of an invitation, bytes of a reason code or role
	maxText       = 300     // characters that a refusal says
	maxPeers      = 64      // asked for one request
	atOnce        = 8       // of them at a time
	maxServing    = 32      // requests answered at a time
	perPeer       = 2       // of them by one peer
	perPeerNonces = 64      // remembered of one peer
	maxNonces     = 4096    // remembered; above, nobody is admitted until some are old
	maxSkew       = 5 * time.Minute
	requestTime   = 10 * time.Second // of one exchange
)
