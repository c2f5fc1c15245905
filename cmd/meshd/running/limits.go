package running

import "time"

const (
	// maxDevnet bounds the nodes of one process, so that the ports of the API
	// and those of the peers do not meet.
	maxDevnet   = 100
	devnetPorts = 100 // from the API's ports to those of the peers
	// doctorTime bounds what doctor waits for the running node.
	doctorTime = 10 * time.Second
)
