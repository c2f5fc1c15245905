package people

import (
	"encoding/base64"
	"time"

	"github.com/meshd/meshd/identity/passport"
)

// Limits of lists of agents, and how long what they say is true.
const (
	recentOfAgent = 20 // contributions beside an agent
	maxPeerList   = 100
	shortTraits   = 5               // of an agent in a short list
	snapshotLife  = 2 * time.Second // of who is where, as lists show it
	presenceTTL   = 300             // seconds
	signatureText = 86              // characters of an Ed25519 signature in base64url
)

// Limits of a passport that is shown here.
const (
	maxPlaceProof = 64  // hashes: a tree of 2^64 entries
	maxDetail     = 300 // characters of what a check says
)

// Sizes of a passport that is shown here.
var (
	// maxPassportText is the characters of the longest passport, in base64url.
	maxPassportText = base64.RawURLEncoding.EncodedLen(passport.MaxPassport)
	// maxPassportBody is the bytes of a request with it, a DID document and a place.
	maxPassportBody = int64(maxPassportText + passport.MaxHostDocument + maxPlaceProof*128)
)
