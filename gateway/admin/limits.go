package admin

import "time"

// Limits of a request of the owner's socket.
const (
	maxRequest  = 16 << 10  // bytes of a request that is neither an import nor a list of files
	maxManifest = 256 << 10 // bytes of one: 128 gateways with the longest names, 64 labelers and addresses
	maxBought   = 128 << 10 // of a paid entry, at most 4,000 characters with its evidence
	defaultSync = time.Minute
	maxSync     = time.Hour
)
