package log

import "time"

// Limits of a log. What breaks one is an error of the call and changes nothing.
const (
	// MaxAppend bounds one call of Append, in changes: a batch of the largest
	// ones, 69 KiB each, stays below 300 MB and the writer's lock is held for
	// well under a second.
	MaxAppend = 4096

	// MaxMark is the size of a mark's value in bytes: an idempotent reply fits.
	MaxMark = 64 << 10

	maxMarkKey   = 256      // bytes of a mark's key
	maxCode      = 64       // bytes of a reason code
	memberBytes  = 16 << 20 // bytes of heads of content kinds kept decoded: the past of what arrives now
	controlBytes = 16 << 20 // bytes of changes of control kinds kept decoded: nearly every proof points to one
	keptOverhead = 600      // bytes a decoded head takes beside its raw bytes
	tipsKept     = 16 << 10 // chains whose end is remembered, about 200 bytes each
	maxTwins     = 1 << 12  // ids that At returns of one place; an author may fork a place more often than anyone wants to know
)

// Limits of the engines.
const (
	probeBytes   = 1 << 20                // bytes that must be writable before a full disk counts as usable again
	probeEvery   = 500 * time.Millisecond // a full disk is asked that often; a node must resume within 10 s of room
	cacheDefault = 64 << 20               // bytes of Pebble's block cache when EngineOptions name none
	memTable     = 32 << 20               // bytes: about a second of bulk append, so flushes are few and large
	bloomBits    = 10                     // bits a key: 1 % false positives
)
