package engine

import "time"

// Limits of the engines.
const (
	probeBytes   = 1 << 20                // bytes that must be writable before a full disk counts as usable again
	probeEvery   = 500 * time.Millisecond // a full disk is asked that often; a node must resume within 10 s of room
	cacheDefault = 8 << 20                // bytes of Pebble's block cache when Options name none; as Pebble has it by default
	memTable     = 4 << 20                // bytes, outside of the heap, of which up to three lie about; as Pebble has it by default
	stopWrites   = 64                     // layers of tables in level 0 at which writes wait: so much may lie there while a damaged one cannot be compacted
	bloomBits    = 10                     // bits a key: 1 % false positives
	walAhead     = memTable / 10 * 11     // bytes that Pebble takes at once for each write-ahead log
	maxCompacted = 128 << 20              // bytes that one compaction writes before it deletes; more is a rare backlog
	levelAhead   = 64 << 20               // bytes: two journals of 4 MiB, and 25 tables of 2 MiB of a compaction
	maxKey       = 128                    // bytes of a key that the search for the end of a damaged range looks at
	resumeChars  = 12                     // of these, beyond those that the end has in common with the beginning: 60 bits
)
