package host

import "time"

// Defaults and bounds of a host.
const (
	DefaultPort = 4001 // TCP and UDP
	DefaultLow  = 64   // connections kept whatever happens
	DefaultHigh = 128  // connections above which the least useful are trimmed

	maxListen   = 16               // addresses to listen on
	maxAnnounce = 16               // addresses told to peers
	graceTime   = 30 * time.Second // a new connection is not trimmed before: time to be useful
	dialTimeout = 15 * time.Second // for one address, handshakes included
	portTries   = 16               // free TCP ports tried until UDP is free there too

	memoryLimit   = 256 << 20 // bytes libp2p may reserve for buffers
	fileLimit     = 1024      // descriptors for connections
	peerStreams   = 128       // streams with one peer, both ways
	peerInbound   = 64        // of them opened by the peer
	peerMemory    = 16 << 20  // bytes of buffers for one peer
	transientOpen = 64        // connections whose handshake is not done yet
)
