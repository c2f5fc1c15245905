package control

import "time"

const (
	// readHeaderTimeout is generous: the caller is on this machine.
	readHeaderTimeout = 10 * time.Second
	// idleTimeout keeps the connection of an interactive client for a while.
	idleTimeout = 120 * time.Second
	// shutdownGrace leaves half of the 10 s a node has to end to everything else.
	shutdownGrace = 5 * time.Second
	// dialTimeout bounds the wait for a local process to accept.
	dialTimeout = 5 * time.Second
	// maxHeaderBytes is the limit of every listener of the node.
	maxHeaderBytes = 32 << 10
	// maxSocketPath is what every system we run on takes: sun_path has 104 bytes
	// on macOS and 108 on Linux, the last a zero.
	maxSocketPath = 103
	// maxRecord bounds what is read of the record: a path and a line feed.
	maxRecord = maxSocketPath + 1
)
