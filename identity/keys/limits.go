package keys

// Sizes of this package, in bytes unless said.
const (
	SeedSize        = 32   // a stored secret: Ed25519 (RFC 8032) and ML-DSA-65 (FIPS 204) alike
	SignatureSize   = 64   // Ed25519
	PQKeySize       = 1952 // ML-DSA-65 public key, the pq of a binding
	PQSignatureSize = 3309 // ML-DSA-65, the sig2 of a change

	// maxPending is how many signatures a Batch holds before it verifies them. It
	// bounds the memory of one that never ends; what a longer batch would gain a
	// signature is little beside the gain of the first hundred.
	maxPending = 256
)
