package cursor

import "time"

const (
	keySize    = 32             // bytes of the node key, at least
	macSize    = 16             // bytes kept of the HMAC: 128 bits against guessing
	MaxText    = 512            // characters of a cursor (api §0.5)
	maxSort    = 256            // bytes of a sort key: a name of 64 four-byte characters
	maxID      = 80             // bytes; the longest id has 56
	issuedStep = time.Hour      // of the time in a cursor
	maxAge     = 48 * time.Hour // cursors promise 24 h; twice that forgives a slow reader
)
