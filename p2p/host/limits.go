package host

import "time"

// Defaults and bounds of a host.
const (
	DefaultPort = 4001 // TCP and UDP
	DefaultLow  = 64   // connections kept whatever happens
	DefaultHigh = 128  // connections above which the least useful are trimmed

	maxListen   = 16               // addresses to listen on
	maxAnnounce = 16               // addresses announced to peers
	graceTime   = 30 * time.Second // a new connection is not trimmed before: time to be useful
	dialTimeout = 15 * time.Second // for one address, handshakes included
	portTries   = 16               // free TCP ports tried until UDP is free there too

	relaysKept   = 2               // relays that a host behind a router asks for a place
	relayBoot    = 5 * time.Second // that long it waits for more than one to choose from
	relayLook    = 5 * time.Second // between two looks at which peers relay
	relayBackoff = time.Minute     // after a relay that refused
	relayCheck   = 5 * time.Second // between two pings of a relay in use
	relaySilence = 4 * time.Second // a relay that does not answer for so long is replaced

	memoryLimit   = 256 << 20 // bytes libp2p may reserve for buffers
	fileLimit     = 1024      // descriptors for connections
	peerStreams   = 128       // streams with one peer, both ways
	peerInbound   = 64        // of them opened by the peer
	peerMemory    = 16 << 20  // bytes of buffers for one peer
	addressConns  = 32        // connections with one IPv4 address or /56, calls it relays among them
	addressRate   = 2         // new ones a second
	addressBurst  = 64        // new ones at once after a quiet time
	transientOpen = 64        // connections whose handshake is not done yet
)
