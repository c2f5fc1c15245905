package people

import "time"

// Limits of lists of agents, and how long what they say is true.
const (
	recentOfAgent = 20 // contributions beside an agent
	maxPeerList   = 100
	shortTraits   = 5               // of an agent in a short list
	snapshotLife  = 2 * time.Second // of who is where, as lists show it
	presenceTTL   = 300             // seconds
	signatureText = 86              // characters of an Ed25519 signature in base64url
)
