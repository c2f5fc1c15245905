package events

const (
	// MaxBuffer bounds how many events wait for one subscriber. At about 100
	// bytes each this is 6 MiB for a subscriber that has stopped reading.
	MaxBuffer = 1 << 16
	// DefaultBuffer is what a buffer of 0 means: some seconds of a busy node.
	DefaultBuffer = 256
)
