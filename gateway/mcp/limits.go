package mcp

import "time"

const (
	maxMessage     = 4 << 20          // bytes of one message
	maxInFlight    = 8                // messages answered at once over pipes; more wait in the pipe
	listTTL        = 60_000           // ms a client may keep the list of tools
	bridgeTries    = 3                // of an idempotent call
	bridgePause    = time.Second / 2  // before the second try, doubled before the third
	bridgeTime     = 2 * time.Minute  // of one try
	headerTime     = 30 * time.Second // until the other side begins to answer
	maxVariable    = 200              // characters of a variable in a resource's URI, as long as a completion
	maxToken       = 256              // bytes of a progress token
	maxDraft       = 8000             // characters of a draft or task in a prompt
	maxWord        = 64               // characters of a domain or type in a prompt
	listPage       = 50               // feeds in a page of the list of resources
	tablePage      = 100              // rows in a page of the lists of tools, prompts and resources; some clients read one page only
	maxListText    = 25_000           // bytes of a list for a model, with the fences of its texts
	maxItemText    = 2000             // characters of a text of an item, once a list is too long; halved until it fits
	minItemText    = 60               // the least of these
	maxSuggestions = 100              // values of a completion, as the protocol says
	progressPace   = time.Second      // between two notices of progress
	stateLife      = 10 * time.Minute // of a call that asks back, between two rounds
	maxSessionID   = 256              // characters of the session of another server
	maxState       = 256              // bytes of a state
	sessionLife    = 10 * time.Minute // of a session that the conformance suite leaves behind
	maxWatched     = 50               // resources of one stream of changes
	maxListening   = 4                // streams of changes over one pipe, of the messages answered at once
	messageTime    = 15 * time.Second // of one message over HTTP, unless it is a stream of changes
	pushTime       = 30 * time.Second // until a client takes what is written to a stream
	maxErrorText   = 300              // characters of another server's error that are repeated
)
