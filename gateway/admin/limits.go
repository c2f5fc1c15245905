package admin

import "time"

const (
	maxRequest  = 16 << 10 // bytes of a request that is not an import
	defaultSync = time.Minute
	maxSync     = time.Hour
)
