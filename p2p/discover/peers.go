package discover

import (
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
)

// Peer is what is known of a peer now.
type Peer struct {
	ID        peer.ID
	Addrs     []ma.Multiaddr // of its record or of the configuration
	Roles     []string       // of its record
	Sets      []string       // of its record; none means all public ones
	Expires   time.Time      // of its record; zero: no record
	Bootstrap bool           // configured
	Connected bool
}

// Peers lists configured peers, known ones and all that are connected, by id.
func (s *Service) Peers() []Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.expire(s.cfg.Now())
	byID := make(map[peer.ID]*Peer)
	at := func(id peer.ID) *Peer {
		if byID[id] == nil {
			byID[id] = &Peer{ID: id, Connected: s.connected(id)}
		}
		return byID[id]
	}
	for _, id := range s.host.Network().Peers() {
		at(id)
	}
	for _, b := range s.static {
		p := at(b.info.ID)
		p.Bootstrap, p.Addrs = true, slices.Clone(b.info.Addrs)
	}
	for id, e := range s.known.byPeer {
		p := at(id)
		p.Addrs, p.Roles, p.Sets, p.Expires = slices.Clone(e.rec.Addrs), slices.Clone(e.rec.Roles), slices.Clone(e.rec.Sets), e.expires
	}
	list := make([]Peer, 0, len(byID))
	for _, p := range byID {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Peer) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return list
}

func (s *Service) sortedKnown() []peer.ID {
	ids := make([]peer.ID, 0, len(s.known.byPeer))
	for id := range s.known.byPeer {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
