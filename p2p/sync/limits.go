package sync

import (
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// Limits of frames, all of wire §16 unless a line says otherwise. A frame that
// breaks one is bad_encoding, and the sender is scored.
const (
	maxFrame    = 256 << 10      // bytes of type and payload
	maxUnpacked = 1 << 20        // bytes of changes unpacked
	maxSets     = 256            // in hello
	maxAgent    = 64             // characters in hello
	maxProof    = 16 << 10       // bytes in hello; ours: a token is ≤ 8 KiB and has one delegation beside it
	maxSetName  = 80             // bytes; ours: that of a space
	maxWant     = 1000           // ids in want, and so in gone
	maxPull     = 4096           // changes a pull requests
	maxRange    = recon.MaxFrame // bytes of one range message
	maxHave     = 100            // ids in have
	maxSpaces   = 64             // in filter
	maxCode     = 64             // bytes in error; ours: codes are short words
	maxItems    = 8192           // changes in a frame; ours: 1 MiB takes fewer heads than that
	maxWindow   = 8 << 20        // bytes of a zstd window; ours: what common compressors use by default
)

// Limits of a session.
const (
	maxRounds   = 32              // range messages a set (wire §16)
	sketchBelow = 4096            // difference of counts from which a sketch is not tried (wire §16)
	pullRatio   = 4               // counts further apart than this are pulled (wire §16)
	maxLatest   = 1000            // changes of the last minutes that come before a pull of many pages
	maxPush     = 1 << 16         // changes pushed in one set and pass; the rest is for the next one
	maxNeed     = 1 << 16         // ids wanted in one set and pass; the rest is for the next one
	maxFiltered = 200_000         // ids a filter may select; above: busy (wire §16)
	loadChunk   = 128             // changes read from the replica at once: 9 MiB when all are of the largest size
	packTarget  = 512 << 10       // bytes a changes frame gathers before it is packed: text halves at least
	runBudget   = 240 << 10       // bytes of one run in a frame: fits unpacked, and 257 heads without bodies do
	maxPast     = 8               // rounds of asking for missing causal past in one session
	maxEvidence = change.MaxRun   // changes that may come with one asked for, to prove it
	busyRetry   = 5 * time.Second // given to a peer that finds us busy
	maxRetry    = 5 * time.Minute // longest that a busy peer can make us wait
)

// Times of a session. A peer slower than these is cut.
const (
	latestTime = 10 * time.Minute // how long ago what comes before a pull of many pages was said, at most
	frameTime  = 30 * time.Second // for one whole frame to come or to leave
	graceTime  = 30 * time.Second // beyond SessionTime, to end an exchange that is under way
	openTime   = 10 * time.Second // to open a stream
	slotTime   = time.Second      // for the end of a peer's last session to arrive before it is answered busy
)

// Limits of a Service.
const (
	defaultInterval = 30 * time.Second // between passes; jitter adds up to as much again (wire §16)
	defaultSessions = 8                // in all (wire §16)
	defaultTime     = time.Minute      // of one session (wire §16)
	passPeers       = 2                // random peers at each interval (wire §16)
	peerStreams     = 4                // open streams of one peer; more are closed: a pass and two fetches fit
	maxStreams      = 64               // open streams of all peers; 16 MiB of frames when all are full
	maxQueued       = 1000             // ids to be asked of one peer; more are for the next pass
	maxWorkers      = 256              // peers with work waiting; more are for the next interval
	maxCursors      = 64               // pulls to be continued; the oldest is forgotten
	maxAgain        = 64               // sessions in a row that a pass is continued with
	openRetry       = time.Second      // before a session that could not be opened is tried again, then twice that and so on
	maxOpenRetry    = 4 * time.Second  // the last of these waits; after it the next interval has to do
	busyTries       = 3                // times that work waits for a busy peer before it is dropped
)
