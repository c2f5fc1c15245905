package access

import "time"

const (
	maxPeers     = 3               // replicas a write may wait for
	maxPublicURL = 300             // characters of gateway.public_url that are repeated
	maxIngestLag = 5 * time.Second // of the views, above which nothing more is written
	minSeqWait   = 2 * time.Second // for ?min_seq
)
