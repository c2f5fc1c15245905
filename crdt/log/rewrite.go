package log

import (
	"context"
	"errors"
	"fmt"
	"slices"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// Rewritten says what a store that was written anew contains, and what it lacks.
type Rewritten struct {
	Members uint64 // that are known
	Heads   uint64 // members whose head is lost: a copy of a peer heals them
	Bodies  uint64 // members whose body record is lost, beside those
	Gaps    int    // unreadable ranges of keys, and unreadable files

	// Raw: the store could not be opened, so that files which cannot be read may
	// have contained members of which nothing is known.
	Raw bool

	// Renumbered: members are lost of which nothing is known any more. The others
	// have new local sequences, so what was derived by these has to go.
	Renumbered bool
}

// Whole reports whether nothing is known to be lost.
func (r Rewritten) Whole() bool { return r.Heads == 0 && r.Bodies == 0 && r.Gaps == 0 && !r.Renumbered }

// Unknown reports whether there may have been members of which nothing is left, not
// even that they were.
func (r Rewritten) Unknown() bool { return r.Renumbered || r.Raw && !r.Whole() }

// Known are members of which the caller knows by other means, a checkpoint above
// all, so that one whose every record is lost stays a member and can be healed.
type Known struct {
	Seq  uint64 // the local sequence that these are known for
	Sets map[string][]recon.Item
}

// Known are the members in a checkpoint.
func (c *Checkpoint) Known() Known {
	if c == nil {
		return Known{}
	}
	k := Known{Seq: c.seq, Sets: map[string][]recon.Item{}}
	for _, s := range c.sets {
		k.Sets[s.name] = s.set.After(recon.Item{}, s.set.Len())
	}
	return k
}

// source gives all pairs that can be read, in any order and some twice.
type source func(ctx context.Context, visit func(key string, value []byte) error, skipped func(engine.Gap)) error

// rewriter fills an empty engine with what can be read of a damaged one.
type rewriter struct {
	to     Engine
	shards int
	out    Rewritten

	batch ds.Batch
	size  int
	fresh map[string][]byte // of batch: what Get does not give yet

	members map[change.ID]*survivor
	tips    map[chainKey]tip
	seq     uint64 // of the state that was found, or of what is known
}

// survivor is a member of which some record is left.
type survivor struct {
	place
	head, chained bool
}

// rewrite reads all of from into the empty engine to, and builds there what is
// derived: a log that Open takes. Members whose head or body is lost stay members.
func rewrite(ctx context.Context, from source, to Engine, shards int, known Known) (Rewritten, error) {
	r := &rewriter{
		to: to, shards: shards, members: map[change.ID]*survivor{}, tips: map[chainKey]tip{}, seq: known.Seq, fresh: map[string][]byte{},
	}
	err := from(ctx, func(key string, value []byte) error { return r.take(ctx, key, value) }, func(engine.Gap) { r.out.Gaps++ })
	if err == nil {
		err = r.flush(ctx)
	}
	if err == nil {
		err = r.build(ctx, known)
	}
	if err != nil {
		return r.out, fmt.Errorf("write the store anew: %w", err)
	}
	return r.out, nil
}

// take stores one sound pair that is not derived, and learns from the others.
func (r *rewriter) take(ctx context.Context, key string, value []byte) error {
	if len(key) < 3 {
		return nil
	}
	if _, err := unseal(key, value); err != nil {
		return nil
	}
	switch prefix := key[:3]; prefix {
	case prefixHead, prefixBody, prefixPurge, prefixMark:
		return r.keep(ctx, key, value)
	case prefixSeq, prefixID, prefixAdrift:
		if p, err := decodePlace(key, value); err == nil {
			r.learn(p)
		}
	case prefixChain:
		if _, id, err := decodeSpot(key); err == nil {
			r.chained(id)
			return r.put(ctx, key, value)
		}
	case prefixTip:
		if t, err := decodeTip(key, value); err == nil && len(key) == len(prefixTip)+chainChars {
			k := chainKey([]byte(key[len(prefixTip):]))
			if old := r.tips[k]; t.seq > old.seq {
				t.forked = t.forked || old.forked
				r.tips[k] = t
			}
		}
	case stateKey[:3]:
		if _, shards, st, err := decodeState(value); err == nil && shards == uint64(r.shards) {
			r.seq = max(r.seq, st.seq)
		}
	}
	return nil
}

func (r *rewriter) of(id change.ID) *survivor {
	s := r.members[id]
	if s == nil {
		s = &survivor{}
		s.item.ID = id
		r.members[id] = s
	}
	return s
}

func (r *rewriter) learn(p place) {
	s := r.of(p.item.ID)
	s.set, s.item = p.set, p.item
	if p.seq != 0 {
		s.seq = p.seq
	}
}

func (r *rewriter) chained(id change.ID) { r.of(id).chained = true }

// keep stores the better of two versions of a pair.
func (r *rewriter) keep(ctx context.Context, key string, value []byte) error {
	old, known := r.fresh[key]
	if !known {
		v, err := r.to.Get(ctx, ds.RawKey(key))
		if err != nil && !errors.Is(err, ds.ErrNotFound) {
			return err
		}
		old, known = v, err == nil
	}
	if known && !better(key, value, old) {
		return nil
	}
	return r.put(ctx, key, value)
}

// better reports whether a record is the later one of two: a head with its own
// signature, a body that went further on its way from missing to purged.
func better(key string, value, old []byte) bool {
	switch key[:3] {
	case prefixHead:
		a, _ := decodeHeadRecord(key, value)
		b, _ := decodeHeadRecord(key, old)
		return a.own && !b.own
	case prefixBody:
		a, _ := decodeBodyRecord(key, value)
		b, _ := decodeBodyRecord(key, old)
		return bodyRank[a.state] > bodyRank[b.state]
	}
	return false
}

var bodyRank = map[State]int{Missing: 0, Present: 1, RowFailed: 1, Purged: 2}

func (r *rewriter) put(ctx context.Context, key string, value []byte) (err error) {
	if r.batch == nil {
		if r.batch, err = r.to.Batch(ctx); err != nil {
			return err
		}
	}
	value = slices.Clone(value)
	if err := r.batch.Put(ctx, ds.RawKey(key), value); err != nil {
		return err
	}
	r.fresh[key] = value
	return r.added(ctx, len(key)+len(value))
}

func (r *rewriter) delete(ctx context.Context, key string) (err error) {
	if r.batch == nil {
		if r.batch, err = r.to.Batch(ctx); err != nil {
			return err
		}
	}
	if err := r.batch.Delete(ctx, ds.RawKey(key)); err != nil {
		return err
	}
	return r.added(ctx, len(key))
}

func (r *rewriter) added(ctx context.Context, size int) error {
	if r.size += size; r.size < rewriteBatch {
		return nil
	}
	return r.flush(ctx)
}

func (r *rewriter) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil || r.batch == nil {
		return err
	}
	err := r.batch.Commit(ctx)
	r.batch, r.size = nil, 0
	clear(r.fresh)
	return err
}

// build writes everything that follows from the heads and bodies that were kept.
func (r *rewriter) build(ctx context.Context, known Known) error {
	if err := r.heads(ctx); err != nil {
		return err
	}
	for set, items := range known.Sets {
		for _, it := range items {
			if s := r.of(it.ID); s.set == "" {
				s.set, s.item = set, it
			}
		}
	}
	for id, s := range r.members { // an entry of a chain alone says too little
		if s.set == "" {
			delete(r.members, id)
		}
	}
	order := r.number()
	w := &writer{log: newLog(nil, r.shards), state: state{seq: uint64(len(order))}}
	for _, s := range order {
		if err := r.index(ctx, w, s); err != nil {
			return err
		}
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	if err := r.ends(ctx); err != nil {
		return err
	}
	r.out.Members = uint64(len(order))
	w.state.counts.Members = r.out.Members
	if err := r.put(ctx, stateKey, appendState(nil, r.shards, w.state)); err != nil {
		return err
	}
	return r.flush(ctx)
}

// heads learns of the members whose head was kept; a head that is not what its
// key says goes.
func (r *rewriter) heads(ctx context.Context) error {
	var bad []string
	err := r.to.Scan(ctx, prefixHead, after(prefixHead), func(key string, value []byte) error {
		h, err := decodeHeadRecord(key, value)
		var c *change.Change
		if err == nil {
			c, err = change.Decode(h.raw, nil)
		}
		if err != nil {
			bad = append(bad, key)
			return nil
		}
		p := place{set: change.SetOf(c.Head.Space, c.Head.Kind, r.shards), item: recon.Item{HLC: c.Head.HLC, ID: c.ID}, seq: h.seq}
		if itemKey(prefixHead, p.set, p.item) != key {
			bad = append(bad, key)
			return nil
		}
		r.learn(p)
		r.of(c.ID).head = true
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range bad {
		if err := r.delete(ctx, key); err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// number gives every member a local sequence, its own where it has one, and the
// others those that nobody has. What is left over closes up.
func (r *rewriter) number() []*survivor {
	bySeq := map[uint64]*survivor{}
	var loose []*survivor
	for _, s := range r.members {
		if s.seq == 0 || bySeq[s.seq] != nil {
			loose = append(loose, s)
			continue
		}
		bySeq[s.seq] = s
		r.seq = max(r.seq, s.seq)
	}
	slices.SortFunc(loose, func(a, b *survivor) int { return a.item.Compare(b.item) })
	var order []*survivor
	for seq := uint64(1); len(order) < len(r.members); seq++ {
		s := bySeq[seq]
		if s == nil && len(loose) > 0 {
			s, loose = loose[0], loose[1:]
		}
		if s == nil {
			r.out.Renumbered = true
			continue
		}
		order = append(order, s)
		s.seq = uint64(len(order))
	}
	if uint64(len(order)) < r.seq {
		r.out.Renumbered = true
	}
	return order
}

// index writes the records of one member, the next in order.
func (r *rewriter) index(ctx context.Context, w *writer, s *survivor) error {
	w.ops, w.arena = w.ops[:0], nil
	if s.head {
		key := itemKey(prefixHead, s.set, s.item)
		value, err := r.to.Get(ctx, ds.RawKey(key))
		if err != nil {
			return err
		}
		h, err := decodeHeadRecord(key, value)
		if err != nil {
			return err
		}
		c, err := change.Decode(h.raw, nil)
		if err != nil {
			return err
		}
		if h.seq != s.seq {
			h.seq = s.seq
			w.putHead(s.set, s.item, h)
		}
		w.putNote(keyOf(c.Head.Chain()).member(c.Head.Seq, c.ID), "")
	} else {
		r.out.Heads++
		if !s.chained {
			key := idKey(prefixAdrift, s.item.ID)
			start := len(w.arena)
			w.arena = appendPlace(w.arena, key, s.place)
			w.put(key, start)
		}
	}
	w.putPlace(s.place)
	if err := r.body(ctx, w, s); err != nil {
		return err
	}
	for _, o := range w.ops {
		if o.value == nil {
			if err := r.delete(ctx, o.key); err != nil {
				return err
			}
			continue
		}
		if err := r.put(ctx, o.key, o.value); err != nil {
			return err
		}
	}
	return nil
}

// body lists a member by its body record. One that is lost is known again when it
// was purged; else it stays lost, and a copy heals it.
func (r *rewriter) body(ctx context.Context, w *writer, s *survivor) error {
	key := itemKey(prefixBody, s.set, s.item)
	var b bodyRecord
	value, err := r.to.Get(ctx, ds.RawKey(key))
	if err == nil {
		b, err = decodeBodyRecord(key, value)
	}
	purge := idKey(prefixPurge, s.item.ID)
	note, perr := r.to.Get(ctx, ds.RawKey(purge))
	if perr == nil && b.state != Purged {
		if text, uerr := unseal(purge, note); uerr == nil {
			b, err = bodyRecord{state: Purged, reason: reason.Code(text), held: b.held}, nil
			w.putBody(s.set, s.item, b)
		}
	}
	if err != nil {
		if s.head {
			r.out.Bodies++
		}
		return nil
	}
	w.index(s.item.ID, bodyRecord{}, b)
	return nil
}

// ends writes the tips: what was found of them, and what the places of each chain
// say.
func (r *rewriter) ends(ctx context.Context) error {
	var stray []string
	err := r.to.Scan(ctx, prefixChain, after(prefixChain), func(key string, _ []byte) error {
		seq, id, err := decodeSpot(key)
		s := r.members[id]
		if err != nil || s == nil {
			stray = append(stray, key)
			return nil
		}
		k := chainKey([]byte(key[len(prefixChain):][:chainChars]))
		t := r.tips[k]
		switch {
		case seq > t.seq: // its record was lost, or is an old one
			t.unsure = true
			t.id, t.seq, t.hlc = id, seq, s.item.HLC
		case seq == t.seq && t.id != id:
			t.forked = true
		}
		r.tips[k] = t
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range stray {
		if err := r.delete(ctx, key); err != nil {
			return err
		}
	}
	for k, t := range r.tips {
		if err := r.put(ctx, k.tip(), appendTip(nil, k.tip(), t)); err != nil {
			return err
		}
	}
	return nil
}
