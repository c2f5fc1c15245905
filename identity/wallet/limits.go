package wallet

// Sizes of this package, in bytes unless said.
const (
	SecretSize    = 32 // a stored secp256k1 secret
	SignatureSize = 65 // r ‖ s ‖ v
)
