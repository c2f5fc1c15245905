package sync

import (
	"sync"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/recon"
)

// cursors remembers how far pulls came that a session's end broke off, so that
// the next one goes on there. A peer that lies about order only spoils its own
// pull: the rest is found by comparing. It keeps maxCursors and is safe for
// concurrent use.
type cursors struct {
	mu    sync.Mutex // guards what follows
	at    map[cursorKey]recon.Item
	order []cursorKey // of first use
}

type cursorKey struct {
	peer peer.ID
	set  string
}

func newCursors() *cursors { return &cursors{at: make(map[cursorKey]recon.Item)} }

func (c *cursors) get(p peer.ID, set string) (it recon.Item, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it, ok = c.at[cursorKey{p, set}]
	return it, ok
}

func (c *cursors) put(p peer.ID, set string, it recon.Item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := cursorKey{p, set}
	if _, ok := c.at[k]; !ok {
		if len(c.order) == maxCursors {
			c.forget(c.order[0])
		}
		c.order = append(c.order, k)
	}
	c.at[k] = it
}

func (c *cursors) drop(p peer.ID, set string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(cursorKey{p, set})
}

func (c *cursors) forget(k cursorKey) {
	delete(c.at, k)
	for i, o := range c.order {
		if o == k {
			c.order = append(c.order[:i], c.order[i+1:]...)
			return
		}
	}
}
