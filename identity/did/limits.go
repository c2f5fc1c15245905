package did

// Sizes of this package.
const (
	// KeySize is the length of a Key in bytes: the multicodec prefix ed01 and a
	// 32-byte Ed25519 public key.
	KeySize = 34

	// MaxChain is the largest CAIP-2 chain number: 2^53-1, the largest integer
	// that every JSON reader represents exactly.
	MaxChain = 1<<53 - 1

	// maxText is the longest DID text read, in bytes. A did:key has 57 and a
	// did:pkh at most 74; base58 decoding is quadratic, so more is refused first.
	maxText = 128
)
