package repair

import "time"

const (
	fetchBatch = 256              // changes asked for at once
	maxNamed   = 1000             // ids in a report; the rest are counted
	firstPause = 15 * time.Second // until what is left is asked for again, doubling
	lastPause  = time.Hour        // at the most
)
