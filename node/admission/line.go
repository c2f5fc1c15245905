package admission

import "sync"

// line is the held changes of one author, in the order in which they came, so
// that what builds on an earlier one is let go after it. What is written in a guild
// stands in a separate line: a guild that its other members flood delays nothing
// that the author writes elsewhere.
type line struct {
	key     lineKey
	waiting []Change
}

type lineKey struct{ author, guild string }

func (c *Change) line() lineKey { return lineKey{c.Author, c.Guild} }

// queue is all lines. They take turns: an author with a thousand changes delays none
// with one.
type queue struct {
	ids      sync.RWMutex // guards byID for who only asks whether a change waits
	byID     map[ID]*line
	byKey    map[lineKey]*line
	byAuthor map[string]int
	byHolder map[string]int // tree, or the strangers together
	turn     []*line        // the next to be served first
}

func newQueue() *queue {
	return &queue{byID: map[ID]*line{}, byKey: map[lineKey]*line{}, byAuthor: map[string]int{}, byHolder: map[string]int{}}
}

// behind reports whether something waits after which c has its turn: in its own
// line, or in that of what its author writes outside of guilds, which every limit of
// the author delays.
func (q *queue) behind(c *Change) bool {
	return q.byKey[c.line()] != nil || q.byKey[lineKey{c.Author, ""}] != nil
}

// has reports whether a change waits, without the lock of all else: a page of the feed
// asks for thousands, and must not wait while the turns of thousands are gone through.
func (q *queue) has(id ID) bool {
	q.ids.RLock()
	defer q.ids.RUnlock()
	return q.byID[id] != nil
}

func (q *queue) push(c Change) {
	if q.byID[c.ID] != nil {
		return
	}
	l := q.byKey[c.line()]
	if l == nil {
		l = &line{key: c.line()}
		q.byKey[l.key] = l
		q.turn = append(q.turn, l)
	}
	c.Author, c.Guild = l.key.author, l.key.guild // the same texts, kept once
	l.waiting = append(l.waiting, c)
	q.ids.Lock()
	q.byID[c.ID] = l
	q.ids.Unlock()
	q.byAuthor[c.Author]++
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
	q.ids.Lock()
	delete(q.byID, c.ID)
	q.ids.Unlock()
	less(q.byAuthor, c.Author)
	less(q.byHolder, c.holder())
	if len(l.waiting) == 0 {
		delete(q.byKey, l.key)
	}
	return c
}

func less(count map[string]int, key string) {
	if count[key]--; count[key] == 0 {
		delete(count, key)
	}
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
