package agent

import "time"

const (
	// maxSecretFile bounds a file with an exported key or a recovery key, in bytes:
	// five short lines; the longest is the public half of a post-quantum key.
	maxSecretFile = 8 << 10
	// maxPublic is how much of a public key a list for people shows, in characters: all
	// but that of a post-quantum key.
	maxPublic = 64
	// maxAhead is how far ahead of this clock a gateway's time may be.
	maxAhead = 10 * time.Minute
)
