package gateway

import "time"

const (
	readHeaderTime = 10 * time.Second  // a client that feeds headers drop by drop is cut
	readTime       = 30 * time.Second  // of a whole request; the largest body has 4 MiB
	writeTime      = 60 * time.Second  // of a whole exchange, above the longest request time-out
	idleTime       = 120 * time.Second // between two requests of a connection
	drainTime      = 5 * time.Second   // for running requests when the node ends, half of what a stop may take
	maxHeaders     = 32 << 10          // bytes of all headers
	maxConns       = 12_288            // connections at once, 10,000 of them streams; more wait in the kernel
	sweepEvery     = time.Minute       // between two rounds of housekeeping
)
