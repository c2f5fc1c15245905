package siwe

// Limits of a text, in bytes where no unit stands beside them.
const (
	// maxText is the longest text read: that of a change body, which is the largest
	// thing such a text can arrive in.
	maxText = 64 << 10

	// maxResources bounds the resources of a text; ours have two.
	maxResources = 32

	// minNonce is EIP-4361's; maxNonce is what its readers commonly allow.
	minNonce, maxNonce = 8, 128
)
