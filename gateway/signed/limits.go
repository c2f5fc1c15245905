package signed

import "time"

// Skew is how far the time of a signature may be from the server's (api §10).
const Skew = 300 * time.Second

const (
	maxHeader     = 8 << 10 // bytes of Signature and of Signature-Input
	maxComponents = 32
	maxNonce      = 128
)
