package session

import "time"

const (
	// StopWithin bounds a stop: what is not ended by then is cut.
	StopWithin = 10 * time.Second
	// MaxReply bounds one answer in memory, in bytes: a page of a hundred whole
	// entries is far below it.
	MaxReply = 32 << 20
	// MaxText bounds what is read from standard input, in bytes: far over the
	// longest entry, so that the gate says how much too long a text is.
	MaxText = 1 << 20
)
