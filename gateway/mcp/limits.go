package mcp

import "time"

const (
	maxMessage   = 4 << 20          // bytes of one message
	maxInFlight  = 8                // messages answered at once over pipes; more wait in the pipe
	listTTL      = 60_000           // ms a client may keep the list of tools
	toolPage     = 20               // items of a list, unless the model asks otherwise
	queryPage    = 10               // results of a query
	maxToolPage  = 50               // items a model reads at once
	bridgeTries  = 3                // of an idempotent call
	bridgePause  = time.Second / 2  // before the second try, doubled before the third
	bridgeTime   = 2 * time.Minute  // of one try
	headerTime   = 30 * time.Second // until the other side begins to answer
	maxErrorText = 300              // characters of another server's error that are repeated
)
