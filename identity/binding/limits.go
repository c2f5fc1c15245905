package binding

// Sizes of this package.
const (
	// maxText is the longest text of a proof, in bytes: that of a change body,
	// which is what it arrives in.
	maxText = 64 << 10

	// minNonce and maxNonce bound the nonce of a challenge, in bytes: as many as
	// EIP-4361 requires, and more than the 36 of a UUID.
	minNonce, maxNonce = 8, 64

	// maxPow is the largest ticket: the largest integer of a change body.
	maxPow = 1<<53 - 1

	// grindStride is how many hashes pass between two looks at the context:
	// about a millisecond of one slow core.
	grindStride = 4096
	// tellStride is how many hashes pass between two reports, some 50 ms of a slow core.
	reportStride = 1 << 16
)
