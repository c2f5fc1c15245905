package passport

// Sizes of this package.
const (
	// MaxPassport is the longest passport in any form, in bytes.
	MaxPassport = 1 << 20
	// MaxDelegation is how many tokens lead from the agent to its root: the
	// longest chain that capability checks follow.
	MaxDelegation = 10
	// MaxHead is the longest name of a state's head, in bytes.
	MaxHead = 128
	// MaxHostDocument is the longest DID document of a host, in bytes.
	MaxHostDocument = 64 << 10
	// maxHostMethods is how many methods such a document may have, of which each key
	// costs a point decompression.
	maxHostMethods = 64
	// maxDID is the longest issuer or verification method, in bytes: a host of
	// 253 with a path.
	maxDID = 1024
	// maxTime is the last moment of the year 9999, in ms: RFC 3339 ends there.
	maxTime = 253402300799999
	// maxCount bounds counts and sizes: what every JSON reader represents exactly.
	maxCount = 1<<53 - 1
	// maxRatio is the largest ratio, in hundredths.
	maxRatio = 1e15
)
