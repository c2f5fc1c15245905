package topic

import "time"

// MaxMessage bounds a topic message in bytes; a change above it travels as a
// stub and its body is pulled. The library's own default is 1 MiB.
const MaxMessage = 16 << 10

const (
	maxRPC        = 32 << 10        // bytes of one pubsub frame: a message and control beside it
	maxIHave      = 1000            // ids in one advertisement: 18 kB, below maxRPC
	maxSubs       = 512             // subscriptions in one frame: 256 shards, on and off
	outboundQueue = 32              // frames waiting for one peer; full: dropped. 32 × maxRPC = 1 MiB
	validateQueue = 256             // messages waiting for a verdict; full: ignored
	maxVerdicts   = 128             // verdicts under way, each topic and in all; full: ignored
	maxFetches    = 16              // bodies being pulled, in all; full: ignored
	peerFetches   = 2               // of them from one peer, so that none can take them all
	fetchTime     = 5 * time.Second // for the body of a stub, then ignored
	joinedQueue   = 64              // newly subscribed peers not yet reported; full: dropped
	meshDegree    = 6               // peers a message is sent on to
)
