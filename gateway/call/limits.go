package call

import "crypto/sha256"

// Limits that several rooms share.
const (
	MaxIDText       = 128             // bytes of an id, DID or name in a path
	MaxSHA256       = 2 * sha256.Size // hex digits of a hash
	MaxFilter       = 200             // characters of a text filter
	MaxDomains      = 5               // domains of one selection
	PreviewEntries  = 5               // beside a quickstart
	SampleChars     = 150             // of a sample's content
	TopDomains      = 10              // of the overview
	LeadersShown    = 20
	MaxBio          = 500 // characters, as for all of the page
	MaxURL          = 500
	MaxTrait        = 48
	MaxSurface      = 32
	MaxPrice        = 1000 // USD
	MaxSignature    = 256  // characters; the longest that is read has 132
	MaxBountyReason = 1000 // characters
	MaxArbiters     = 10   // agents that a team names
	MaxReason       = 300  // of a mode, and of what an admin does
	DefaultPriority = 5
)
