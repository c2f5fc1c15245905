package account

// Limits of a registration and of its keys; texts are in characters where nothing else is said.
const (
	maxGrace    = 3600 // seconds a rotated key may live on
	maxKeyLabel = 64
	maxAddress  = 42 // characters of an Ethereum address
	maxNonce    = 36 // characters of a UUID
	maxScopes   = 16 // of one key
	maxScope    = 32
	minKeyBegun = 8        // characters of the beginning of a key's id that are looked up, key_ among them
	maxHeadText = 16 << 10 // base64 of the head of a change
	maxBodyText = 96 << 10 // and of its body
)
