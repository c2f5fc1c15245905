// Package log stores the members of sets: every change that rules.Check found
// to be a member, in the order in which it came here and in the order of its
// set. It is the only state of a node that cannot be rebuilt from anything else.
//
// What it promises:
//   - A change that Append returned is on disk: one fsynced batch contains heads,
//     bodies, every index and the marks of the call, so that a crash leaves all
//     of it or nothing.
//   - The sets in memory (package recon) follow the disk and never run ahead of
//     it. A call that fails leaves them as they were.
//   - Nothing damaged is served. Each read checks the head against its id and the
//     body against the head; see ErrDamaged, Verify and Heal.
//   - A member is never removed. Purge takes its body for good and keeps its head,
//     so neither chains nor fingerprints change.
//
// To start, open an Engine (engine.OpenPebble) and give it to Open. Whoever opened the
// engine closes it, after the last call to the Log. The log judges nothing: what
// a change means, and whether it has effect, is package fold's.
//
// A full disk is a state, not a fault: Append fails with an error for which
// IsFull is true, reads go on, and Writable reports when writing works again.
package log

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// The errors of this package. They come wrapped; ask with errors.Is.
var (
	ErrNotFound = errors.New("no such change in the log")
	ErrDamaged  = engine.ErrDamaged
	ErrPurged   = errors.New("the body was purged")
	ErrControl  = errors.New("a control change keeps its body")
	ErrOrder    = errors.New("a change comes before the one it continues")
	ErrTooMany  = errors.New("over a limit of the log")
	ErrFormat   = errors.New("not a log of this format and network")
)

// DamageError says which change cannot be read. It is an ErrDamaged.
type DamageError struct {
	ID   change.ID // zero when only the place is known
	Seq  uint64    // local sequence; 0 when unknown
	Part string    // "head", "body", or the name of an index
	Err  error
}

func (e *DamageError) Error() string {
	at := ""
	if e.Seq != 0 {
		at = " at " + strconv.FormatUint(e.Seq, 10)
	}
	return fmt.Sprintf("read %s of change %s%s: %v: %v", e.Part, e.ID, at, ErrDamaged, e.Err)
}

// Unwrap makes a DamageError an ErrDamaged and whatever lies below it.
//
// On every face it is a store_damaged.
func (e *DamageError) Unwrap() []error { return []error{ErrDamaged, refusedDamage, e.Err} }

// State says what is here of a member's body.
type State uint8

// The states. All but Missing are final.
const (
	Present   State = iota // head and body
	Missing                // the body has not come yet; Stubs lists these
	RowFailed              // the body failed its row and was dropped; Reason is its code
	Purged                 // the body was removed for good; Reason says why
)

// String is the state in one lower-case word.
func (s State) String() string {
	switch s {
	case Present:
		return "present"
	case Missing:
		return "missing"
	case RowFailed:
		return "row-failed"
	case Purged:
		return "purged"
	}
	return "state " + strconv.Itoa(int(s))
}

// Record is a stored member as one read found it.
type Record struct {
	Change *change.Change // its Body is nil unless State is Present; read-only
	Set    string
	Seq    uint64 // local sequence, from 1, in order of arrival
	Own    bool   // its own signature verifies; if not, see Run
	State  State
	Reason reason.Code // of RowFailed and Purged
	Held   reason.Code // why admission withholds it, or ""
}

// Item is the member's place in its set.
func (r *Record) Item() recon.Item {
	return recon.Item{HLC: r.Change.Head.HLC, ID: r.Change.ID}
}

// Counts are numbers of members.
type Counts struct {
	Members   uint64
	Missing   uint64
	RowFailed uint64
	Purged    uint64
	Held      uint64 // in any State
}

// Log is a log over one engine. It is safe for concurrent use. Writers wait for
// each other; readers wait for nobody. Its parts point to each other, so that it must
// not be copied.
type Log struct {
	roster
	records
	reader
	recent
	chains

	writing sync.Mutex // held by a writer from its first read to the end of its commit
	unsure  bool       // under writing: a commit failed, so the disk may be ahead of memory
}

// newLog is a log that has read nothing yet.
func newLog(e Engine, shards int) *Log {
	l := &Log{roster: roster{sets: map[string]*recon.Set{}}}
	l.records.roster, l.engine, l.shards = &l.roster, e, shards
	l.reader = reader{&l.roster, &l.records}
	l.recent = newRecent(&l.records)
	l.chains = newChains(&l.roster, &l.records, &l.reader, &l.recent)
	return l
}

// Open opens the log in e, of a network with that many shards; an empty engine
// becomes an empty log. With a checkpoint of this very log it reads only what
// came after it, otherwise (cp nil, or of another log, or ahead of it) the index
// of all members: about a second for a million of them. It takes cp over.
//
// ErrFormat means that e contains something else, and damage in the index that the
// sets are built from is an ErrDamaged.
func Open(ctx context.Context, e Engine, shards int, cp *Checkpoint) (*Log, error) {
	if shards < 1 || shards > change.MaxShards {
		return nil, fmt.Errorf("%w: %d shards", ErrFormat, shards)
	}
	l := newLog(e, shards)
	st, err := l.readState(ctx)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	if err := l.beyond(ctx, st); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	from := uint64(0)
	if cp != nil && l.fits(ctx, cp, st) {
		from, l.last = cp.seq, cp.last
		for _, s := range cp.sets {
			l.sets[s.name] = s.set
		}
	}
	for i := range shards {
		l.ensureSet("open/" + strconv.Itoa(i))
	}
	l.ensureSet(change.SetAuth)
	if err := l.load(ctx, from, st); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	if err := l.findAdrift(ctx); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return l, nil
}

// beyond fails when a member lies behind the last one that the state knows of,
// which no crash can leave: the state that is on disk is an old one.
func (l *records) beyond(ctx context.Context, st state) error {
	err := l.engine.Scan(ctx, seqKey(st.seq+1), after(prefixSeq), func(string, []byte) error { return errStop })
	if errors.Is(err, errStop) {
		err = errMismatch
	}
	if err != nil {
		return l.damage(place{seq: st.seq + 1}, "sequence", err)
	}
	return nil
}

// findAdrift notes how late a member may be of which not even the chain is known.
func (l *records) findAdrift(ctx context.Context) error {
	most := uint64(0)
	err := engine.ScanSound(ctx, l.engine, prefixAdrift, after(prefixAdrift), func(key string, value []byte) error {
		if p, err := decodePlace(key, value); err == nil {
			most = max(most, p.item.HLC)
		}
		return nil
	}, func(engine.Gap) {})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.adrift = most
	return err
}

// fits reports whether cp was taken of this log.
func (l *records) fits(ctx context.Context, cp *Checkpoint, st state) bool {
	if cp.shards != l.shards || cp.seq > st.seq {
		return false
	}
	if cp.seq == 0 {
		return true
	}
	p, err := l.readSeq(ctx, cp.seq)
	return err == nil && p.item.ID == cp.last
}

// load takes the members after from up to st.seq into the sets.
func (l *Log) load(ctx context.Context, from uint64, st state) error {
	fresh := map[string][]recon.Item{}
	last, seq := l.last, from
	err := l.engine.Scan(ctx, seqKey(from+1), seqKey(st.seq+1), func(key string, value []byte) error {
		if seq%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		seq++
		p, err := decodePlace(key, value)
		if err == nil && (key != seqKey(seq) || p.seq != seq) {
			err = errAbsent
		}
		if err != nil {
			return l.damage(place{seq: seq}, "sequence", err)
		}
		fresh[p.set] = append(fresh[p.set], p.item)
		last = p.item.ID
		return nil
	})
	if err != nil && engine.IsCorrupt(err) {
		return l.damage(place{seq: seq + 1}, "sequence", err)
	}
	if err != nil {
		return err
	}
	if seq != st.seq {
		return &DamageError{Seq: seq + 1, Part: "sequence", Err: errAbsent}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, items := range fresh {
		slices.SortFunc(items, recon.Item.Compare)
		l.ensureSet(name).InsertBatch(items)
	}
	l.state, l.last = st, last
	return nil
}
