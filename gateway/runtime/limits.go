package runtime

import "time"

// Limits of hosted runs.
const (
	maxRuns        = 32               // hosted runs that are alive
	maxRunsOfOne   = 4                // of one owner
	runLife        = 10 * time.Minute // of a run that nobody asks for
	runTime        = 5 * time.Second  // of work on a run in one request
	maxStepMillis  = 10_000           // of simulated time in one request
	maxStepEvents  = 100              // in one request
	maxEventName   = 128              // bytes
	maxRunInputs   = 1000             // step requests that the log of a run has room for
	maxRunInput    = 256 << 10        // bytes of events in it
	maxStateShown  = 1000             // keys of a run's state in a reply
	maxStateHashed = 1 << 20          // bytes of the state that a reply hashes
	treeHz         = 60               // steps of a second, between which a tree is ticked
	maxTreeTicks   = 10_000           // of one request
	maxTreeTrace   = 2000             // visits, and effects, that one reply shows
	maxTreeNodes   = 1000             // of a tree as JSON
	maxTreeSeconds = 86_400           // of a wait, cooldown or timeout of such a tree
	maxBlackboard  = 64 << 10         // bytes
	maxPlayTicks   = 36_000           // of a play that is run again: ten minutes at 60 a second
)

// MaxPlayInput is the bytes of the inputs of a play that is run again.
const MaxPlayInput = maxRunInput
