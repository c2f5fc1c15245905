// Package judged keeps the verdicts of a node's detectors on entries, and the order in
// which they judge those that came since. It is local: nothing here decides what is a
// member or has effect.
package judged

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// half of an id distinguishes entries: to find two of one half takes 2^64 hashes.
type half [16]byte

func halfOf(id change.ID) half { return half(id[:16]) }

// verdict is a place in Book.names, and the number of the verdict since the book
// was opened.
type verdict struct {
	number uint32
	at     uint8
}

// Book remembers verdicts: about 40 bytes each, as many as there are entries. It is
// safe for concurrent use.
type Book struct {
	mu     sync.RWMutex
	codes  map[half]verdict
	names  []reason.Code
	number uint32
}

// NewBook makes an empty book.
func NewBook() *Book { return &Book{codes: map[half]verdict{}, names: []reason.Code{""}} }

// Get is the code for which an entry is not shown, "" for one that is; ok is false
// for one that was not judged.
func (b *Book) Get(id change.ID) (code reason.Code, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v, ok := b.codes[halfOf(id)]
	return b.names[v.at], ok
}

// Now is the number of the last verdict.
func (b *Book) Now() uint32 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.number
}

// Had reports whether an entry was judged already at the verdict of a number, so
// that a list that is read page by page keeps its order.
func (b *Book) Had(id change.ID, number uint32) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v, ok := b.codes[halfOf(id)]
	return ok && v.number <= number
}

// Put notes a verdict.
func (b *Book) Put(id change.ID, code reason.Code) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.Index(b.names, code)
	if at < 0 {
		if len(b.names) > 255 {
			return // there are a few dozen codes: it stays unjudged
		}
		at = len(b.names)
		b.names = append(b.names, code)
	}
	h := halfOf(id)
	v, again := b.codes[h]
	if !again {
		b.number++
		v.number = b.number
	}
	v.at = uint8(at)
	b.codes[h] = v
}

// Forget takes a verdict out, of an entry whose text is gone.
func (b *Book) Forget(id change.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.codes, halfOf(id))
}

// Len counts the verdicts.
func (b *Book) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.codes)
}

const magic = "MESHJD1\n"

var errForm = errors.New("no book of verdicts")

// Append writes the book behind to. rules names the detectors that judged: a book
// of others is not read back.
func (b *Book) Append(to []byte, rules string) []byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	to = append(to, magic...)
	text := func(s string) {
		to = binary.AppendUvarint(to, uint64(len(s)))
		to = append(to, s...)
	}
	text(rules)
	to = binary.AppendUvarint(to, uint64(len(b.names)))
	for _, n := range b.names {
		text(string(n))
	}
	to = binary.AppendUvarint(to, uint64(len(b.codes)))
	for h, v := range b.codes {
		to = append(append(to, h[:]...), v.at)
	}
	return to
}

// ReadBook reads what Append wrote. A book of other rules is empty and no fault.
func ReadBook(data []byte, rules string) (*Book, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errForm
	}
	number := func() (uint64, bool) {
		n, w := binary.Uvarint(rest)
		if w <= 0 {
			return 0, false
		}
		rest = rest[w:]
		return n, true
	}
	text := func() (string, bool) {
		n, ok := number()
		if !ok || n > uint64(len(rest)) {
			return "", false
		}
		s := string(rest[:n])
		rest = rest[n:]
		return s, true
	}
	out := NewBook()
	by, ok := text()
	if !ok {
		return nil, errForm
	}
	if by != rules {
		return out, nil
	}
	names, ok := number()
	if !ok || names == 0 || names > 256 {
		return nil, errForm
	}
	for i := range names {
		s, ok := text()
		if !ok || i == 0 && s != "" {
			return nil, errForm
		}
		if i > 0 {
			out.names = append(out.names, reason.Code(s))
		}
	}
	const each = len(half{}) + 1
	if n, ok := number(); !ok || uint64(len(rest)) != n*uint64(each) || n > uint64(len(rest)) {
		return nil, errForm
	}
	for ; len(rest) > 0; rest = rest[each:] {
		at := rest[each-1]
		if int(at) >= len(out.names) {
			return nil, errForm
		}
		out.codes[half(rest[:each-1])] = verdict{at: at}
	}
	return out, nil
}
