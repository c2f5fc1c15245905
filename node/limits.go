package node

import (
	"time"

	"github.com/meshd/meshd/node/core"
)

const (
	maxOwnBehind    = 2000                                           // own changes that cannot be found yet, from which on their lag counts
	nearSpan        = uint64(core.NearWindow/time.Millisecond) << 10 // the same in logical time
	diskPoll        = time.Second
	purgeBatch      = 256                 // bodies purged while the committer waits
	maxGifts        = 500                 // rows of what one peer gave
	markKept        = 30 * 24 * time.Hour // memory of an idempotency key; the faces remember it for a day
	sweepEvery      = 24 * time.Hour
	exportBatch     = 512              // records read at once for an export
	exportBytes     = 8 << 20          // bytes of them, so that memory stays bounded
	maxExportLine   = 128 << 10        // bytes of a line: the largest head and body in base64, with room
	importBatch     = 256              // changes judged and synced together
	maxImportFaults = 1 << 20          // lines named one by one, 80 bytes each; the rest are counted
	leasePoll       = 30 * time.Second // between two looks at claims that end
	maxChangesBytes = 1 << 20          // bytes of one answer, unless a single change is larger
	maxChangesScan  = 4096             // heads looked at for one answer
	partsPoll       = 5 * time.Second  // between two looks at how the parts are
	partsQuiet      = time.Minute      // without a failure, after which a service that was started again is well
)
