package log

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/recon"
)

// Problem is one thing that Verify found wrong.
type Problem struct {
	ID      change.ID // zero when it is not about one member
	Seq     uint64    // local sequence, 0 when unknown
	Part    string    // as in DamageError
	Members uint64    // of an unreadable range: the members whose records are in it
	Err     error
}

// String is the problem in one line.
func (p Problem) String() string {
	var b strings.Builder
	if !p.ID.IsZero() {
		b.WriteString(p.ID.Text(change.PrefixChange) + ": ")
	}
	b.WriteString(p.Part)
	if p.Seq != 0 {
		fmt.Fprintf(&b, " at %d", p.Seq)
	}
	if p.Members != 0 {
		fmt.Fprintf(&b, ", records of %d changes", p.Members)
	}
	fmt.Fprintf(&b, ": %v", p.Err)
	return b.String()
}

var errUnreadable = errors.New("the disk does not give it")

// Verify reads every member and reports what does not fit: ids and heads, the
// body records with the hashes of bodies, and the indexes by id and by sequence.
// When deep it checks the index of chains and the lists besides, and that
// nothing lies in the store that belongs to no member. It never changes
// anything; Heal mends what it reports. Writers go on meanwhile; what is in
// doubt is looked at again while they wait.
//
// The error says only that it could not finish.
func (l *Log) Verify(ctx context.Context, deep bool, report func(Problem)) error {
	l.mu.RLock()
	last, before, still := l.state.seq, l.commits, !l.storing
	l.mu.RUnlock()
	v := &verifier{log: l, deep: deep}
	whole := true // every member could be counted
	var all []Problem
	outward := report
	report = func(p Problem) {
		all = append(all, p)
		outward(p)
	}
	var nameless []uint64 // sequences whose place cannot be read
	for seq := uint64(1); seq <= last; seq++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("verify log: %w", err)
		}
		found, err := v.member(ctx, seq)
		if len(found) > 0 && err == nil {
			found, err = v.again(ctx, seq)
		}
		if err != nil {
			return fmt.Errorf("verify log: %w", err)
		}
		for _, p := range found {
			whole = false
			if p.ID.IsZero() {
				nameless = append(nameless, p.Seq)
				continue
			}
			report(p)
		}
	}
	if err := v.name(ctx, nameless, report); err != nil {
		return fmt.Errorf("verify log: %w", err)
	}
	if !deep {
		return nil
	}
	if err := v.strays(ctx, report); err != nil {
		return fmt.Errorf("verify log: %w", err)
	}
	defer func() { l.damaged.replace(all) }()
	l.mu.RLock()
	defer l.mu.RUnlock()
	if whole && still && before == l.commits && v.counts != l.state.counts {
		report(Problem{Part: "state", Err: fmt.Errorf("counts are %+v, want %+v", l.state.counts, v.counts)})
	}
	return nil
}

type verifier struct {
	log    *Log
	deep   bool
	counts Counts
}

// again checks a member a second time, while nothing is written.
func (v *verifier) again(ctx context.Context, seq uint64) ([]Problem, error) {
	v.log.writing.Lock()
	defer v.log.writing.Unlock()
	w := &verifier{log: v.log, deep: v.deep}
	return w.member(ctx, seq)
}

// member checks what is stored of the member at a local sequence. The error is
// one of reading, not of what was read.
func (v *verifier) member(ctx context.Context, seq uint64) ([]Problem, error) {
	l := v.log
	v.counts.Members++
	p, err := l.readSeq(ctx, seq)
	if err != nil {
		return asProblem(err)
	}
	if !l.has(p.set, p.item) {
		return []Problem{{ID: p.item.ID, Seq: seq, Part: "sequence", Err: errMismatch}}, nil
	}
	c, h, err := l.readHead(ctx, p)
	if err != nil {
		return asProblem(err)
	}
	var found []Problem
	note := func(part string, err error) { found = append(found, Problem{ID: c.ID, Seq: seq, Part: part, Err: err}) }
	if q, err := l.locate(ctx, c.ID); err != nil {
		note("id index", err)
	} else if q != p || h.seq != seq {
		note("id index", errMismatch)
	}
	b, err := l.readBody(ctx, p, c)
	if err != nil {
		more, err := asProblem(err)
		return append(found, more...), err
	}
	if change.LaneOf(c.Head.Kind) == change.Control && b.state != Present {
		note("body", errAbsent)
	}
	v.counts.count(b, 1)
	if !v.deep {
		return found, nil
	}
	for _, list := range []struct {
		prefix string
		is     bool
	}{{prefixWant, b.state == Missing}, {prefixHeld, b.held != ""}, {prefixPurge, b.state == Purged}} {
		if err := v.present(ctx, idKey(list.prefix, c.ID), list.is); err != nil {
			note("list", err)
		}
	}
	key := keyOf(c.Head.Chain())
	if err := v.present(ctx, key.member(c.Head.Seq, c.ID), true); err != nil {
		note("chain index", err)
	}
	if t, err := l.readTip(ctx, key); err != nil {
		note("tip", err)
	} else if t.seq < c.Head.Seq || t.seq == c.Head.Seq && t.id != c.ID && !t.forked {
		note("tip", errMismatch)
	}
	return found, nil
}

// name reports damaged places with the ids of the members that stand there: those
// of the sets that no other place has.
func (v *verifier) name(ctx context.Context, seqs []uint64, report func(Problem)) error {
	if len(seqs) == 0 {
		return nil
	}
	placed := map[change.ID]bool{}
	for seq := uint64(1); seq <= v.log.LastSeq(); seq++ {
		if p, err := v.log.readSeq(ctx, seq); err == nil {
			placed[p.item.ID] = true
		} else if !errors.Is(err, ErrDamaged) {
			return err
		}
	}
	v.log.each(func(_ string, it recon.Item) {
		if !placed[it.ID] && len(seqs) > 0 {
			report(Problem{ID: it.ID, Part: "sequence", Err: errUnreadable})
			seqs = seqs[1:]
		}
	})
	for _, seq := range seqs {
		report(Problem{Seq: seq, Part: "sequence", Err: errUnreadable})
	}
	return nil
}

// asProblem is the problem that a damage is. Any other error stays one.
func asProblem(err error) ([]Problem, error) {
	var d *DamageError
	if !errors.As(err, &d) {
		return nil, err
	}
	return []Problem{{ID: d.ID, Seq: d.Seq, Part: d.Part, Err: d.Err}}, nil
}

// present checks that an entry is there, and sound, exactly when it should be.
func (v *verifier) present(ctx context.Context, key string, want bool) error {
	value, err := v.log.get(ctx, key)
	switch {
	case errors.Is(err, errAbsent) && !want:
		return nil
	case err != nil:
		return err
	case !want:
		return errMismatch
	}
	_, err = unseal(key, value)
	return err
}

// strays reports heads, bodies and ids that belong to no member, and ranges of
// keys that cannot be read. What a commit under way has stored is no stray.
func (v *verifier) strays(ctx context.Context, report func(Problem)) error {
	for _, prefix := range []string{prefixHead, prefixBody, prefixID, prefixWant, prefixHeld, prefixPurge, prefixSeq, prefixChain, prefixTip, prefixMark} {
		owned := prefix != prefixSeq && prefix != prefixChain && prefix != prefixTip && prefix != prefixMark
		var doubt []string
		var gaps []engine.Gap
		err := engine.ScanSound(ctx, v.log.engine, prefix, after(prefix), func(key string, _ []byte) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if owned {
				if _, ok := v.owner(ctx, prefix, key); !ok {
					doubt = append(doubt, key)
				}
			}
			return nil
		}, func(g engine.Gap) { gaps = append(gaps, g) })
		if err != nil {
			return err
		}
		v.unreadable(prefix, gaps, report)
		if len(doubt) == 0 {
			continue
		}
		v.log.writing.Lock()
		for _, key := range doubt {
			if id, ok := v.owner(ctx, prefix, key); !ok {
				report(Problem{ID: id, Part: "stray " + strings.Trim(prefix, "/"), Err: errMismatch})
			}
		}
		v.log.writing.Unlock()
	}
	return nil
}

// names of what lies under a prefix, for people.
var names = map[string]string{
	prefixHead: "heads", prefixBody: "bodies", prefixID: "index of ids", prefixWant: "list of wanted bodies", prefixHeld: "list of held changes",
	prefixPurge: "list of purged changes", prefixSeq: "order of arrival", prefixChain: "index of chains", prefixTip: "ends of chains", prefixMark: "marks",
}

// unreadable reports ranges of keys, with how many members they concern.
func (v *verifier) unreadable(prefix string, gaps []engine.Gap, report func(Problem)) {
	if len(gaps) == 0 {
		return
	}
	counts := make([]uint64, len(gaps))
	if prefix == prefixHead || prefix == prefixBody || prefix == prefixID {
		v.log.each(func(set string, it recon.Item) {
			key := idKey(prefixID, it.ID)
			if prefix != prefixID {
				key = itemKey(prefix, set, it)
			}
			for i, g := range gaps {
				if g.Has(key) {
					counts[i]++
				}
			}
		})
	}
	for i, g := range gaps {
		report(Problem{
			Part: fmt.Sprintf("unreadable block of the %s, %.48q to %.48q", names[prefix], g.From, g.To), Members: counts[i], Err: errUnreadable,
		})
	}
}

// owner is the id that a key names, and whether it is a member's.
func (v *verifier) owner(ctx context.Context, prefix, key string) (change.ID, bool) {
	if prefix != prefixHead && prefix != prefixBody {
		id, err := idOf(prefix, key)
		if err != nil {
			return id, false
		}
		_, err = v.log.locate(ctx, id)
		return id, err == nil
	}
	rest := strings.TrimPrefix(key, prefix)
	cut := strings.LastIndexByte(rest, '/')
	if cut < 0 {
		return change.ID{}, false
	}
	it, err := itemOf(rest[cut+1:])
	return it.ID, err == nil && v.log.has(rest[:cut], it)
}

// itemOf reads the end of a key that itemKey made.
func itemOf(text string) (recon.Item, error) {
	raw, err := ordered.DecodeString(text)
	if err != nil {
		return recon.Item{}, err
	}
	if len(raw) != 40 {
		return recon.Item{}, errShort
	}
	return decodeItem(raw), nil
}
