package v1

// Limits of this package. Each is checked before anything is decoded.
const (
	// MaxContainer is the largest container in bytes, in the form in which it
	// arrives and, when it is compressed, again after that. 20 tokens of usual
	// size are 10 KiB.
	MaxContainer = 64 << 10

	// MaxToken is the largest sealed token in bytes, as for UCAN 0.10.
	MaxToken = 8 << 10

	// MaxTokens is how many tokens a container may contain: one invocation, two
	// chains of the greatest depth would be 21 and nobody has needed them.
	MaxTokens = 20

	// MaxChain is the greatest number of delegations between an invocation and
	// its subject; it bounds the work of a verification.
	MaxChain = 10

	// MaxNesting is how deep lists and maps of a token may lie in one another.
	// Policies are walked recursively.
	MaxNesting = 32

	// MaxPattern is the longest pattern of a like statement in bytes. Matching
	// costs at most its length times that of the text.
	MaxPattern = 512

	// MaxSync is the largest container of a stream proof in bytes: what a hello
	// frame has room for.
	MaxSync = 8 << 10

	// MaxSyncTerm is how far ahead of the verifier's clock a stream proof may
	// end, in seconds. A proof is made for one connection.
	MaxSyncTerm = 600

	// maxMemo is how many tokens a Memo keeps: 8 MiB at the very most.
	maxMemo = 1024

	nonceSize    = 16 // of the tokens made here, in bytes
	minNonce     = 12 // of the tokens read here; go-ucan's own rule
	minTermStart = 0  // seconds; a time before 1970 is a mistake
	maxTime      = 1<<53 - 1
)
