// Package uuid makes UUIDs (RFC 9562) and other random bytes.
package uuid

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
	"time"
)

// Source makes UUIDs. Those of version 7 of one Source rise strictly, also within a
// millisecond and when the clock steps back, so that lists may page by id. It is safe for
// concurrent use.
type Source struct {
	mu     sync.Mutex // guards all fields, and reads from random
	random io.Reader
	last   uint64 // 48 bits of milliseconds and 12 bits of counter
}

// New is a source that takes its randomness from a reader.
func New(random io.Reader) *Source { return &Source{random: random} }

// Read fills p with random bytes, or fails.
func (g *Source) Read(p []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := io.ReadFull(g.random, p); err != nil {
		return fmt.Errorf("read randomness: %w", err)
	}
	return nil
}

// V4 returns a random UUID.
func (g *Source) V4() (string, error) {
	var u [16]byte
	if err := g.Read(u[:]); err != nil {
		return "", err
	}
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return format(u), nil
}

// V7 returns a UUID that sorts after every earlier one of this source. The
// counter runs on into the milliseconds when it overflows (RFC 9562 §6.2).
func (g *Source) V7(now time.Time) (string, error) {
	var u [16]byte
	if err := g.Read(u[8:]); err != nil {
		return "", err
	}
	g.mu.Lock()
	g.last = max(g.last+1, uint64(now.UnixMilli())<<12)
	stamp := g.last
	g.mu.Unlock()
	binary.BigEndian.PutUint64(u[:8], stamp>>12<<16|0x7000|stamp&0xfff)
	u[8] = u[8]&0x3f | 0x80
	return format(u), nil
}

func format(u [16]byte) string {
	h := hex.EncodeToString(u[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
