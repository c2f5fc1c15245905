package admin

import "time"

// Limits of a request of the owner's socket.
const (
	maxRequest  = 16 << 10 // bytes of a request that is neither an import nor a list of files
	defaultSync = time.Minute
	maxSync     = time.Hour
)
