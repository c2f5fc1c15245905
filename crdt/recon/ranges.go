package recon

import (
	"errors"
	"fmt"
)

// The range protocol is negentropy, protocol version 1. A message is the version
// and a list of adjacent ranges, each with its upper bound, a mode and what the
// sender has to say: nothing more (skip), the fingerprint of its items there, or
// their ids. A list that ends before infinity has an implied skip to it, so the
// version alone means that there is nothing left to say.
const (
	version     = 0x61
	modeSkip    = 0
	modeFP      = 1
	modeIDs     = 2
	versionLow  = 0x60 // versions of the protocol that are or may come
	versionHigh = 0x6f
)

// Initiator is the asking side of a range session. It learns what either side
// lacks; the other side learns nothing. It is for one goroutine.
//
// Each message is made from the set as it is then. What enters the set during a
// session may or may not be noticed; the next session sees it.
type Initiator struct {
	set   *Set
	limit int
}

// NewInitiator returns the asking side for set. Its messages have at most
// frameLimit bytes; a limit outside MinFrame to MaxFrame is taken as the nearer of
// the two.
func NewInitiator(set *Set, frameLimit int) *Initiator {
	return &Initiator{set: set, limit: clampFrame(frameLimit)}
}

// Start returns the first message.
func (in *Initiator) Start() []byte {
	in.set.mu.RLock()
	defer in.set.mu.RUnlock()
	x := exchange{tree: &in.set.tree, limit: in.limit}
	x.out.bytes([]byte{version})
	x.split(beyond, x.tree.end())
	return x.out.buf
}

// Next takes the answer to the last message. It returns the message to send next,
// nil when the session is over, and what the answer showed: items the peer lacks
// and ids that are missing here.
//
// An answer makes it report no more ids than it contains and at most 65,536 items;
// where more are due, they come with the following answers. An item or an id may
// be reported more than once: a peer whose frame is full puts off everything that
// follows, settled or not. A lying peer can keep a session going for ever, so the
// caller limits the number of rounds.
func (in *Initiator) Next(msg []byte) (reply []byte, have []Item, need [][32]byte, err error) {
	in.set.mu.RLock()
	defer in.set.mu.RUnlock()
	x := exchange{tree: &in.set.tree, limit: in.limit, asking: true}
	supported, err := x.open(msg)
	if err != nil {
		return nil, nil, nil, err
	}
	if !supported {
		return nil, nil, nil, fmt.Errorf("peer speaks range protocol version %d only", msg[0]-versionLow)
	}
	if err := x.run(); err != nil {
		return nil, nil, nil, err
	}
	if len(x.out.buf) > 1 {
		reply = x.out.buf
	}
	return reply, x.have, x.need, nil
}

// Respond answers the message of an Initiator from set, in at most frameLimit
// bytes (taken as NewInitiator does). It keeps no state between messages, does
// nothing that is linear in the set, and does not retain msg.
//
// A message of another version of the protocol is answered with the version used
// here, as the protocol requires.
func Respond(set *Set, msg []byte, frameLimit int) ([]byte, error) {
	set.mu.RLock()
	defer set.mu.RUnlock()
	x := exchange{tree: &set.tree, limit: clampFrame(frameLimit)}
	supported, err := x.open(msg)
	if err != nil {
		return nil, err
	}
	if !supported {
		return x.out.buf, nil
	}
	if err := x.run(); err != nil {
		return nil, err
	}
	return x.out.buf, nil
}

func clampFrame(n int) int { return min(max(n, MinFrame), MaxFrame) }

// exchange turns one message into the next.
//
// prev and from are the same place, the lower end of the range being answered:
// as a bound, and in the tree. Everything before it is in out, except that, while
// skip is set, the last part of it is a skip range not yet written. Skips are
// written late, so that adjacent ones become one and the last is implied.
type exchange struct {
	tree  *tree
	limit int
	in    reader
	out   writer

	prev bound
	from mark
	skip bool

	asking bool // for the initiator: collect instead of answering id lists
	have   []Item
	need   [][32]byte
}

// open reads the version and writes ours. supported is false when the peer
// speaks another version of the same protocol.
func (x *exchange) open(msg []byte) (supported bool, err error) {
	if len(msg) == 0 {
		return false, errShort
	}
	if len(msg) > MaxFrame {
		return false, fmt.Errorf("message of %d bytes is over %d", len(msg), MaxFrame)
	}
	if msg[0] < versionLow || msg[0] > versionHigh {
		return false, fmt.Errorf("message starts with %#x, not with a version", msg[0])
	}
	x.in.buf = msg[1:]
	x.out.bytes([]byte{version})
	return msg[0] == version, nil
}

// run answers range after range until the message or the frame is at its end.
func (x *exchange) run() error {
	for len(x.in.buf) > 0 {
		upper, err := x.in.bound()
		if err != nil {
			return err
		}
		if upper.item.Compare(x.prev.item) < 0 {
			return errors.New("ranges are out of order")
		}
		mode, err := x.in.varint()
		if err != nil {
			return err
		}
		to := x.tree.end()
		if upper != beyond {
			to = x.tree.seek(upper.item)
		}
		full, err := x.answer(mode, upper, to)
		if err != nil {
			return err
		}
		if full {
			x.postpone()
			return nil
		}
	}
	return nil
}

// answer deals with one range and moves prev and from to its end. full means that
// no more is to be dealt with, and that they may stand short of the end.
func (x *exchange) answer(mode uint64, upper bound, to mark) (full bool, err error) {
	switch mode {
	case modeSkip:
		x.pass(upper, to)
		return false, nil
	case modeFP:
		theirs, err := x.in.bytes(16)
		if err != nil {
			return false, err
		}
		if [16]byte(theirs) == x.fingerprint(to) {
			x.pass(upper, to)
			return false, nil
		}
		return x.splitWithin(upper, to), nil
	case modeIDs:
		ids, err := x.ids()
		if err != nil {
			return false, err
		}
		if x.asking {
			return x.collect(ids, upper, to), nil
		}
		return x.list(upper, to), nil
	}
	return false, fmt.Errorf("range has unknown mode %d", mode)
}

// ids reads the payload of an id list.
func (x *exchange) ids() ([]byte, error) {
	n, err := x.in.varint()
	if err != nil {
		return nil, err
	}
	if n > uint64(len(x.in.buf)/32) {
		return nil, errShort
	}
	return x.in.bytes(int(n) * 32)
}

// fingerprint is that of our items from the current place to another.
func (x *exchange) fingerprint(to mark) [16]byte {
	return to.sum.Sub(x.from.sum).FP(uint64(to.rank - x.from.rank))
}

// pass leaves a range to be skipped.
func (x *exchange) pass(upper bound, to mark) {
	x.prev, x.from, x.skip = upper, to, true
}

// settle notes that everything up to upper is written.
func (x *exchange) settle(upper bound, to mark) {
	x.prev, x.from, x.skip = upper, to, false
}

// flush writes a skip that was deferred.
func (x *exchange) flush() {
	if x.skip {
		x.out.bound(x.prev, modeSkip)
		x.skip = false
	}
}

// full reports whether the frame has no room for another range.
func (x *exchange) full() bool { return len(x.out.buf) > x.limit-frameReserve }

// postpone ends a full frame with one fingerprint of all that was not dealt with,
// which a later round comes back to. The reserve has room for it.
func (x *exchange) postpone() {
	if x.prev == beyond {
		return
	}
	x.flush()
	fp := x.fingerprint(x.tree.end())
	x.out.bound(beyond, modeFP)
	x.out.bytes(fp[:])
}

// splitWithin splits a range if the parts have room, else it leaves the place
// where it is and reports the frame as full.
func (x *exchange) splitWithin(upper bound, to mark) (full bool) {
	before := *x
	x.flush()
	x.split(upper, to)
	if x.full() {
		x.out, x.skip = before.out, before.skip
		return true
	}
	x.settle(upper, to)
	return false
}

// split writes the ids from the current place to another if they are few, else
// the fingerprints of buckets parts of equal size.
func (x *exchange) split(upper bound, to mark) {
	n := to.rank - x.from.rank
	if n < listBelow {
		x.out.bound(upper, modeIDs)
		x.out.varint(uint64(n))
		x.tree.ascend(x.from.rank, func(it *Item) bool {
			if n == 0 {
				return false
			}
			x.out.bytes(it.ID[:])
			n--
			return true
		})
		return
	}
	low := x.from
	for i := range buckets {
		high, end := to, upper
		if i < buckets-1 {
			size := n / buckets
			if i < n%buckets {
				size++
			}
			high = x.tree.at(low.rank + size)
			end = between(x.tree.item(high.rank-1), x.tree.item(high.rank))
		}
		fp := high.sum.Sub(low.sum).FP(uint64(high.rank - low.rank))
		x.out.bound(end, modeFP)
		x.out.bytes(fp[:])
		low = high
	}
}

// list answers an id list with ours, or with as much of it as has room.
func (x *exchange) list(upper bound, to mark) (full bool) {
	x.flush()
	var ids []byte
	last := x.from // the place after the last id in ids
	x.tree.ascend(x.from.rank, func(it *Item) bool {
		if last.rank == to.rank {
			return false
		}
		if last.rank > x.from.rank && len(x.out.buf)+len(ids) > x.limit-frameReserve {
			upper = between(x.tree.item(last.rank-1), *it)
			return false
		}
		ids = append(ids, it.ID[:]...)
		last.rank++
		last.sum = last.sum.Add(it.ID)
		return true
	})
	x.out.bound(upper, modeIDs)
	x.out.varint(uint64(last.rank - x.from.rank))
	x.out.bytes(ids)
	x.settle(upper, last)
	return x.full()
}

// collect compares the peer's ids of a range with ours. A range in which we have
// more than can be reported is split instead, as if the peer had sent a
// fingerprint: only whole ranges show which of the peer's ids are missing here.
func (x *exchange) collect(ids []byte, upper bound, to mark) (full bool) {
	n := to.rank - x.from.rank
	if n > maxHave {
		return x.splitWithin(upper, to)
	}
	if n+len(x.have) > maxHave {
		return true
	}
	theirs := make(map[[32]byte]struct{}, len(ids)/32)
	for i := 0; i < len(ids); i += 32 {
		theirs[[32]byte(ids[i:])] = struct{}{}
	}
	x.tree.ascend(x.from.rank, func(it *Item) bool {
		if n == 0 {
			return false
		}
		n--
		if _, both := theirs[it.ID]; both {
			delete(theirs, it.ID)
		} else {
			x.have = append(x.have, *it)
		}
		return true
	})
	for i := 0; i < len(ids); i += 32 {
		id := [32]byte(ids[i:])
		if _, missing := theirs[id]; missing {
			delete(theirs, id)
			x.need = append(x.need, id)
		}
	}
	x.pass(upper, to)
	return false
}
