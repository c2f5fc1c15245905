package gateway

import "time"

const (
	readHeaderTime = 10 * time.Second  // a client that feeds headers drop by drop is cut
	writeTime      = 60 * time.Second  // of a whole exchange, above the longest request time-out
	idleTime       = 120 * time.Second // between two requests of a connection
	pingTime       = time.Second       // the database has to answer a health check
	pingEvery      = time.Second       // between two such questions
	drainTime      = 5 * time.Second   // for running requests when the node ends, half of what a stop may take
	maxHeaders     = 32 << 10          // bytes of all headers
	maxConns       = 12_288            // connections at once, 10,000 of them streams; more wait in the kernel
	maxStreams     = 128               // requests at once in an HTTP/2 connection
	sweepEvery     = time.Minute       // between two rounds of housekeeping
)

// defaultPerAddress is the number of connections that one address may have open
// in the public role, when the owner did not choose: twenty streams, and a
// browser or two.
const defaultPerAddress = 128

// strictTransport is a year, without names below ours, which are not ours to
// bind.
const strictTransport = "max-age=31536000"
