package automerge

import (
	"time"

	"github.com/meshd/meshd/crdt/doc"
)

const (
	maxRequest = 2 << 20  // bytes: a full document (256 KiB) and its longest live text (256 KiB) fit
	maxReply   = 64 << 20 // bytes: the longest keys on every operation of a full document fit

	// maxDepth is how deep a value may nest on the wire; documents nest less.
	maxDepth = doc.MaxDepth + 8

	maxMemory   = 512 << 20 // bytes of data of the worker: 0.1 GB bare, 0.25 GB for the largest document
	maxGoMemory = 128 << 20 // bytes of it that Go may fill before it collects harder

	// maxLoaded is how many operations a worker loads before it is replaced.
	// The library's memory hangs on finalizers and is broken into small
	// pieces, so not all of it returns; a new process costs 10 ms.
	maxLoaded = doc.MaxDocOps

	defaultTimeout = 30 * time.Second // one request: a full document loads in 0.1 s, the worst that fits the limits in 5 s
	startTimeout   = 30 * time.Second // from start to ready, on a machine that swaps
	stopTimeout    = 5 * time.Second  // from the end of input to a forced end

	firstDelay = 50 * time.Millisecond // before a restart, doubled with each failure in a row
	lastDelay  = 2 * time.Second       // the longest
)
