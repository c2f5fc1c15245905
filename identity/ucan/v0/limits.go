package v0

// Limits of this package.
const (
	// MaxToken is the longest token read or built, in bytes of its text.
	MaxToken = 8 << 10

	// MaxProofs is how many proofs one token may cite.
	MaxProofs = 8

	// MaxDepth is how many links a chain may have unless a Check says less: it
	// bounds a cold verification to a few milliseconds.
	MaxDepth = 10

	// MaxTokens is how many different tokens one verification looks at, the
	// outermost included. A chain that is as wide as it may be at every level
	// but shares its tokens has 81.
	MaxTokens = 128

	// maxSteps bounds the comparisons of one verification. An honest chain of
	// ten links with twenty rights each takes 4,000; a web of tokens made to
	// multiply reaches any number. It is part of the rules: the answer is the
	// same on every node.
	maxSteps = 1 << 18

	// maxAuthorities bounds what reserved resources expand to.
	maxAuthorities = 1024

	// MaxCollection is the longest collection or header of proofs read, in
	// bytes: as many tokens as one verification looks at, an eighth of them of
	// full length.
	MaxCollection = 128 << 10

	// maxText is the longest DID, resource or ability, in bytes: what fits
	// beside a signature in a token has no more room for two.
	maxText = 2 << 10

	// maxVersion is the longest version, in bytes.
	maxVersion = 64

	// maxTime is the largest time in seconds either way: 2^53-1, the largest
	// integer that every JSON reader represents exactly.
	maxTime = 1<<53 - 1

	// nonceSize is how many random bytes the builder puts into a nonce.
	nonceSize = 16
)
