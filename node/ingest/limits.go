package ingest

import "time"

const (
	maxQueued   = 256       // requests that wait for the committer; more block the caller
	maxTogether = 256       // requests that share one sync
	maxBatch    = 256       // changes after which a batch takes no more requests, and shares one sync: bounds memory and latency
	clockAhead  = 15 * 60e3 // ms a change may lead our clock (wire §4)

	maxDeferred      = 10_000   // changes that wait for their past (wire §13)
	maxDeferredBytes = 16 << 20 // bytes of them
	maxPerPeer       = maxDeferred / 4
	deferredFor      = 10 * time.Minute

	maxFollowed = 256                    // changes of other processes that are taken in at once
	turnTime    = 15 * time.Second       // for everything that a turn to sign needs
	stayEvery   = 200 * time.Millisecond // between two words that a turn goes on
	turnTries   = 3                      // turns that are asked for when one was lost before anything was recorded

	maxRefused = 65_536 // hashes of refused bytes (wire §13)
	refusedFor = 10 * time.Minute
)
