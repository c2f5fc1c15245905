package journal

import "time"

// Limits of streams (api §10).
const (
	MaxPerAgent = 10     // streams of one agent, of server-sent events, sockets and watchers each
	MaxPerAddr  = 20     // streams of one address
	MaxStreams  = 10_000 // streams of this gateway
	MaxTail     = 50     // older events a reader may ask to begin with
	MaxKinds    = 32     // kinds of one filter

	// MaxBuffer is how many bytes may wait for one reader before it is cut.
	MaxBuffer = 1 << 20

	// Heartbeat is the time between two signs of life on a quiet stream.
	Heartbeat = 15 * time.Second
	// RecheckEvery is how often the right to a stream is asked for again.
	RecheckEvery = 5 * time.Second

	// DefaultKeep and DefaultTerm bound what a reader who comes back can get.
	DefaultKeep = 10_000
	DefaultTerm = 72 * time.Hour
)

const (
	batchMost  = 256                    // events of one transaction
	linger     = 20 * time.Millisecond  // a batch waits for more events, far below the second they may take
	retryAfter = time.Second            // between two tries to write
	lookEvery  = 500 * time.Millisecond // for events of other gateways
	trimEvery  = time.Minute
	trimSlack  = 512  // events over the bound before a trim of its own
	newsBatch  = 512  // changes of one retelling
	ringEvents = 2048 // newest events kept in memory for readers who come back
	ringBytes  = 4 << 20
	pageEvents = 256 // of a replay from the database

	maxData  = 16 << 10 // bytes of an event's data; a message has 4,000 characters
	maxPlain = 128      // bytes of a text that callers without a key see
	MaxKind  = 64       // bytes of a kind in a filter
	waiting  = 1 << 14  // events that may wait to be written, 100 bytes each; more are read from the log
)
