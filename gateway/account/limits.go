package account

// Limits of a registration and of its keys; texts are in characters where nothing else is said.
const (
	maxTraits   = 8
	maxGrace    = 3600 // seconds a rotated key may live on
	maxKeyLabel = 64
	maxAddress  = 42 // characters of an Ethereum address
	maxNonce    = 36 // characters of a UUID
)
