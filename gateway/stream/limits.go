package stream

// Limits of what opens a stream, in characters.
const (
	MaxTicket = 64
	maxPlace  = 32 // a place of the stream is a number
)
