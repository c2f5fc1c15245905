package core

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
)

// Copies knows which normalised texts are already public, or in a team, by their
// key, so that the same text is not stored twice here. A team's key says
// nothing of the text to who reads another space.
type Copies struct {
	mu     sync.Mutex
	byHash map[uint64]change.ID
	busy   map[uint64]chan struct{} // being written now; closed when that has ended
}

// NewCopies returns Copies that know no text yet.
func NewCopies() *Copies {
	return &Copies{byHash: map[uint64]change.ID{}, busy: map[uint64]chan struct{}{}}
}

// TextKey names a normalised text among what is public (team "") or in a team, by
// 8 bytes of a hash.
func TextKey(team change.Space, text string) uint64 {
	h := gate.NormalHash(text)
	if team != "" {
		h = sha256.Sum256(append(h[:], team...))
	}
	return binary.BigEndian.Uint64(h[:8])
}

// Note remembers the text of an entry; of what is public the first one of a text
// stays, and in a team the last, since there it may be withdrawn and come again.
func (c *Copies) Note(ch *change.Change) {
	if ch.Head.Kind != change.KindEntryPut || ch.Body == nil {
		return
	}
	b, err := body.ParseEntry(ch.Body, ch.Head.Space)
	if err != nil || b.Text == "" {
		return
	}
	team := TeamOf(ch.Head.Space)
	key := TextKey(team, b.Text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byHash[key]; !ok || team != "" {
		c.byHash[key] = ch.ID
	}
}

// Find is the entry that has a text, by its key; zero when none has.
func (c *Copies) Find(key uint64) change.ID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byHash[key]
}

// Claim reserves a text for one writer until release, which must be called when
// existing is zero. existing is the entry that has the text already, unless it
// is the one being superseded; a text that another request is writing now is
// waited for, so that there is an entry to name.
func (c *Copies) Claim(ctx context.Context, key uint64, except change.ID) (release func(), existing change.ID, err error) {
	for {
		c.mu.Lock()
		if id, ok := c.byHash[key]; ok && id != except {
			c.mu.Unlock()
			return nil, id, nil
		}
		other := c.busy[key]
		if other == nil {
			break
		}
		c.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, change.ID{}, ctx.Err()
		}
	}
	defer c.mu.Unlock()
	mine := make(chan struct{})
	c.busy[key] = mine
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.busy, key)
		close(mine)
	}, change.ID{}, nil
}

// Drop forgets a text whose entry was purged.
func (c *Copies) Drop(id change.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, v := range c.byHash {
		if v == id {
			delete(c.byHash, k)
		}
	}
}

// AppendTo appends what is known to b, as LoadCopies reads it. Texts that are being written
// now are left out.
func (c *Copies) AppendTo(b []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	b = binary.AppendUvarint(b, uint64(len(c.byHash)))
	for k, id := range c.byHash {
		b = binary.BigEndian.AppendUint64(b, k)
		b = append(b, id[:]...)
	}
	return b
}

// LoadCopies reads what AppendTo wrote and nothing after it; ok is false when b is no such
// thing.
func LoadCopies(b []byte) (c *Copies, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || uint64(len(b)-size) != n*40 {
		return nil, false
	}
	c = NewCopies()
	c.byHash = make(map[uint64]change.ID, n)
	for b = b[size:]; len(b) > 0; b = b[40:] {
		c.byHash[binary.BigEndian.Uint64(b)] = change.ID(b[8:40])
	}
	return c, true
}
