package edit

import (
	"slices"
	"strings"
)

// pieces are a text made of parts of the text before and of new text, in order.
// They say what became of a place and which bytes were never touched.
type pieces []piece

type piece struct {
	start, end int // in the text before, when base
	base       bool
	text       string
}

func (p piece) size() int {
	if p.base {
		return p.end - p.start
	}
	return len(p.text)
}

// cut parts a piece after n bytes, or behind its end.
func (p piece) cut(n int) (head, tail piece) {
	n = min(n, p.size())
	head, tail = p, p
	if p.base {
		head.end, tail.start = p.start+n, p.start+n
	} else {
		head.text, tail.text = p.text[:n], p.text[n:]
	}
	return head, tail
}

// apply carries out edits of the text that the pieces make. The edits are in
// order and do not overlap.
func (ps pieces) apply(edits []Edit) pieces {
	var out pieces
	add := func(p piece) {
		if p.size() > 0 {
			out = append(out, p)
		}
	}
	left, at := slices.Clone(ps), 0 // what is not passed yet begins at
	take := func(upto int, keep bool) {
		for at < upto {
			head, tail := left[0].cut(upto - at)
			if keep {
				add(head)
			}
			at += head.size()
			if left[0] = tail; tail.size() == 0 {
				left = left[1:]
			}
		}
	}
	for _, e := range edits {
		take(e.Offset, true)
		take(e.EndOffset, false)
		add(piece{text: e.Text})
	}
	total := 0
	for _, p := range ps {
		total += p.size()
	}
	take(total, true)
	return out
}

// edits are the changes that make the pieces of the text before, which has size
// bytes.
func (ps pieces) edits(size int) []Edit {
	var out []Edit
	var text strings.Builder
	at := 0
	emit := func(to int) {
		if to > at || text.Len() > 0 {
			out = append(out, Edit{at, to, text.String()})
		}
		text.Reset()
	}
	for _, p := range ps {
		if !p.base {
			text.WriteString(p.text)
			continue
		}
		emit(p.start)
		at = p.end
	}
	emit(size)
	return out
}

// now is where a range of the text before is now, when all of it is still there
// in one piece. An empty range is the place before the byte that followed it, or
// behind the one that came before.
func (ps pieces) now(from, to int) (start, end int, ok bool) {
	at := 0
	for _, p := range ps {
		if p.base && p.start <= from && (from < p.end && to <= p.end) {
			return at + from - p.start, at + to - p.start, true
		}
		at += p.size()
		if p.base && p.end == from && from == to {
			start, end, ok = at, at, true
		}
	}
	if len(ps) == 0 && from == 0 && to == 0 {
		return 0, 0, true
	}
	return start, end, ok
}
