//go:build !unix

package rest_test

import "time"

var processStart = time.Now()

// processorTime is not known here: the process counts as one that is never kept from
// working.
func processorTime() time.Duration { return time.Since(processStart) }
