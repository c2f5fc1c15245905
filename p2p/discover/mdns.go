package discover

import (
	"fmt"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/discovery/mdns"
)

// startMDNS announces this node in the local network and reports others of the
// same network; stop ends both.
func (s *Service) startMDNS() (stop func(), err error) {
	// A service name has 15 characters at most (RFC 6763 §7.2).
	name := fmt.Sprintf("_mesh-%x._udp", s.cfg.Net[:4])
	m := mdns.NewMdnsService(s.host, name, s)
	if err := m.Start(); err != nil {
		return nil, fmt.Errorf("start mdns: %w", err)
	}
	return func() { _ = m.Close() }, nil
}

// HandlePeerFound is called by mDNS for each peer it finds.
func (s *Service) HandlePeerFound(info peer.AddrInfo) {
	select {
	case s.found <- info:
	default:
	}
}
