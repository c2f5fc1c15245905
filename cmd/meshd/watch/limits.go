package watch

import "time"

const (
	// maxEventLine bounds one line of a stream of events, in bytes: an event with
	// the longest message is far below it.
	maxEventLine = 256 << 10
	// watchPause is how long a watch waits before it connects again, and
	// maxWatchPause what that grows to while there is no node.
	watchPause    = 250 * time.Millisecond
	maxWatchPause = 8 * time.Second
)
