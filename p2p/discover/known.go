package discover

import (
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
)

// entry is a valid record, and how reaching its peer went.
type entry struct {
	rec     *Record
	addrs   []ma.Multiaddr // of rec, those this node may use
	via     peer.ID        // who brought it
	expires time.Time
	try     *attempt // kept when a newer record comes
}

// known are the valid records: the newest of each peer, maxKnown in all.
// A peer that brings many records has its own replaced first, so that one peer cannot
// crowd out what others brought.
type known struct {
	byPeer map[peer.ID]*entry
	byVia  map[peer.ID]int
}

func newKnown() known {
	return known{byPeer: make(map[peer.ID]*entry), byVia: make(map[peer.ID]int)}
}

// put keeps e unless a record as new is here.
func (k *known) put(id peer.ID, e *entry, now time.Time) bool {
	old := k.byPeer[id]
	switch {
	case old != nil && now.Before(old.expires):
		if old.rec.Seq >= e.rec.Seq {
			return false
		}
		e.try = old.try
		k.drop(id)
	case old != nil:
		k.drop(id)
	case len(k.byPeer) >= maxKnown:
		k.expire(now)
		if len(k.byPeer) >= maxKnown {
			k.makeRoom()
		}
	}
	k.byPeer[id] = e
	k.byVia[e.via]++
	return true
}

func (k *known) drop(id peer.ID) {
	e := k.byPeer[id]
	delete(k.byPeer, id)
	if k.byVia[e.via]--; k.byVia[e.via] == 0 {
		delete(k.byVia, e.via)
	}
}

func (k *known) expire(now time.Time) {
	for id, e := range k.byPeer {
		if !now.Before(e.expires) {
			k.drop(id)
		}
	}
}

// makeRoom drops the record that ends first among those of the peer that
// brought most.
func (k *known) makeRoom() {
	var most, first peer.ID
	for p, n := range k.byVia {
		if n > k.byVia[most] || n == k.byVia[most] && p < most {
			most = p
		}
	}
	for id, e := range k.byPeer {
		if e.via != most {
			continue
		}
		if f := k.byPeer[first]; f == nil || e.expires.Before(f.expires) {
			first = id
		}
	}
	k.drop(first)
}
