package ucan

// Limits of this package, in bytes.
const (
	// MaxCredential is the longest credential that is looked at: a container of
	// UCAN 1.x tokens, the largest of the kinds.
	MaxCredential = 64 << 10

	// MaxRevocation is the longest revocation that is read: a DID, a content id
	// and a signature are under 400.
	MaxRevocation = 1 << 10

	// maxCID is the longest text of a content id: 64 bytes of hash have 110.
	maxCID = 128
)
