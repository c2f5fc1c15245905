package admission

// line is the held changes of one author, in the order in which they came, so
// that what builds on an earlier one is let go after it.
type line struct {
	author  string
	waiting []Change
}

// queue is all lines. Authors take turns: who has a thousand waiting delays
// nobody who has one.
type queue struct {
	byID     map[ID]*line
	byAuthor map[string]*line
	byHolder map[string]int // tree, or the strangers together
	turn     []*line        // the next to be served first
}

func newQueue() *queue {
	return &queue{byID: map[ID]*line{}, byAuthor: map[string]*line{}, byHolder: map[string]int{}}
}

func (q *queue) push(c Change) {
	if q.byID[c.ID] != nil {
		return
	}
	l := q.byAuthor[c.Author]
	if l == nil {
		l = &line{author: c.Author}
		q.byAuthor[c.Author] = l
		q.turn = append(q.turn, l)
	}
	c.Author = l.author // the same text, kept once
	l.waiting = append(l.waiting, c)
	q.byID[c.ID] = l
	q.byHolder[c.holder()]++
}

// remove takes the change at place i out of l. The line leaves the turn by itself
// when it is empty.
func (q *queue) remove(l *line, i int) Change {
	c := l.waiting[i]
	if i == 0 {
		l.waiting[0] = Change{} // so that its strings can go
		l.waiting = l.waiting[1:]
	} else {
		l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
	}
	delete(q.byID, c.ID)
	if q.byHolder[c.holder()]--; q.byHolder[c.holder()] == 0 {
		delete(q.byHolder, c.holder())
	}
	if len(l.waiting) == 0 {
		delete(q.byAuthor, l.author)
	}
	return c
}

func (q *queue) drop(id ID) {
	l := q.byID[id]
	if l == nil {
		return
	}
	for i := range l.waiting {
		if l.waiting[i].ID == id {
			q.remove(l, i)
			return
		}
	}
}
