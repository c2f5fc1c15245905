package keys

import "time"

// Sizes of this package, in bytes unless said.
const (
	SeedSize        = 32   // a stored secret: Ed25519 (RFC 8032) and ML-DSA-65 (FIPS 204) alike
	SignatureSize   = 64   // Ed25519
	PQKeySize       = 1952 // ML-DSA-65 public key, the pq of a binding
	PQSignatureSize = 3309 // ML-DSA-65, the sig2 of a change

	// maxPending is how many signatures a Batch collects before it verifies them. It
	// bounds the memory of one, to 275 kB while it verifies; a longer one gains nothing
	// a signature.
	maxPending = 64

	// MaxKeyVersions is how many keys a set may have had: a monthly rotation for
	// ten years. It bounds what a stranger's set costs to check.
	MaxKeyVersions = 120
	// MaxKeySet is the longest text of a set, over MaxKeyVersions with room for
	// white space.
	MaxKeySet = 2 << 20
	// MaxKeySetName bounds the name of a set.
	MaxKeySetName = 128
	// maxPosition is the last position at which a key may begin, in ms: what
	// every JSON reader represents exactly, less the grace.
	maxPosition = 1<<53 - 1 - int64(Grace/time.Millisecond)
	// maxEnvelope bounds the JSON of the two signatures of a hybrid key: 4,699
	// characters of base64url, and names.
	maxEnvelope = 8 << 10
)
