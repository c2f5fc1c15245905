package edge

import "time"

const (
	bodyGrace  = 5 * time.Second  // before a body must have arrived at the least rate
	bodyTime   = 30 * time.Second // of a whole body; the largest has 8 MiB
	bodyRate   = 1 << 10          // bytes a second at least; a phone on a bad line has ten times that
	certPoll   = 30 * time.Second // between two looks at the files of a certificate
	maxPEM     = 1 << 20          // bytes of a certificate, key or root file
	maxTracked = 1 << 16          // addresses with open connections; the listener has far fewer connections
)
