package invite

import "time"

// Limits of a line, and of the protocol by which a node takes it up.
const (
	MaxAddrs    = 8       // addresses of the inviting node in a line
	MaxOthers   = 8       // addresses of other peers in it
	maxAddrSize = 128     // bytes of one
	maxLine     = 8 << 10 // characters of a line
	maxBody     = 4 << 10 // bytes that are signed
	maxInviteID = 16      // bytes of the number of an invitation
	maxTicket   = 96      // characters of the code of a guild's invitation
	MaxMachine  = 64      // characters by which a machine calls itself

	maxExchange  = 1 << 10 // bytes of a request or an answer
	maxAtOnce    = 16      // requests answered at a time
	exchangeTime = 8 * time.Second
)
