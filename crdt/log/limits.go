package log

// Limits of a log. What breaks one is an error of the call and changes nothing.
const (
	// MaxAppend bounds one call of Append, in changes: a batch of the largest
	// ones, 69 KiB each, stays below 300 MB and the writer's lock is held for
	// well under a second.
	MaxAppend = 4096

	// MaxMark is the size of a mark's value in bytes: an idempotent reply fits.
	MaxMark = 64 << 10

	maxMarkKey   = 256     // bytes of a mark's key
	maxCode      = 64      // bytes of a reason code
	memberBytes  = 1 << 20 // bytes of heads of content kinds kept decoded: the past of what arrives now
	controlBytes = 2 << 20 // bytes of changes of control kinds kept decoded: nearly every proof points to one
	keptOverhead = 600     // bytes a decoded head takes beside its raw bytes
	tipsKept     = 4 << 10 // chains whose end is remembered, about 120 bytes each
	salvageCache = 8 << 20 // bytes of the cache of blocks of a store that is read once
	rewriteBatch = 4 << 20 // bytes that share a sync while a store is written anew
	maxDamaged   = 1 << 16 // damages remembered one by one
	maxWanted    = 1 << 16 // stubs looked at for those that are wanted
	maxTwins     = 1 << 12 // ids that At returns of one place; an author may fork a place more often than anyone wants to know
)
