package access

import "time"

// Limits of waiting and of what is repeated of a configuration.
const (
	maxPeers     = 3               // replicas a write may wait for
	maxPublicURL = 300             // characters of gateway.public_url that are repeated
	maxIngestLag = 5 * time.Second // of the views, above which nothing more is written
	minSeqWait   = 2 * time.Second // for ?min_seq
)
