package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// ErrNetwork says that a peer belongs to another network.
var ErrNetwork = errors.New("peer is of another network")

// endpoint is what all sessions of a node share.
type endpoint struct {
	cfg     Config
	replica Replica
	codec   *codec
	met     *metrics
}

// session is one stream with one peer, from either side.
type session struct {
	*wire
	endpoint
	peer   peer.ID
	theirs hello
	mine   hello
}

// hello is how this node stands. proof is the peer's, nil before its hello.
func (e endpoint) hello(ctx context.Context, p peer.ID, proof []byte) hello {
	h := hello{net: e.cfg.Net, now: uint64(e.cfg.Now().UnixMilli()), agent: e.cfg.Agent}
	gate, _ := e.replica.(Gatekeeper)
	if gate != nil {
		h.proof = gate.Proof(ctx, p)
	}
	for _, name := range e.replica.Sets() {
		if strings.HasPrefix(name, "team/") && (gate == nil || !gate.MaySee(ctx, p, name, proof)) {
			continue
		}
		set := e.replica.Set(name)
		if set == nil || len(h.sets) == maxSets {
			continue
		}
		h.sets = append(h.sets, stateOf(name, set))
	}
	return h
}

func stateOf(name string, set *recon.Set) setState {
	count, fp := set.FP()
	return setState{name, count, fp}
}

// unpackChanges reads the payload of a changes frame. Changes that do not
// decode are left out and the peer is scored for each; a good head whose body
// is another one's comes as a stub.
func (s *session) unpackChanges(payload []byte) (cs []*change.Change, items int, more bool, err error) {
	if s.unpacked, err = s.codec.unpack(payload, s.unpacked[:0]); err != nil {
		return nil, 0, false, err
	}
	f, err := decodeChanges(s.unpacked)
	if err != nil {
		return nil, 0, false, err
	}
	for _, it := range f.items {
		// Copies: the Replica may keep a change for long, the buffer is reused.
		c, err := change.Decode(bytes.Clone(it.head), bytes.Clone(it.body))
		if err != nil {
			s.replica.Refused(s.peer, reason.Of(err))
		}
		if c == nil {
			continue
		}
		if n := len(cs); n > 0 && cs[n-1].Compare(c) >= 0 {
			return nil, 0, false, refuse("changes: not in order")
		}
		cs = append(cs, c)
	}
	if f.more && len(f.items) == 0 {
		return nil, 0, false, refuse("changes: empty, yet more to come")
	}
	return cs, len(f.items), f.more, nil
}

// sendChanges writes the members named by items, which stand in order, as
// changes frames, the last of which says that there are no more. After until
// it begins no further chunk.
func (s *session) sendChanges(set string, items []recon.Item, until time.Time) (sent int, err error) {
	p := packer{w: s.wire, codec: s.codec}
	for len(items) > 0 && time.Now().Before(until) {
		n := min(len(items), loadChunk)
		runs, err := s.replica.Changes(s.ctx, set, items[:n])
		if err != nil {
			return p.sent, fmt.Errorf("read changes of %s: %w", set, err)
		}
		if err := p.add(runs); err != nil {
			return p.sent, err
		}
		items = items[n:]
	}
	err = p.close()
	return p.sent, err
}

// sendFrom is sendChanges for the members that follow after, until most of them are
// sent: what the replica leaves out is made up for, since a peer takes fewer for the
// end of the set.
func (s *session) sendFrom(name string, set *recon.Set, after recon.Item, most int, until time.Time) (sent int, err error) {
	p := packer{w: s.wire, codec: s.codec}
	for most > 0 && time.Now().Before(until) {
		items := set.After(after, min(most, loadChunk))
		if len(items) == 0 {
			break
		}
		runs, err := s.replica.Changes(s.ctx, name, items)
		if err != nil {
			return p.sent, fmt.Errorf("read changes of %s: %w", name, err)
		}
		if err := p.add(runs); err != nil {
			return p.sent, err
		}
		most -= len(runs)
		after = items[len(items)-1]
	}
	err = p.close()
	return p.sent, err
}

// blame scores the peer when err is a refusal of what it sent.
func (s *session) blame(err error) (reason.Code, bool) {
	var r *reason.Refusal
	if !errors.As(err, &r) {
		return "", false
	}
	s.replica.Refused(s.peer, r.Code)
	return r.Code, true
}

// prefix is the part of an id that a sketch yields.
type prefix [prefixSize]byte

func prefixOf(id []byte) prefix { return prefix(id[:prefixSize]) }
