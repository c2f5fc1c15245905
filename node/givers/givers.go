// Package givers remembers which peer gave a node each change first, so that what a
// bad neighbour brought can be counted and removed.
//
// Changes come from a peer in batches, so a Book stores runs: from this local
// sequence on, everything came from that peer, since that minute. A run takes some
// ten bytes. The book is this node's own and advises: it keeps at most maxRuns, the
// newest, and after a crash its end may be missing; of what it does not know nobody
// is named.
package givers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"sync"
	"time"

	"github.com/meshd/meshd/node/store"
)

const (
	maxRuns    = 1 << 17 // kept; the older half goes when there are more
	maxName    = 128     // bytes of the name of a giver
	resolution = time.Minute
	magic      = "MESHGV1\n"
)

// run says that the changes from a local sequence on came from a giver.
type run struct {
	seq    uint64
	giver  uint32
	minute uint32 // of the first of them, since 1970
}

// Book remembers givers. It is safe for concurrent use.
type Book struct {
	path string // "": in memory

	mu    sync.Mutex // guards what follows
	runs  []run      // by seq
	names []string
	index map[string]uint32
	high  uint64   // newest sequence that was noted
	out   *os.File // behind the last run; nil: in memory
	fault error    // of writing; the book in memory goes on
}

// Open reads the book in a file, or begins one; with path "" it stays in memory.
// last is the newest local sequence of the log: what the book says of later ones is
// of another log and forgotten. A damaged end is cut off.
func Open(path string, last uint64) (*Book, error) {
	b := &Book{path: path, index: map[string]uint32{}, high: last}
	if path == "" {
		return b, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read givers: %w", err)
	}
	b.read(raw, last)
	if err := b.rewrite(); err != nil {
		return nil, err
	}
	return b, nil
}

// read takes in the runs of a file up to the first that is not whole.
func (b *Book) read(raw []byte, last uint64) {
	rest, ok := bytes.CutPrefix(raw, []byte(magic))
	if !ok {
		return
	}
	next := func() (uint64, bool) {
		v, w := binary.Uvarint(rest)
		if w <= 0 {
			return 0, false
		}
		rest = rest[w:]
		return v, true
	}
	for seq := uint64(0); ; {
		step, ok1 := next()
		minute, ok2 := next()
		size, ok3 := next()
		if seq += step; !ok1 || !ok2 || !ok3 || seq > last || size > maxName || size > uint64(len(rest)) || minute>>32 != 0 {
			return
		}
		b.add(run{seq: seq, giver: b.number(string(rest[:size])), minute: uint32(minute)})
		rest = rest[size:]
	}
}

func (b *Book) number(name string) uint32 {
	i, ok := b.index[name]
	if !ok {
		i = uint32(len(b.names))
		b.names = append(b.names, name)
		b.index[name] = i
	}
	return i
}

func (b *Book) add(r run) { b.runs = append(b.runs, r) }

// appendRun is the form of a run in the file: how far its sequence lies behind that
// of the one before it, its minute, and the name of the giver.
func (b *Book) appendRun(out []byte, i int) []byte {
	before := uint64(0)
	if i > 0 {
		before = b.runs[i-1].seq
	}
	r := b.runs[i]
	name := b.names[r.giver]
	out = binary.AppendUvarint(out, r.seq-before)
	out = binary.AppendUvarint(out, uint64(r.minute))
	out = binary.AppendUvarint(out, uint64(len(name)))
	return append(out, name...)
}

// rewrite replaces the file by what is in memory and opens it for more.
func (b *Book) rewrite() error {
	text := []byte(magic)
	for i := range b.runs {
		text = b.appendRun(text, i)
	}
	if b.out != nil {
		_ = b.out.Close() // its content is written anew
		b.out = nil
	}
	if err := store.AtomicWrite(b.path, text, 0o600); err != nil {
		return fmt.Errorf("write givers: %w", err)
	}
	out, err := os.OpenFile(b.path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open givers: %w", err)
	}
	b.out = out
	return nil
}

// Note records that the change at a local sequence came from a giver; "" is this node
// itself. A sequence not above all noted ones is ignored: its body came.
func (b *Book) Note(seq uint64, giver string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if seq <= b.high {
		return
	}
	b.high = seq
	giver = giver[:min(len(giver), maxName)]
	minute := uint32(max(0, now.Unix()/int64(resolution/time.Second)))
	if len(b.runs) > 0 {
		last := b.runs[len(b.runs)-1]
		if b.names[last.giver] == giver && last.minute == minute {
			return
		}
	}
	b.add(run{seq: seq, giver: b.number(giver), minute: minute})
	if len(b.runs) > maxRuns {
		b.forgetOlder()
		return
	}
	if b.out != nil {
		if _, err := b.out.Write(b.appendRun(nil, len(b.runs)-1)); err != nil {
			b.fault = errors.Join(fmt.Errorf("write givers: %w", err), b.out.Close())
			b.out = nil
		}
	}
}

// forgetOlder drops the older half of the runs, and the names of those alone.
func (b *Book) forgetOlder() {
	old, names := b.runs[len(b.runs)/2:], b.names
	b.runs, b.names, b.index = make([]run, 0, maxRuns), nil, map[string]uint32{}
	for _, r := range old {
		r.giver = b.number(names[r.giver])
		b.add(r)
	}
	if b.out != nil {
		b.fault = errors.Join(b.fault, b.rewrite())
	}
}

// Of returns who gave the change at a local sequence first, "" for this node, and
// when, to the minute; ok is false when the book does not reach so far back.
func (b *Book) Of(seq uint64) (giver string, at time.Time, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := sort.Search(len(b.runs), func(i int) bool { return b.runs[i].seq > seq })
	if i == 0 {
		return "", time.Time{}, false
	}
	r := b.runs[i-1]
	return b.names[r.giver], time.Unix(int64(r.minute)*int64(resolution/time.Second), 0).UTC(), true
}

// Close ends the book and returns what went wrong with its file.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.fault
	if b.out != nil {
		err = errors.Join(err, b.out.Sync(), b.out.Close())
		b.out = nil
	}
	return err
}
