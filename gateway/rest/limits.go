package rest

import "time"

const (
	maxMCPBody = 4 << 20 // bytes of an MCP message
	minRequest = 8       // characters of a request id that is taken over
	maxRequest = 64

	maxLoggedPath = 256 // bytes of a path in a log line

	slowRequest = 2 * time.Second // a request that takes longer is logged at info

	timeStream = time.Minute // a stream of MCP is open; clients come again

	retryTime       = 5 * time.Second  // before a client of a stream comes back
	streamWriteTime = 30 * time.Second // for what is sent at once on a stream; who reads nothing for so long has gone

	maxFrame        = 64 << 10         // bytes of a frame of a socket
	frameRoom       = 1 << 10          // of it for what is around a reply
	maxFrameDepth   = 32               // nesting of a frame
	maxFrameText    = 128              // bytes of an id, type or target
	maxTargets      = 50               // of one frame
	maxCalls        = 4                // of one socket at once
	frameRate       = 50               // frames a second of one client
	frameBurst      = 200              // and at once: the candidates of a connection come in a bunch
	authTime        = 5 * time.Second  // for the frame auth
	socketHeartbeat = 30 * time.Second // either way; who misses two has gone

	keptTime     = time.Second // a reply is sent again while the log stands still
	maxKeptQuery = 512         // bytes of a question that is remembered
	maxKeptReply = 256 << 10   // bytes of one reply
	maxKeptBytes = 16 << 20    // of all; then all are forgotten
	keptOverhead = 512         // bytes of a reply's headers and its place, about

	sharedAge = 30  // seconds the overview, feed, directory and guilds may be kept
	corsAge   = 600 // seconds a browser remembers a preflight

)
