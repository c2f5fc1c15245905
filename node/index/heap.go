package index

// heap keeps the best documents of one part, the worst of them at the top.
type heap struct {
	part  *part
	limit int
	items []candidate
}

// candidate is a document of the part with its score.
type candidate struct {
	doc   uint32
	score float64
	mask  uint8
}

// worse reports whether a ranks behind b.
func (h *heap) worse(a, b candidate) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return h.part.terms.less(b.doc, a.doc)
}

// offer takes c if it is among the best so far and reports whether the heap is full.
func (h *heap) offer(c candidate) (full bool) {
	if len(h.items) < h.limit {
		h.items = append(h.items, c)
		for i := len(h.items) - 1; i > 0; {
			parent := (i - 1) / 2
			if !h.worse(h.items[i], h.items[parent]) {
				break
			}
			h.items[i], h.items[parent] = h.items[parent], h.items[i]
			i = parent
		}
		return len(h.items) == h.limit
	}
	if !h.worse(h.items[0], c) {
		return true
	}
	h.items[0] = c
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.items); child++ {
			if h.worse(h.items[child], h.items[worst]) {
				worst = child
			}
		}
		if worst == i {
			return true
		}
		h.items[i], h.items[worst] = h.items[worst], h.items[i]
		i = worst
	}
}
