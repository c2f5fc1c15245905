package wallet

// Sizes of this package, in bytes unless said.
const (
	SecretSize    = 32 // a stored secp256k1 secret
	SignatureSize = 65 // r ‖ s ‖ v

	// maxText is the longest SIWE text read: that of a change body, which is
	// the largest thing such a text can arrive in.
	maxText = 64 << 10

	// maxResources bounds the resources of a SIWE text; ours have two.
	maxResources = 32

	// minNonce is EIP-4361's; maxNonce is what its readers commonly allow.
	minNonce, maxNonce = 8, 128
)
